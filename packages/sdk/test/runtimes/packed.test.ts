// The package as published: its contents, whether every kind of import finds its types, and whether an application that
// installs it works in Node, Bun and Deno. The test installs these runtimes.
import { execFile } from "node:child_process"
import { cp, mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { publint } from "publint"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const run = promisify(execFile)
const packageDirectory = join(import.meta.dirname, "../..")

let application: string
let files: ReadonlyArray<string>
let server: Server
let baseUrl: string

beforeAll(async () => {
  application = await mkdtemp(join(tmpdir(), "footfall-application-"))
  await cp(import.meta.dirname, application, { recursive: true })
  const npm = (...args: ReadonlyArray<string>) => run("npm", [...args], { cwd: application })
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", application], {
    cwd: packageDirectory,
  })
  const [packed] = Object.values(JSON.parse(stdout)) as ReadonlyArray<{
    readonly filename: string
    readonly files: ReadonlyArray<{ readonly path: string }>
  }>
  files = packed!.files.map(({ path }) => path)
  const tarball = `./${packed!.filename.replace("@", "").replace("/", "-")}`
  await npm("install", "--no-audit", "--no-fund", "--no-package-lock", tarball)
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://host")
    const [status, body] = answerTo(url)
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  // A server that listens on a port has an address object, not a pipe name.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 400_000)

afterAll(async () => {
  server.close()
  await rm(application, { recursive: true, force: true })
})

const answerTo = ({ pathname, searchParams }: URL): readonly [number, object] => {
  if (pathname !== "/v1/data") {
    return [404, { error: { code: "NOT_FOUND", message: "Not found." }, meta: {} }]
  }
  const isSecond = searchParams.get("cursor") === "second"
  const email = isSecond ? "bo@acme.example" : "jane@acme.example"
  return [200, { data: [{ email }], meta: { nextCursor: isSecond ? null : "second" } }]
}

it("contains only the build, its README and its license", () => {
  const others = files.filter((path) => !/^dist\/.+\.(js|d\.ts|js\.map)$/.test(path))

  expect(others.toSorted()).toEqual(["LICENSE", "README.md", "package.json"])
})

it("publint reports nothing", async () => {
  expect((await publint({ pkgDir: packageDirectory, level: "suggestion" })).messages).toEqual([])
})

it("every kind of import finds its types", async () => {
  const { stdout } = await run("attw", ["--pack", ".", "--profile", "esm-only", "-f", "json"], {
    cwd: packageDirectory,
  }).catch((failure: { readonly stdout: string }) => failure)
  const { analysis } = JSON.parse(stdout) as {
    readonly analysis: { readonly problems: ReadonlyArray<{ readonly resolutionKind?: string }> }
  }

  const ours = analysis.problems.filter(
    ({ resolutionKind }) => resolutionKind === "node16-esm" || resolutionKind === "bundler",
  )
  expect(ours).toEqual([])
})

describe("an application that installs it", () => {
  const outcome = {
    emails: ["jane@acme.example", "bo@acme.example"],
    refused: "NOT_FOUND",
  }

  it.each([
    ["Node", process.execPath, []],
    ["Bun", "node_modules/.bin/bun", []],
    ["Deno", "node_modules/.bin/deno", ["run", "--allow-all", "--node-modules-dir=manual"]],
  ])("works in %s", async (_name, command, args) => {
    const { stdout } = await run(command, [...args, "program.ts"], {
      cwd: application,
      env: { ...process.env, BASE_URL: baseUrl },
    })

    expect(JSON.parse(stdout)).toEqual({ fetch: outcome, own: outcome, event: "webhook.test" })
  })
})
