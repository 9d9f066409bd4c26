// A command line that commander cannot parse: what is wrong, and where the help is. Words of other tools (`rm`,
// `show`, `add`) lead to the command used here.

import type { Command, CommanderError } from "commander"
import { type CliError, usageError } from "./cli-error.ts"

/** Exit code 2. `root` has at least the commands that the line names. */
export const misunderstood = (
  error: CommanderError,
  root: Command,
  commandLine: ReadonlyArray<string>,
): CliError => {
  const message = plainMessage(error.message)
  const { command, rest } = reached(root, commandLine)
  const meant = error.code === "commander.unknownCommand" ? otherWord(command, rest) : undefined
  return meant === undefined
    ? usageError(message)
    : usageError(message.replace(/\n[^]*/, ""), `Did you mean: ${pathOf(command)} ${meant}`)
}

/** The message of commander as a sentence: `Invalid --output "xml". Use one of: …`. */
const plainMessage = (message: string): string =>
  message
    .replace(/^error: /, "")
    .replace(
      /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '([^]*)' is invalid\. /,
      'Invalid $1 "$2". ',
    )
    .replace(
      /^command-argument value '([^]*)' is invalid for argument '([^']*)'\. /,
      'Invalid $2 "$1". ',
    )
    .replace("Allowed choices are ", "Use one of: ")
    .replace(/^\w/, (first) => first.toUpperCase())

/** Where to find the help of the command on the line. */
export const helpAdvice = (root: Command, commandLine: ReadonlyArray<string>): string =>
  `Run: ${pathOf(reached(root, commandLine).command)} --help`

/** Words for the same, among them one of this grammar. */
const sameWords: ReadonlyArray<ReadonlyArray<string>> = [
  ["list", "ls", "all", "index"],
  ["get", "show", "view", "describe", "info", "read"],
  ["create", "add", "new", "make", "connect", "register", "invite"],
  ["update", "edit", "set", "change", "modify", "patch", "rename", "role"],
  ["delete", "remove", "rm", "del", "destroy", "revoke", "disconnect"],
]

const otherWord = (command: Command, rest: string | undefined): string | undefined => {
  const names = new Set(command.commands.map((one) => one.name()))
  const words = sameWords.find((same) => rest !== undefined && same.includes(rest)) ?? []
  return words.find((word) => names.has(word))
}

/** The innermost command that the line names, and the word after it. */
const reached = (
  root: Command,
  commandLine: ReadonlyArray<string>,
): { readonly command: Command; readonly rest: string | undefined } => {
  let command = root
  const words = commandLine.values()
  for (const word of words) {
    if (word.startsWith("-")) {
      const option = root.options.find(({ long }) => long === word)
      if (option?.required) words.next()
      continue
    }
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (next === undefined) return { command, rest: word }
    command = next
  }
  return { command, rest: undefined }
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
