// What is loaded before it is known which command runs. Ink takes some 150 ms of processor time and the
// SDK some 10, so that neither may slip into the part that every command loads.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { expect, test } from "vitest"
import { program, wholeProgram } from "../src/program.ts"
import { Pager } from "../src/terminal/pager.ts"
import type { Terminal } from "../src/terminal/terminal.ts"

const dist = join(import.meta.dirname, "../dist")

/** The file and everything it imports at once; what comes by `import()` is left out. */
const loadedAtOnce = (name: string, seen = new Map<string, string>()): Map<string, string> => {
  if (seen.has(name)) return seen
  const code = readFileSync(join(dist, name), "utf8")
  seen.set(name, code)
  for (const [, imported = ""] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    loadedAtOnce(imported, seen)
  }
  return seen
}

test.each([
  ["Ink", "useInput"],
  ["the SDK", "footfall-sdk/"],
  ["the list of free-mail domains", "hotmail"],
  ["a command of visitors", "footfall visitors list --timeframe"],
  ["a command of its own", "footfall doctor --domain"],
])("%s is not loaded before it is needed", (_what, mark) => {
  const files = [...loadedAtOnce("main.js")]

  expect(files.filter(([, code]) => code.includes(mark)).map(([name]) => name)).toEqual([])
})

test("what every command loads stays small", () => {
  const sizes = [...loadedAtOnce("main.js").values()].map((code) => code.length)

  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000)
})

test("the core loads nothing later, because it would be there twice", () => {
  expect(readFileSync(join(dist, "core.js"), "utf8")).not.toMatch(/import\("\.\//)
})

test("a command is few files, because each costs more than what it holds", () => {
  const file = readdirSync(dist).find((name) => name.startsWith("pixel-commands-")) ?? ""

  // 35 before there was a core, and a tenth more processor time.
  expect(loadedAtOnce(file, loadedAtOnce("main.js")).size).toBeLessThan(20)
})

test("the program made whole has everything, and says the same of each command", async () => {
  const terminal: Terminal = {
    ...process,
    pager: new Pager({ stdout: process.stdout, environment: {}, commandLine: [] }),
    environment: {},
    now: new Date(),
    atInterrupt: new Set(),
    endWith: () => {},
  }
  const root = await wholeProgram(terminal, "1")
  const summaries = (program: Command) => program.commands.map((one) => [one.name(), one.summary()])

  expect(summaries(root)).toEqual(summaries(program(terminal, "1")))
  expect(root.commands.filter(isEmpty).map((one) => one.name())).toEqual([])
})

/** Neither commands of its own nor an example, which every command has. */
const isEmpty = (command: Command): boolean => {
  let help = ""
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return command.commands.length === 0 && !help.includes("Examples:")
}
