// The program accepts every command line that help and the API reference show as an example.

import type { Command } from "commander"
import { expect, test } from "vitest"
import { commandExamples } from "../scripts/command-examples.ts"
import { wholeProgram } from "../src/program.ts"
import { thisTerminal } from "./fixtures/this-terminal.ts"

/** Ends a command in a shell. */
const isEnd = (mark: string): boolean => "|;<>()".includes(mark)

/** The words of each `footfall` in a command line, as a shell splits them: with quotes and continued lines. */
const commandsIn = (line: string): ReadonlyArray<ReadonlyArray<string>> => {
  const plain = line
    .replaceAll("\\\n", " ")
    .replace(/\s+# .*$/, "")
    .replaceAll(/"?\$\(/g, "1 (") // a placeholder for the output of the inner command
  const commands: Array<Array<string>> = [[]]
  for (const [text] of plain.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"|;<>()])+|[|;<>()]/g)) {
    if (isEnd(text)) commands.push([])
    else commands.at(-1)!.push(text.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"))
  }
  return commands.flatMap((words) => {
    const at = words.findIndex((text) => text !== "until" && !/^[A-Z_]+=/.test(text))
    return words[at] === "footfall" ? [words.slice(at + 1)] : []
  })
}

/** Parses without running anything. */
const parsed = async (words: ReadonlyArray<string>) => {
  const ran: Array<string> = []
  const root = await wholeProgram(thisTerminal, "1")
  const silence = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} })
    if (command.commands.length === 0) command.action(() => void ran.push(command.name()))
    command.commands.forEach(silence)
  }
  silence(root)
  await root.parseAsync([...words], { from: "user" })
  return ran
}

const all = [...(await commandExamples())]

test("every command has examples that run it", () => {
  expect(all.length).toBeGreaterThan(120)
  for (const [words, examples] of all) {
    const noun = words.split(" ")[0]!
    expect(examples.join("\n"), words).toContain(`footfall ${noun}`)
  }
})

test.each(all.flatMap(([, examples]) => examples))("%s", async (example) => {
  const commands = commandsIn(example)

  expect(commands.length).toBeGreaterThan(0)
  for (const words of commands) expect(await parsed(words)).toHaveLength(1)
})
