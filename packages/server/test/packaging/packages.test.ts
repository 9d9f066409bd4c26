// The published packages contain only what is built, and publint reports nothing. The SDK's own package tests its use
// in applications (packages/sdk/test/runtimes).
import { execFile } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { publint } from "publint"
import { describe, expect, it } from "vitest"

const run = promisify(execFile)
const packages = new URL("../../../", import.meta.url).pathname

const expected: Readonly<Record<string, { readonly files: RegExp; readonly bytesMax: number }>> = {
  cli: {
    files: /^(bin\/footfall\.js|dist\/[^/]+\.js|dist\/man\/footfall[a-z-]*\.1)$/,
    bytesMax: 550_000,
  },
  pixel: { files: /^dist\/.+\.(js|d\.ts)(\.map)?$/, bytesMax: 60_000 },
  server: { files: /^(assets|bin|dist|ops)\/.+$/, bytesMax: 9_500_000 }, // up to 3 MB of it is the guide
}

interface Analysis {
  readonly problems?: ReadonlyArray<{ readonly resolutionKind?: string }>
}

it("contains the server's command in ASCII only, because one other character doubles its memory", async () => {
  const dist = join(packages, "server/dist")
  const files = (await readdir(dist)).filter((file) => /^main\b.*\.js$/.test(file))
  const texts = await Promise.all(files.map((file) => readFile(join(dist, file), "latin1")))

  expect(files).toContain("main.js")
  const others = texts.flatMap((text) => text.match(/.{0,40}[^\p{ASCII}].{0,40}/gu) ?? [])
  expect(others).toEqual([])
})

const sourcesOf = async (file: string): Promise<ReadonlyArray<string>> => {
  const map = await readFile(join(packages, "server/dist", `${file}.map`), "utf8")
  return (JSON.parse(map) as { readonly sources: ReadonlyArray<string> }).sources
}

it("parses the arguments of the server's command without Effect, which takes six times as long to load", async () => {
  const sources = await sourcesOf("main.js")

  expect(sources).toContain("../src/app/main.ts")
  expect(sources.filter((source) => /node_modules\/(?!commander\/)/.test(source))).toEqual([])
})

it("runs the operator's commands without the API, its routes and the workers", async () => {
  const isOfServers =
    /\/effect\/src\/http-api\/|src\/(.+\/)?(api|handlers|routes|worker|application)\.ts$|src\/server\/services\.ts$/

  expect(
    (await sourcesOf("main-start.js")).filter((source) => isOfServers.test(source)),
  ).not.toEqual([])
  expect(
    (await sourcesOf("main-commands.js")).filter((source) => isOfServers.test(source)),
  ).toEqual([])
})

it("splits only packages off the server's command, because a file shared with Effect slows down every use of it", async () => {
  const files = await readdir(join(packages, "server/dist"))
  const chunks = files.filter((file) => /^main-.*-[A-Z0-9]{8}\.js$/.test(file))
  const sources = await Promise.all(chunks.map(sourcesOf))

  expect(sources.flat().join("\n")).toContain("node_modules/nodemailer/")
  expect(
    sources.flat().filter((source) => !/node_modules\/(?!@?effect\/)|^builtin:/.test(source)),
  ).toEqual([])
})

describe.each(Object.keys(expected))("@footfall/%s", (name) => {
  const directory = join(packages, name)
  const { bytesMax, files } = expected[name]!

  it("contains the built files, its README and its license, and is small", async () => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json"], { cwd: directory })
    const [packed] = Object.values(JSON.parse(stdout)) as ReadonlyArray<{
      readonly size: number
      readonly files: ReadonlyArray<{ readonly path: string }>
    }>
    const paths = packed!.files.map(({ path }) => path)

    expect(paths.filter((path) => !files.test(path)).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
    ])
    expect(paths.filter((path) => /^dist\/main\b.*\.map$/.test(path))).toEqual([])
    expect(packed!.size).toBeLessThan(bytesMax)
  })

  it("every kind of import finds its types", async () => {
    const attw = ["attw", "--pack", ".", "--profile", "esm-only", "-f", "json"]
    const { stdout } = await run("npx", attw, { cwd: directory }).catch(
      (failure: { readonly stdout: string }) => failure,
    )
    const { problems = [] } = (JSON.parse(stdout) as { readonly analysis: Analysis }).analysis

    const ours = problems.filter(
      ({ resolutionKind }) => resolutionKind === "node16-esm" || resolutionKind === "bundler",
    )
    expect(ours).toEqual([])
  })

  it("publint reports nothing", async () => {
    const { messages } = await publint({ pkgDir: directory, level: "suggestion" })

    expect(messages).toEqual([])
  })
})
