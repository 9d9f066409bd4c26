// Options and checks that several suppression commands share.

import type { SuppressionRuleType } from "@footfall/sdk"
import { Option } from "commander"
import { givenValues, wholeNumber } from "../command/values.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/cli-error.ts"
import { canAsk, type Terminal } from "../terminal/terminal.ts"
import { RULES_PER_REQUEST, ruleTypes } from "./rule-types.ts"

/** Longer input is a file sent by mistake. Units: characters. */
const INPUT_LENGTH_MAX = 16 * 1024 * 1024

/** `--type`. */
export const ruleTypeOption = (description: string): Option =>
  new Option("--type <type>", description).choices(ruleTypes)

/** Whether a word is a type of rules. */
export const isRuleType = (word: string | undefined): word is SuppressionRuleType =>
  ruleTypes.some((type) => type === word)

/** The values of one request, read from standard input if the only word is `-`. For more, use a file. Errors: usage, without values; that of `tooMany`. */
export const ruleValues = (
  terminal: Terminal,
  words: ReadonlyArray<string>,
  options: GlobalOptions,
  tooMany: () => Error,
): Promise<ReadonlyArray<string>> =>
  givenValues(terminal, words, options, {
    max: RULES_PER_REQUEST,
    inputLengthMax: INPUT_LENGTH_MAX,
    tooMany,
  })

/**
 * Where the rejected rows of each file go: next to the file, or to the named file. Null for standard input, which has
 * no folder. Errors: usage, for a name with several files.
 */
export const rejectedFiles = (
  files: ReadonlyArray<string>,
  named: string | undefined,
): ReadonlyArray<string | null> => {
  if (named !== undefined && files.length > 1) {
    throw usageError(
      "--rejected works with one file only. With several files, each has its own FILE.rejected.csv.",
    )
  }
  return files.map((file) => named ?? (file === "-" ? null : `${file}.rejected.csv`))
}

/** Fails early, before a large file is read. Errors: usage, without a terminal and without --yes. */
export const requireTerminalOrYes = (
  terminal: Terminal,
  { yes }: { readonly yes?: true },
): void => {
  if (yes || canAsk(terminal)) return
  throw usageError(
    "Can't prompt for confirmation: this is not a terminal.",
    "Add --yes to skip the confirmation.",
  )
}

export interface RemovalOptions {
  readonly yes?: true
  readonly allowRemovals?: number
}

/** `--allow-removals`. */
export const allowRemovalsOption = (): Option =>
  new Option(
    "--allow-removals <count>",
    "allow removing up to this many rules, even more than half of the list",
  ).argParser(wholeNumber(1_000_000_000, 0))

/** `--allow-empty`. */
export const allowEmptyOption = (): Option =>
  new Option("--allow-empty", "accept a file without rows, which is an error otherwise")
