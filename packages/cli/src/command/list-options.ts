// The options of every list: how many rows, which fields, which format.

import { Option, type Command } from "commander"
import type { Fields } from "../output/output-format.ts"
import { wholeNumber } from "./values.ts"

/** As commander passes them to a command. */
export interface ListOptions {
  readonly limit?: number
  readonly all?: true
  readonly fields?: Fields
}

/** The server returns this many rows by default, and never more than `max`. */
export interface RowsBound {
  readonly default: number
  readonly max: number
}

/** Maximum of `--limit`; `--all` has none. */
const LIMIT_MAX = 1_000_000

/** Adds `--limit` and `--all`. `rows`: what the list contains, for example `visitors`. */
export const addListOptions = (command: Command, rows: string): Command =>
  addOptions(command, {
    limit: `at most this many ${rows}, across pages`,
    limitMax: LIMIT_MAX,
    all: `all ${rows}`,
  })

/** The same for a list that arrives as a whole. */
export const addWholeListOptions = (command: Command, rows: string): Command =>
  addOptions(command, {
    limit: `at most this many ${rows}`,
    limitMax: LIMIT_MAX,
    all: `all ${rows} (the default)`,
  })

/** The same for a list whose start is all the server returns. */
export const addBoundedListOptions = (command: Command, rows: string, bound: RowsBound): Command =>
  addOptions(command, {
    limit: `at most this many ${rows} (default: ${bound.default})`,
    limitMax: bound.max,
    all: `the most ${rows} the server returns: ${bound.max}`,
  })

const addOptions = (
  command: Command,
  about: { readonly limit: string; readonly limitMax: number; readonly all: string },
): Command =>
  command
    .addOption(
      new Option("--limit <count>", about.limit)
        .argParser(wholeNumber(about.limitMax))
        .conflicts("all"),
    )
    .option("--all", about.all)

/** Number of rows to print; null for the first page. */
export const rowsMax = ({ limit, all }: ListOptions): number | null =>
  limit ?? (all ? Infinity : null)

/** Rows to request from a bounded list; undefined leaves it to the server. */
export const boundedLimit = ({ limit, all }: ListOptions, { max }: RowsBound): number | undefined =>
  all ? max : limit

/** Rows of a list that arrived as a whole, with a `meta` like other lists. */
export interface CutList<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly meta: { readonly total: number; readonly hasMore: boolean; readonly nextCursor: null }
}

/** The requested rows of a list that arrived as a whole. */
export const cutList = <Row>(whole: ReadonlyArray<Row>, { limit }: ListOptions): CutList<Row> => {
  const rows = whole.slice(0, limit)
  return {
    rows,
    meta: { total: whole.length, hasMore: rows.length < whole.length, nextCursor: null },
  }
}
