// Rules as they are given on the command line: a type and values, or values a line on standard input.

import type { SuppressionRuleType } from "@footfall/sdk"
import { Option } from "commander"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ruleTypes } from "../../suppression/rule-types.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { givenValues } from "../given-values.ts"

/** What one request takes (spec 5.5); more is a matter for a file. */
export const RULES_MAX = 25_000

/** Longer input is a file sent by mistake. Units: characters. */
const INPUT_LENGTH_MAX = 16 * 1024 * 1024

/** `--type`. */
export const ruleTypeOption = (description: string): Option =>
  new Option("--type <type>", description).choices(ruleTypes)

/** Whether a word is a type of rules. */
export const isRuleType = (word: string | undefined): word is SuppressionRuleType =>
  ruleTypes.some((type) => type === word)

/** The values, read from standard input where the one word is `-`. Errors: usage, for none; that of `tooMany`. */
export const ruleValues = (
  terminal: Terminal,
  words: ReadonlyArray<string>,
  options: GlobalOptions,
  tooMany: () => Error,
): Promise<ReadonlyArray<string>> =>
  givenValues(terminal, words, options, {
    max: RULES_MAX,
    inputLengthMax: INPUT_LENGTH_MAX,
    tooMany,
  })
