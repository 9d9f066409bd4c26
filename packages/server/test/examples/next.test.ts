// The Next.js example as its reader would use it: installed with the packed server, built by Next, started.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"

const run = promisify(execFile)
const root = new URL("../../../../", import.meta.url).pathname

let server: TestServer
let application: string

beforeAll(async () => {
  server = await startServer({ workers: false })
  application = await mkdtemp(join(tmpdir(), "footfall-next-"))
  await cp(join(root, "examples/next"), application, { recursive: true })
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", application], {
    cwd: join(root, "packages/server"),
  })
  const [packed] = Object.values(JSON.parse(stdout)) as ReadonlyArray<{ readonly filename: string }>
  const manifest = JSON.parse(await readFile(join(application, "package.json"), "utf8"))
  manifest.dependencies["@footfall/server"] =
    `file:./${packed!.filename.replace("@", "").replace("/", "-")}`
  await writeFile(join(application, "package.json"), JSON.stringify(manifest))
  const options = { cwd: application, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } }
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], options)
  await run("npm", ["run", "build"], options)
}, 400_000)

afterAll(async () => {
  await rm(application, { recursive: true, force: true })
  await server.close()
})

it("answers the SDK and pages below its path, and leaves the rest to the application", async () => {
  const port = await freePort()
  const next = spawn("node_modules/.bin/next", ["start", "--port", String(port)], {
    cwd: application,
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: server.databaseUrl,
      FOOTFALL_SECRET: testSecret,
    },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const url = `http://127.0.0.1:${port}`
    const client = new Footfall({ baseUrl: `${url}/footfall`, apiKey: server.apiKey })
    await expect
      .poll(() => fetch(url).then((answer) => answer.text(), String), { timeout: 60_000 })
      .toContain("This is the application itself.")

    const { added } = await client.suppression.add([{ type: "domain", value: "acme.example" }])
    const script = await fetch(`${url}/footfall/p/${server.pixelId}.js`)
    const missing = await fetch(`${url}/footfall/v1/nothing`)

    expect(added).toBe(1)
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(await missing.json()).toMatchObject({ error: { code: "NOT_FOUND" } })
  } finally {
    next.kill("SIGTERM")
    await once(next, "exit")
  }
}, 120_000)
