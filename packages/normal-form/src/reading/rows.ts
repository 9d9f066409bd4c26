// Reads the rows of a file piece by piece, each with its line, type and raw value. A row that never ends is rejected.

import type { Layout } from "./layout.ts"
import { listValue, unescaped } from "./column-kinds.ts"
import { RecordReader, type TextRecord } from "./records.ts"

/** A row as written in the file. */
export interface SourceRow {
  /** First line of the row, counted from 1. */
  readonly line: number
  readonly type: string
  readonly value: string
  /** Whether an unquoted delimiter may have cut the value. */
  readonly isCut?: true
}

/** Takes text in pieces of any size. */
export class RowReader {
  readonly #layout: Layout
  readonly #records: RecordReader
  #isHeaderDue: boolean

  /** `name`: the file name, for messages. */
  constructor(layout: Layout, name: string) {
    this.#layout = layout
    this.#records = new RecordReader(layout.delimiter, name)
    this.#isHeaderDue = layout.hasHeader
  }

  /** The rows that end in this piece. Errors: ReadingError. */
  read(piece: string): ReadonlyArray<SourceRow> {
    return this.#rowsOf(this.#records.read(piece))
  }

  /** The last row, if the text doesn't end with a line break. Errors: ReadingError. */
  end(): ReadonlyArray<SourceRow> {
    return this.#rowsOf(this.#records.end())
  }

  #rowsOf(records: Iterable<TextRecord>): ReadonlyArray<SourceRow> {
    const rows: Array<SourceRow> = []
    for (const record of records) {
      if (this.#isHeaderDue) this.#isHeaderDue = false
      else rows.push(rowOf(record, this.#layout))
    }
    return rows
  }
}

const rowOf = ({ line, cells }: TextRecord, layout: Layout): SourceRow => {
  const { delimiter, valueColumn, typeColumn, columns } = layout
  const text = cells[valueColumn] ?? ""
  if (delimiter === null) return { line, type: layout.type ?? "", value: listValue(text) }
  const type = (typeColumn === null ? layout.type : cells[typeColumn]?.trim()) ?? ""
  const row = { line, type, value: unescaped(text) }
  // The following cells may be notes, or the rest of `health, wellness and fitness`.
  const isCut =
    type === "industry" &&
    columns !== null &&
    valueColumn === columns - 1 &&
    cells.slice(columns).some((cell) => cell.trim() !== "")
  return isCut ? { ...row, isCut } : row
}
