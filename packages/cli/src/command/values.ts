// Values on the command line: ids, whole numbers, and lists of values.

import { InvalidArgumentError } from "commander"
import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/**
 * Parses ids, which are lower-case UUIDs (spec 1.5). Errors: InvalidArgumentError, naming the command that lists them.
 */
export const uuid =
  (noun: string, listCommand: string) =>
  (text: string): string => {
    const id = text.toLowerCase()
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
    throw new InvalidArgumentError(`Expected the id of ${noun}. Run: ${listCommand}`)
  }

/** Parses whole numbers from `min` to `max`. Errors: InvalidArgumentError. */
export const wholeNumber =
  (max: number, min = 1) =>
  (text: string): number => {
    const number = Number(text)
    if (/^[0-9]+$/.test(text) && number >= min && number <= max) return number
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }

/** The limits, and the error beyond them. */
interface ValuesBound {
  readonly max: number
  /** Longer input is a file sent by mistake. Units: characters. */
  readonly inputLengthMax: number
  readonly tooMany: () => Error
}

/**
 * The values, read from standard input if the only word is `-`; empty lines are ignored. Errors: usage, without values
 * or if the API key also comes from standard input; that of `tooMany`.
 */
export const givenValues = async (
  terminal: Terminal,
  words: ReadonlyArray<string>,
  { apiKeyStdin }: GlobalOptions,
  bound: ValuesBound,
): Promise<ReadonlyArray<string>> => {
  const isFromInput = words.length === 1 && words[0] === "-"
  if (isFromInput && apiKeyStdin) {
    throw usageError("Can't read both the API key and the values from standard input.")
  }
  const values = isFromInput ? await inputLines(terminal, bound) : words
  if (values.length === 0) throw usageError("No value given.")
  if (values.length > bound.max) throw bound.tooMany()
  return values
}

const inputLines = async (
  { stdin }: Terminal,
  { inputLengthMax, tooMany }: ValuesBound,
): Promise<ReadonlyArray<string>> => {
  let text = ""
  for await (const chunk of stdin.setEncoding("utf8")) {
    text += chunk
    if (text.length > inputLengthMax) throw tooMany()
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
}
