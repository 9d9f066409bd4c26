// Rejected rows as a file: each with its line, the reason, and a message that names a character that cannot be seen.
// Pure.

import { csvHeader, csvRow } from "../csv.ts"
import { defused } from "./looks.ts"
import type { SourceRow } from "./rows.ts"

/** A row that is no rule. */
export interface RejectedRow extends Omit<SourceRow, "isCut"> {
  readonly reason: string
  /** Where the reason alone does not say it: which character cannot be seen. */
  readonly message?: string
}

/** As the server does. Units: characters. */
// spec 2.6
export const REJECTED_VALUE_LENGTH_MAX = 512

const columns = ["line", "type", "value", "reason", "message"]

export const rejectedHeader = csvHeader(columns)

/** A line of the file. No spreadsheet takes a cell for a formula. */
export const rejectedText = (row: RejectedRow): string =>
  csvRow(columns, { ...row, value: defused(row.value.slice(0, REJECTED_VALUE_LENGTH_MAX)) })
