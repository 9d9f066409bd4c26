// For a command line that commander cannot parse: names the problem, the command the user probably
// meant, and where to find help.

import type { Command, CommanderError } from "commander"
import { type CliError, usageError } from "./cli-error.ts"

/** Exit code 2. Builds `wholeProgram` only for an unknown command. */
export const misunderstood = async (
  error: CommanderError,
  commandLine: ReadonlyArray<string>,
  wholeProgram: () => Promise<Command>,
): Promise<CliError> => {
  const message = plainMessage(error.message)
  if (error.code !== "commander.unknownCommand") return usageError(message)
  const root = await wholeProgram()
  const { commandMeant, commandOfVerb } = await import("./other-words.ts")
  const words = wordsOf(root, commandLine)
  const meant = commandMeant(root, words)
  const plain = message.replace(/\n[^]*/, "")
  if (meant !== undefined) return usageError(plain, `Did you mean: ${usageOf(meant)}`)
  const example = commandOfVerb(root, (words[0] ?? "").toLowerCase())
  return example === undefined
    ? usageError(message)
    : usageError(
        plain,
        `Start with a noun, for example: ${pathOf(example)}. To list them: footfall help`,
      )
}

/** Rewrites commander's message as a sentence: `Invalid --output "xml". Use one of: …`. */
const plainMessage = (message: string): string =>
  message
    .replace(/^error: /, "")
    .replace(
      /^option '(?:-\w, )?(--[\w-]+)(?:[^\w'-][^']*)?' argument '([^]*)' is invalid\. /,
      'Invalid $1 "$2". ',
    )
    .replace(
      /^command-argument value '([^]*)' is invalid for argument '([^']*)'\. /,
      'Invalid $2 "$1". ',
    )
    .replace("Allowed choices are ", "Use one of: ")
    .replace(/^\w/, (first) => first.toUpperCase())

/** Where to find help for the command. */
export const helpAdvice = (root: Command, commandLine: ReadonlyArray<string>): string =>
  `Run: ${pathOf(reached(root, commandLine))} --help`

/** The words that are not options or values of global options. */
const wordsOf = (root: Command, commandLine: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words: Array<string> = []
  const remaining = commandLine.values()
  for (const word of remaining) {
    if (!word.startsWith("-")) words.push(word)
    else if (root.options.find(({ long, short }) => word === long || word === short)?.required) {
      remaining.next()
    }
  }
  return words
}

/** Returns the innermost command that the line names. */
const reached = (root: Command, commandLine: ReadonlyArray<string>): Command => {
  let command = root
  for (const word of wordsOf(root, commandLine)) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (next === undefined) return command
    command = next
  }
  return command
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

/** For example `footfall runs start <audience-id>`. */
const usageOf = (command: Command): string =>
  [
    pathOf(command),
    ...command.registeredArguments
      .filter(({ required }) => required)
      .map((argument) => `<${argument.name()}${argument.variadic ? "..." : ""}>`),
  ].join(" ")
