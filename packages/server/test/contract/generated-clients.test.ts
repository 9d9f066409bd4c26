// The OpenAPI document in other tools: a linter reports nothing, and the clients of two generators compile and call the
// server. The test installs the tools.
import { execFile } from "node:child_process"
import { cp, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { startServer, type TestServer } from "../support/server.ts"

const run = promisify(execFile)
const folder = temporaryFolder("generated-clients")
const tool = (name: string, ...args: ReadonlyArray<string>) =>
  run(process.execPath, [join(folder, "node_modules/.bin", name), ...args], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  }).catch((failure: { readonly stdout: string; readonly stderr: string }) =>
    expect.fail(failure.stdout + failure.stderr),
  )

let server: TestServer
beforeAll(async () => {
  await cp(join(import.meta.dirname, "generated-clients"), folder, { recursive: true })
  // It isn't type checked with the tests, because its imports are generated here.
  await rename(join(folder, "program.txt"), join(folder, "program.ts"))
  const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
  server = await startServer({ workers: false })
  const document = await (await fetch(`${server.url}/openapi.json`)).text()
  await writeFile(join(folder, "openapi.json"), document)
  await run("npm", install, { cwd: folder })
}, 400_000)
afterAll(() => server.close())

it.each(["recommended", "spec"])(
  "redocly's %s rules find nothing",
  async (rules) => {
    const { stdout } = await tool(
      "redocly",
      "lint",
      "openapi.json",
      "--extends",
      rules,
      // `integrations/{appSlug}/lists` beside `integrations/accounts/{id}`: no service is called accounts (spec 2.17).
      "--skip-rule=no-ambiguous-paths",
      "--format=json",
    )

    expect(JSON.parse(stdout)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    })
  },
  60_000,
)

it("the clients of openapi-typescript and hey-api compile, and call the server in the document", async () => {
  await tool("openapi-typescript", "openapi.json", "-o", "openapi-typescript.d.ts")
  await tool("openapi-ts", "-i", "openapi.json", "-o", "hey-api")
  await tool("tsc", "-p", ".")
  const program = join(folder, "program.js")
  await build({
    entryPoints: [join(folder, "program.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    define: { API_KEY: JSON.stringify(server.apiKey) },
    outfile: program,
  })
  const { stdout } = await run(process.execPath, [program])

  expect(JSON.parse(stdout)).toEqual({
    domain: "generated.example",
    code: "NOT_FOUND",
    status: 200,
  })
}, 120_000)
