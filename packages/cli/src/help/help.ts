// `footfall help` and `footfall version` print the same as `--help` and `--version`.

import type { Command } from "commander"
import { define } from "../command/define.ts"
import { usageError } from "../errors/cli-error.ts"
import { jsonDocument } from "../output/json.ts"
import { isJsonGiven } from "../output/output-format.ts"
import { lines, writeOut } from "../terminal/terminal.ts"
import { version } from "../version.ts"

export const helpCommand = define<object, [words: ReadonlyArray<string>]>("help", {
  takes: (command) => command.argument("[command...]", "the command, for example visitors list"),
  examples: ["footfall help", "footfall help visitors list"],
  run: async ({ wholeProgram }, words) => {
    const root = await wholeProgram()
    let command: Command = root
    for (const word of words) {
      const next = command.commands.find(
        (one) => one.name() === word || one.aliases().includes(word),
      )
      if (next === undefined) {
        const { commandMeant } = await import("../errors/other-words.ts")
        const meant = commandMeant(root, words)
        throw usageError(
          `Unknown command: ${words.join(" ")}.`,
          meant === undefined
            ? "To list them: footfall help"
            : `Did you mean: footfall help ${pathOf(meant).replace(/^footfall /, "")}`,
        )
      }
      command = next
    }
    command.outputHelp()
  },
})

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

export const versionCommand = define("version", {
  examples: ["footfall version", "footfall version --json"],
  run: async ({ options, terminal }) =>
    writeOut(terminal, isJsonGiven(options) ? jsonDocument({ data: { version } }) : lines(version)),
})
