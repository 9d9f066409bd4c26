// Writes rejected rows to a file, each with its line, the reason, and a message that names any invisible character.
// Pure.

import type { RuleRejection } from "../suppression-rule.ts"
import { csvHeader, csvRow } from "../csv.ts"
import { defused } from "./column-kinds.ts"
import type { SourceRow } from "./rows.ts"

/** The last two are about how the row was written in the file. */
export type RowRejectionReason = RuleRejection | "unreadable_text" | "value_cut"

/** A row that isn't a valid rule. */
export interface RejectedRow extends Omit<SourceRow, "isCut"> {
  readonly reason: string
  /** Set if the reason isn't enough: names the invisible character, or says what the value looks like. */
  readonly message?: string
}

/** Same as the server. In characters. */
// spec 2.6
const REJECTED_VALUE_LENGTH_MAX = 512

const columns = ["line", "type", "value", "reason", "message"]

export const rejectedHeader = csvHeader(columns)

/** A line of the file. No spreadsheet takes its cells for formulas. */
export const rejectedText = (row: RejectedRow): string =>
  csvRow(columns, { ...row, value: defused(row.value.slice(0, REJECTED_VALUE_LENGTH_MAX)) })
