// Options and checks that several suppression commands share.

import type { SuppressionRuleType } from "@footfall/sdk"
import { Option } from "commander"
import { givenValues, wholeNumber } from "../command/values.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/cli-error.ts"
import { requireConsent } from "../terminal/consent.ts"
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

/** Errors: usage, for more removals than allowed, or if the number can't be typed; those of `requireConsent`. */
export const requireRemovalConsent = async (
  terminal: Terminal,
  removal: {
    /** A sentence that says what will happen. */
    readonly what: string
    readonly removals: number
    /** Existing rules. */
    readonly present: number
    /** Whether the file has other types than the list. */
    readonly isOfOtherTypes?: boolean
    /** Whether no rules remain. */
    readonly isCleared: boolean
    readonly options: RemovalOptions
  },
): Promise<void> => {
  const { checkAllowed, needsCount, uncountedError } = await import("./removals.ts")
  const { what, isCleared, options } = removal
  const counts = { ...removal, allowed: options.allowRemovals }
  checkAllowed(counts)
  const isMost = needsCount(counts)
  if (isMost && (options.yes || !canAsk(terminal))) throw uncountedError(counts)
  await requireConsent(terminal, {
    what,
    ...(isMost || isCleared ? { phrase: String(removal.removals) } : {}),
    isConfirmed: options.yes === true,
  })
}
