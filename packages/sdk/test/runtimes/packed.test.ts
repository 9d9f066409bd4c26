// The package as published: its contents, whether every kind of import finds its types, and whether an application that
// installs it works in Node, Bun and Deno. The test installs these runtimes.
import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { publint } from "publint"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { needs, systemNodePath } from "../../../../scripts/test-run/programs.ts"

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
  const expected = ["LICENSE", "README.md", "dist/cjs/package.json", "package.json"]

  // The release writes the changelog.
  expect(others.filter((path) => path !== "CHANGELOG.md").toSorted()).toEqual(expected)
})

it("publint reports nothing", async () => {
  expect((await publint({ pkgDir: packageDirectory, level: "suggestion" })).messages).toEqual([])
})

// Effect is an ES module itself, and has no types for the resolution before Node 16.
it.each([
  ["node16", []],
  ["strict", ["--exclude-entrypoints", "effect"]],
] as const)("every kind of import and require finds its types (%s)", async (profile, more) => {
  const ignored = profile === "node16" ? ["--ignore-rules", "cjs-resolves-to-esm"] : []
  // It exits with 1 if it finds a problem that is not ignored.
  const { stdout } = await run("attw", ["--pack", ".", "--profile", profile, ...more, ...ignored], {
    cwd: packageDirectory,
  })

  expect(stdout).toContain("@footfall/sdk/webhooks")
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

/** How each bundler makes one file of a server program. None of them finds @opentelemetry/api, which isn't installed. */
const bundlers: Readonly<Record<string, (bundle: string) => ReadonlyArray<string>>> = {
  esbuild: (bundle) => [
    join(import.meta.dirname, "../../../../node_modules/.bin/esbuild"),
    ...["bundled.js", "--bundle", "--platform=node", "--format=cjs", "--minify"],
    `--outfile=${bundle}`,
  ],
  Bun: (bundle) => [
    "node_modules/.bin/bun",
    ...["build", "bundled.js", "--target=node", "--format=cjs", `--outfile=${bundle}`],
  ],
  webpack: (bundle) => [
    process.execPath,
    "--eval",
    `require("webpack")({
      mode: "production", target: "node20", context: process.cwd(), entry: "./bundled.js",
      output: { path: require("path").dirname("${bundle}"), filename: require("path").basename("${bundle}") },
    }, (error, stats) => {
      if (error || stats.compilation.errors.length > 0 || stats.compilation.warnings.length > 0) throw error ?? new Error(stats.toString())
    })`,
  ],
  Rollup: (bundle) => [
    "node_modules/.bin/rollup",
    ...["bundled.js", "--format=cjs", "--failAfterWarnings", "--inlineDynamicImports"],
    ...['--plugin=node-resolve={preferBuiltins: true, exportConditions: ["node"]}'],
    ...["--plugin=commonjs", "--plugin=json", "--external=node:sqlite", `--file=${bundle}`],
  ],
}

it.each(Object.keys(bundlers))(
  "%s bundles it for Node without its optional peers, and the bundle works alone",
  async (name) => {
    const bundle = join(temporaryFolder("bundle"), "program.cjs")
    const [command = "", ...args] = bundlers[name]!(bundle)
    await run(command, args, { cwd: application })

    const { stdout } = await run(process.execPath, [bundle], {
      cwd: join(bundle, ".."),
      env: { PATH: process.env["PATH"], BASE_URL: baseUrl },
    })

    expect(stdout).toBe("jane@acme.example webhook.test\n")
  },
)

it("jest with its defaults requires it", async () => {
  const { stderr } = await run(
    "node_modules/.bin/jest",
    [
      "--testMatch=**/jest.test.cjs",
      "--moduleFileExtensions=cjs",
      "--moduleFileExtensions=js",
      "--ci",
      "--cacheDirectory=.jest",
    ],
    { cwd: application, env: { ...process.env, BASE_URL: baseUrl, NODE_OPTIONS: "" } },
  )

  expect(stderr).toContain("2 passed")
})

it(
  "the Node of this computer runs it, as ES module and as CommonJS",
  needs("systemNode"),
  async () => {
    await writeFile(join(application, "system.mjs"), 'export * from "./bundled.js"')
    await writeFile(
      join(application, "system.cjs"),
      (await readFile(join(application, "bundled.js"), "utf8")).replaceAll(
        /^import (\{.+\}) from (".+")$/gm,
        "const $1 = require($2)",
      ),
    )
    for (const file of ["system.mjs", "system.cjs"]) {
      const { stdout } = await run(systemNodePath, [file], {
        cwd: application,
        env: { PATH: process.env["PATH"], BASE_URL: baseUrl },
      })

      expect(stdout).toBe("jane@acme.example webhook.test\n")
    }
  },
)
