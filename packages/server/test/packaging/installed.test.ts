// The packages as an application installs them: their types in every common TypeScript version with libraries checked,
// their commands through npx, and the installed size. The test installs the compilers.
import { execFile } from "node:child_process"
import { readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const run = promisify(execFile)
const packages = new URL("../../../", import.meta.url).pathname
const folder = temporaryFolder("installed")
const npm = (...args: ReadonlyArray<string>) => run("npm", [...args], { cwd: folder })

const compilers = { ts54: "5.4.5", ts59: "5.9.3", ts60: "6.0.3", ts70: "7.0.2" }

const programs = {
  sdk: `
    import { Footfall, type Visitor } from "@footfall/sdk"
    import { normalizeRule } from "@footfall/sdk/normal-form"
    import { signTestWebhook, verifyWebhook } from "@footfall/sdk/webhooks"
    import { webhookEventSchemas } from "@footfall/sdk/webhooks/schemas"
    import * as pixel from "@footfall/pixel"
    import * as features from "@footfall/pixel/features"
    import "@footfall/pixel/footfall.js"
    import * as filter from "@footfall/pixel/path-filter"
    const { data, status } = await new Footfall().visitors.list().withResponse()
    export const first: Visitor | undefined = data.data[0]
    export const code: number = status
    export { features, filter, normalizeRule, pixel, signTestWebhook, verifyWebhook, webhookEventSchemas }
    // @ts-expect-error -- no part of it is any
    export const wrong: boolean = data.data[0].email`,
  effect: `
    import { createFootfall, type Footfall } from "@footfall/server"
    import { Api, FootfallServer, Suppression, Visitors } from "@footfall/server/effect"
    import { startTestServer } from "@footfall/server/testing"
    import { Footfall as Client } from "@footfall/sdk/effect"
    import { Effect, type Layer, Stream } from "effect"
    export const server: Footfall = await createFootfall()
    export const all = Effect.gen(function* () {
      const { visitors } = yield* Client
      return yield* Stream.runCollect(visitors.list())
    })
    export const layer = FootfallServer.layer()
    export { Api, startTestServer, Suppression, Visitors }
    type Provided = Layer.Success<typeof layer>
    // @ts-expect-error -- no part of it is any
    export const wrong: string = undefined as unknown as Provided`,
}

beforeAll(async () => {
  const names = ["sdk", "server", "pixel", "cli"]
  const packed = names.map((name) =>
    run("npm", ["pack", "--pack-destination", folder], { cwd: join(packages, name) }),
  )
  await Promise.all(packed)
  const tarballs = (await readdir(folder)).filter((file) => file.endsWith(".tgz"))
  expect(tarballs).toHaveLength(names.length)
  await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}')
  const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
  await npm(...install, ...tarballs.map((file) => `./${file}`))
}, 400_000)

it("a server, a client and the pixel are installed in less than 170 MB, without Redis", async () => {
  const installed = join(folder, "node_modules")

  expect(await readdir(installed)).not.toContain("@redis")
  expect(await bytesIn(installed)).toBeLessThan(170_000_000)
}, 400_000)

it.each([
  ["@footfall/cli", /^footfall \d|^\d+\.\d+\.\d+/],
  ["@footfall/server", /^footfall-server \d|^\d+\.\d+\.\d+/],
])(
  "npx %s runs its command",
  async (name, version) => {
    const { stdout } = await run("npx", ["--no-install", name, "--version"], { cwd: folder })

    expect(stdout).toMatch(version)
  },
  400_000,
)

it.each(["sdk", "server", "pixel"])(
  "every entry of %s loads with what is installed",
  async (name) => {
    const manifest = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"))
    const entries = Object.keys(manifest.exports)
      // A script for pages, and there is no page here.
      .filter((entry) => !entry.endsWith(".js") && !entry.endsWith(".json"))
      .map((entry) => `@footfall/${name}${entry.slice(1)}`)
    const text = entries.map((entry) => `import * as _${entry.replace(/\W/g, "_")} from "${entry}"`)
    await writeFile(join(folder, "load.js"), `${text.join("\n")}\nconsole.log("loaded")`)
    const { stdout } = await run(process.execPath, ["load.js"], { cwd: folder })

    expect(entries.length).toBeGreaterThan(2)
    expect(stdout).toBe("loaded\n")
  },
  400_000,
)

it("the command alone is installed with the SDK, and nothing of the server", async () => {
  const alone = temporaryFolder("alone")
  await writeFile(join(alone, "package.json"), '{"private":true}')
  const tarballs = (await readdir(folder)).filter((file) =>
    /footfall-(cli|sdk)-.*\.tgz$/.test(file),
  )
  const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
  const files = tarballs.map((file) => join(folder, file))
  await run("npm", [...install, ...files], { cwd: alone })

  const { stdout } = await run("npx", ["--no-install", "footfall", "help"], { cwd: alone })

  expect(await readdir(join(alone, "node_modules/@footfall"))).toEqual(["cli", "sdk"])
  expect(stdout).toContain("Usage: footfall")
}, 400_000)

describe("the types", () => {
  beforeAll(async () => {
    const aliases = Object.entries(compilers).map(
      ([name, version]) => `${name}@npm:typescript@${version}`,
    )
    const others = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    await npm("install", ...others, ...aliases, "@types/node@24.19.2")
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(folder, `${name}.ts`), text)
    }
  }, 400_000)

  // Effect itself needs TypeScript 5.9.
  const cases = [
    ["sdk", "ts54", "nodenext"],
    ["sdk", "ts54", "bundler"],
    ["sdk", "ts59", "nodenext"],
    ["sdk", "ts60", "bundler"],
    ["sdk", "ts70", "nodenext"],
    ["effect", "ts59", "nodenext"],
    ["effect", "ts60", "bundler"],
    ["effect", "ts70", "nodenext"],
  ] as const
  const said = new Map<string, Promise<string>>()

  /** A compiler's output for all programs that it checks. They share most files, so it runs once. */
  const check = async (compiler: string, resolution: string): Promise<string> => {
    const options = {
      "--target": "es2022",
      "--lib": "es2022,dom,dom.iterable",
      "--module": resolution === "bundler" ? "esnext" : resolution,
      "--moduleResolution": resolution,
      "--types": "node",
      "--skipLibCheck": "false",
      "--skipDefaultLibCheck": "true", // for the compiler's own libraries
    }
    const files = cases
      .filter(([, ...others]) => others.join() === [compiler, resolution].join())
      .map(([program]) => `${program}.ts`)
    const tsc = join(folder, "node_modules", compiler, "bin/tsc")
    const args = [tsc, "--noEmit", "--strict", ...Object.entries(options).flat(), ...files]
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch(
      (failure: { readonly stdout: string }) => failure,
    )
    return stdout
  }

  it.each(cases)(
    "of %s have no error and no `any` in %s with %s",
    async (_program, compiler, resolution) => {
      const key = `${compiler} ${resolution}`
      if (!said.has(key)) said.set(key, check(compiler, resolution))

      expect(await said.get(key)).toBe("")
    },
    400_000,
  )
})

const bytesIn = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
