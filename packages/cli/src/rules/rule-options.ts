// The options that say whom a rule is to match: a whole rule as JSON, or predicates in their short
// form, which all have to match unless --any is given.

import type { RuleAst, Timeframe } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { usageError } from "../errors/usage-error.ts"
import { givenJson } from "../terminal/given-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { timeframes } from "../timeframes.ts"
import { predicate } from "./predicate.ts"

/** As commander hands them to a command. */
export interface RuleOptions {
  readonly rule?: string
  readonly where?: ReadonlyArray<string>
  readonly any?: true
  readonly window?: Timeframe
}

/** Adds `--rule`, `--where` and `--any`. */
export const addRuleOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--rule <rule>",
        "a rule: a file of JSON, `-` for standard input, or the JSON itself",
      ).conflicts(["where", "any"]),
    )
    .addOption(
      new Option(
        "--where <predicate>",
        "`field operator value`; given several times, all must match",
      ).argParser((text: string, before: ReadonlyArray<string> = []) => [...before, text]),
    )
    .option("--any", "one matching --where is enough")

/** `--window`, for a rule that is kept. */
export const windowOption = (): Option =>
  new Option("--window <window>", "how far the rule looks back (default: 30d)").choices(timeframes)

/** As `givenRule`. Errors: usage as well when none was given. */
export const requiredRule = async (terminal: Terminal, options: RuleOptions): Promise<RuleAst> => {
  const rule = await givenRule(terminal, options)
  if (rule !== null) return rule
  throw usageError("There is no rule.", "Give --rule, or --where 'behavior.pageviews gte 3'")
}

/**
 * The rule that was given, with the window that was given, or null when none was.
 * Errors: usage, for what is no JSON, no object, or a file that cannot be read.
 */
export const givenRule = async (
  terminal: Terminal,
  options: RuleOptions,
): Promise<RuleAst | null> => {
  const rule = await writtenRule(terminal, options)
  if (rule !== null)
    return options.window === undefined ? rule : { ...rule, window: options.window }
  if (options.window !== undefined) throw usageError("--window needs a rule.")
  return null
}

const writtenRule = async (
  terminal: Terminal,
  { rule, where, any }: RuleOptions,
): Promise<RuleAst | null> => {
  if (rule !== undefined) return wholeRule(await givenJson(terminal, rule, "rule"))
  if (where === undefined) {
    if (any) throw usageError("--any needs a --where.")
    return null
  }
  const predicates = where.map(predicate)
  const [only] = predicates
  if (predicates.length === 1 && only !== undefined) return wholeRule({ ...only })
  return wholeRule(any ? { any: predicates } : { all: predicates })
}

/**
 * A node alone (`{"all": …}` or a predicate) is a rule of version 1. Whether it is a legal one is for
 * the server to say, which knows every field.
 */
const wholeRule = (given: Readonly<Record<string, unknown>>): RuleAst => {
  const whole = "all" in given || "any" in given || "field" in given ? { rule: given } : given
  return { version: 1, ...whole } as unknown as RuleAst
}
