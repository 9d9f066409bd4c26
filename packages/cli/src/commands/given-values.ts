// Values of a command, as its words or a line each on standard input.

import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/usage-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** How much is taken, and what is said to more. */
export interface ValuesBound {
  readonly max: number
  /** Longer input is a file sent by mistake. Units: characters. */
  readonly inputLengthMax: number
  readonly tooMany: () => Error
}

/**
 * The values, read from standard input where the one word is `-`; empty lines are none.
 * Errors: usage, for none, and where the API key comes on standard input too; that of `tooMany`.
 */
export const givenValues = async (
  terminal: Terminal,
  words: ReadonlyArray<string>,
  { apiKeyStdin }: GlobalOptions,
  bound: ValuesBound,
): Promise<ReadonlyArray<string>> => {
  const isFromInput = words.length === 1 && words[0] === "-"
  if (isFromInput && apiKeyStdin) {
    throw usageError("Standard input cannot hold both the API key and the values.")
  }
  const values = isFromInput ? await inputLines(terminal, bound) : words
  if (values.length === 0) throw usageError("There is no value.")
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
