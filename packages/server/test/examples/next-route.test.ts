// The route of the Next.js example in a separate process, loaded twice as on a hot reload, with a server whose first
// start fails.
import { execFile } from "node:child_process"
import { cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

const run = promisify(execFile)
const root = new URL("../../../../", import.meta.url).pathname
const folder = temporaryFolder("next-route")

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const failsFirst = `
import * as real from ${JSON.stringify(join(root, "packages/server/dist/index.js"))}
let starts = 0
export const createFootfall = async (options) => {
  starts += 1
  if (starts === 1) throw new Error("The first start failed.")
  return real.createFootfall(options)
}
`

const program = `
const ask = (module) => module.GET(new Request("http://host/footfall/healthz")).then(
  ({ status }) => status, ({ message }) => message)
const first = await import("./route.ts?first")
const failed = await ask(first)
const started = await ask(first)
const instance = await globalThis.footfall
const reloaded = await ask(await import("./route.ts?second"))
const isOne = (await globalThis.footfall) === instance
await instance.close()
console.log(JSON.stringify({ failed, started, reloaded, isOne }))
`

it("a failed start is retried with the next request, and a reloaded module keeps the server", async () => {
  const installed = join(folder, "node_modules/@footfall/server")
  await mkdir(installed, { recursive: true })
  await writeFile(join(installed, "package.json"), '{"type":"module","exports":"./index.js"}')
  await writeFile(join(installed, "index.js"), failsFirst)
  await writeFile(join(folder, "package.json"), '{"type":"module"}')
  await writeFile(join(folder, "program.js"), program)
  const route = join(root, "examples/next/app/footfall/[[...path]]/route.ts")
  await cp(route, join(folder, "route.ts"))

  const { stdout } = await run(process.execPath, ["program.js"], {
    cwd: folder,
    env: { DATABASE_URL: server.databaseUrl, FOOTFALL_SECRET: testSecret },
  })

  expect(JSON.parse(stdout)).toEqual({
    failed: "The first start failed.",
    started: 200,
    reloaded: 200,
    isOne: true,
  })
})
