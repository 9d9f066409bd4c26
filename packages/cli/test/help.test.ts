// Help is for people who look around: it goes to standard output and is no error.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { expect, test } from "vitest"
import { wholeProgram } from "../src/program.ts"
import type { Terminal } from "../src/terminal/terminal.ts"
import { version } from "../src/version.ts"
import { footfall } from "./fixtures/footfall.ts"

const terminal: Terminal = {
  ...process,
  environment: {},
  now: new Date(),
  atInterrupt: new Set(),
  endWith: () => {},
}
const root = await wholeProgram(terminal, version)

/** Every command that does something, as it is written. */
const leaves = (command: Command, before: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  command.commands.flatMap((one) => {
    const words = [...before, one.name()]
    return one.commands.length === 0 ? [words.join(" ")] : leaves(one, words)
  })

const commandOf = (words: string): Command | undefined =>
  words
    .split(" ")
    .reduce<Command | undefined>(
      (command, word) => command?.commands.find((one) => one.name() === word),
      root,
    )

/** What `--help` prints. */
const helpOf = (command: Command | undefined): string => {
  let help = ""
  command?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
}

test("the commands there are", async () => {
  await expect(`${leaves(root).join("\n")}\n`).toMatchFileSnapshot("fixtures/commands.txt")
})

test.each(leaves(root))("help of `footfall %s` says what it does and has examples", (words) => {
  const help = helpOf(commandOf(words))

  expect(help).toMatch(new RegExp(`^Usage: footfall ${words}.*\n\n[A-Za-z]`))
  expect(help).toMatch(/Examples:\n {2}\$ /)
})

test.each(leaves(root).filter((words) => / (list|get)$/.test(words)))(
  "`footfall %s` takes what every list or every single thing takes",
  (words) => {
    const options = commandOf(words)?.options.map(({ long }) => long)

    expect(options).toContain("--fields")
    if (words.endsWith(" list")) expect(options).toContain("--output")
  },
)

test("help of the program shows what there is, without an error", async () => {
  const { exitCode, stdout, stderr } = await footfall([])

  expect(stdout).toContain("Usage: footfall [options] [command]")
  expect(stdout).toMatch(/Visitors:\n {2}visitors +the people/)
  expect(stdout).toMatch(/Examples:\n {2}\$ footfall/)
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test.each(root.commands.map((command) => command.name()))(
  "`footfall %s` is loaded when it is named",
  async (name) => {
    const { exitCode, stdout, stderr } = await footfall([name, "--help"])

    expect(stdout).toMatch(/Commands:|Examples:/)
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
  },
)

test("a group alone shows what there is in it, without an error", async () => {
  const { exitCode, stdout, stderr } = await footfall(["integrations", "accounts"])

  expect(stdout).toContain("Commands:")
  expect(stderr).toBe("")
  expect(exitCode).toBe(0)
})

test("help offers no option that takes a key", async () => {
  const { stdout } = await footfall(["visitors", "list", "--help"])

  expect(stdout).toContain("--api-key-stdin")
  expect(stdout).not.toMatch(/--(api-)?key /)
})

test("the version is the one of the package", async () => {
  const { stdout } = await footfall(["--version"])

  const file = readFileSync(join(import.meta.dirname, "../package.json"), "utf8")
  expect(version).toBe(JSON.parse(file).version)
  expect(stdout).toBe(`${version}\n`)
})
