// The modules that every command loads, and those of a command with one request. Ink takes about
// 150 ms of processor time, the first Intl format 11, and the SDK 10. They are loaded only where
// needed.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { expect, test, vi } from "vitest"
import { program, wholeProgram } from "../src/program.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey, pixel } from "./fixtures/records.ts"
import { thisTerminal } from "./fixtures/this-terminal.ts"

const dist = join(import.meta.dirname, "../dist")

/** The file and all its static imports. `import()` is left out. */
const staticImports = (name: string, seen = new Map<string, string>()): Map<string, string> => {
  if (seen.has(name)) return seen
  const code = readFileSync(join(dist, name), "utf8")
  seen.set(name, code)
  for (const [, imported = ""] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    staticImports(imported, seen)
  }
  return seen
}

test.each([
  ["Ink", "useInput"],
  ["the SDK", "footfall-sdk/"],
  ["the list of free-mail domains", "hotmail"],
  ["a command of visitors", "footfall visitors list --timeframe"],
  ["the code of one command", "footfall doctor --domain"],
])("%s is not loaded until it is needed", (_what, mark) => {
  const files = [...staticImports("main.js")]

  expect(files.filter(([, code]) => code.includes(mark)).map(([name]) => name)).toEqual([])
})

test("what every command loads stays small", () => {
  const sizes = [...staticImports("main.js").values()].map((code) => code.length)

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(75_000)
})

test("what the core loads later is in separate files of the bundle", () => {
  const later = [...readFileSync(join(dist, "core.js"), "utf8").matchAll(/import\("(.+?)"\)/g)]
    .map(([, path = ""]) => path)
    .toSorted()

  expect([...new Set(later)]).toEqual([
    "./ask.js",
    "./chosen-fields.js",
    "./countdown.js",
    "./drawn-fields.js",
    "./drawn.js",
    "./facts.js",
    "./file-lock.js",
    "./keyring.js",
    "./list-screen.js",
    "./sdk.js",
    "./secret-input.js",
    "./session-token.js",
  ])
  expect(later.filter((path) => !existsSync(join(dist, path)))).toEqual([])
})

test("a command loads few files, because each costs more than its content", () => {
  const file = readdirSync(dist).find((name) => name.startsWith("pixels-")) ?? ""

  // It was 35 before the core was split off, with a tenth more processor time, and 17 when the core was smaller.
  expect(staticImports(file, staticImports("main.js")).size).toBeLessThan(8)
  expect(staticImports("sdk.js").size).toBe(1)
})

/** Node's own modules that the process has loaded when it ends. */
const loadedNodeModules = async (
  words: ReadonlyArray<string>,
  environment: NodeJS.ProcessEnv = {},
) => {
  const report = `process.on("exit", () => process._rawDebug(process.moduleLoadList.join("\\n")))`
  const preload = `--import=data:text/javascript,${encodeURIComponent(report)}`
  const { exitCode, stderr } = await footfall(words, {
    environment: { ...environment, NODE_OPTIONS: preload },
  })
  expect(exitCode).toBe(0)
  return stderr.split("\n").map((line) => line.replace("NativeModule ", ""))
}

test("a command loads only the Node modules that it uses", async () => {
  await using api = await FakeApi.start()
  api.on("GET /v1/pixels", () => ({ data: [pixel] }))
  const environment = { FOOTFALL_API_KEY: apiKey, FOOTFALL_BASE_URL: api.baseUrl }

  const ofHelp = await loadedNodeModules(["--help"])
  const ofList = await loadedNodeModules(["pixels", "list", "--json"], environment)

  const unneeded = ["worker_threads", "child_process", "internal/util/diff", "internal/fs/dir"]
  expect(unneeded.filter((name) => ofHelp.includes(name) || ofList.includes(name))).toEqual([])
  expect(ofHelp).not.toContain("http")
  expect(ofList).toContain("http")
})

test("no command creates an Intl format while it loads", async () => {
  vi.resetModules()
  const asked: Array<string | symbol> = []
  const get = (target: object, name: string | symbol): unknown => {
    asked.push(name)
    return Reflect.get(target, name)
  }
  vi.stubGlobal("Intl", new Proxy(Intl, { get }))
  const { wholeProgram: reloadedProgram } = await import("../src/program.ts")

  await reloadedProgram(thisTerminal, "1")

  vi.unstubAllGlobals()
  expect(asked).toEqual([])
})

test("the fully loaded program has every command, with the same descriptions", async () => {
  const root = await wholeProgram(thisTerminal, "1")
  const summaries = (program: Command) => program.commands.map((one) => [one.name(), one.summary()])

  expect(summaries(root)).toEqual(summaries(program(thisTerminal, "1")))
  expect(root.commands.filter(isEmpty).map((one) => one.name())).toEqual([])
})

/** Has neither subcommands nor an example, which every command has. */
const isEmpty = (command: Command): boolean => {
  let help = ""
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return command.commands.length === 0 && !help.includes("Examples:")
}
