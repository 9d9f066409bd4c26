// The options that say how much of a list is wanted: one page, so many rows, or all of it.

import { Option, type Command } from "commander"
import type { Fields } from "../output/fields.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../output/output-format.ts"
import { wholeNumber } from "./whole-number.ts"

/** As commander hands them to a command. */
export interface ListOptions {
  readonly limit?: number
  readonly all?: true
  readonly output?: OutputFormat
  readonly fields?: Fields
}

/** Rows `--limit` may ask for; `--all` has no bound. */
const LIMIT_MAX = 1_000_000

/** Adds `--limit`, `--all`, `--output` and `--fields`. `rows` is what the list holds, for example `visitors`. */
export const addListOptions = (command: Command, rows: string): Command =>
  command
    .addOption(
      new Option("--limit <count>", `at most this many ${rows}, over several pages`)
        .argParser(wholeNumber(LIMIT_MAX))
        .conflicts("all"),
    )
    .option("--all", `all ${rows}`)
    .addOption(outputOption())
    .addOption(fieldsOption())

/** Rows wanted; null stands for the first page. */
export const rowsMax = ({ limit, all }: ListOptions): number | null =>
  limit ?? (all ? Infinity : null)
