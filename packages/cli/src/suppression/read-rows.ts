// The rows of a file, in batches, with the numbers of their lines. One row of the file is in memory at a
// time and what was read with it; a row without an end is refused instead of kept.

import { parse, type CsvError, type Parser } from "csv-parse"
import { usageError } from "../errors/usage-error.ts"
import { isComment, listValue, tableOptions, type Layout } from "./layout.ts"

/** A row as it stands in the file. */
export interface SourceRow {
  /** Where it begins, from 1. */
  readonly line: number
  readonly type: string
  readonly value: string
}

/** Longest row. Units: characters. */
const ROW_LENGTH_MAX = 64 * 1024

/** Every row but the header, blank lines and comments. Errors: usage, with the number of the line. */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  layout: Layout,
  name: string,
): AsyncGenerator<ReadonlyArray<SourceRow>, void, undefined> {
  let batch: Array<SourceRow> = []
  const lines = new LineNumbers()
  let isHeaderDue = layout.hasHeader
  const parser: Parser = parse({
    ...(layout.delimiter === null ? listOptions : tableOptions(layout.delimiter)),
    // It is compared before a character is added.
    max_record_size: ROW_LENGTH_MAX - 1,
    on_record: (record: ReadonlyArray<string>, { lines: endLine }) => {
      const line = lines.begin(record, endLine)
      const row = rowOf(record, layout, line)
      if (row === null) return null
      if (isHeaderDue) isHeaderDue = false
      else batch.push(row)
      return null
    },
  })
  let failure: Error | null = null
  parser.on("error", (error) => (failure = error))
  // Nothing is pushed, but without a reader the stream would not end.
  parser.resume()
  for await (const chunk of chunks) {
    await written(parser, chunk)
    if (failure !== null) throw unreadable(failure, name)
    if (batch.length > 0) yield batch
    batch = []
  }
  await ended(parser)
  if (failure !== null) throw unreadable(failure, name)
  if (batch.length > 0) yield batch
}

/** Quotes of a list mean nothing, unless they are around the whole line. */
const listOptions = {
  delimiter: "\u0000",
  record_delimiter: ["\r\n", "\n", "\r"],
  quote: false as const,
  relax_column_count: true,
  skip_empty_lines: true,
}

const rowOf = (
  record: ReadonlyArray<string>,
  { delimiter, valueColumn, typeColumn, type }: Layout,
  line: number,
): SourceRow | null => {
  const text = record[valueColumn] ?? ""
  if (delimiter === null) {
    if (isComment(text) || text.trim() === "") return null
    return { line, type: type ?? "", value: listValue(text) }
  }
  if (record.every((cell) => cell.trim() === "")) return null
  const rowType = typeColumn === null ? type : record[typeColumn]?.trim()
  // What an export defused against spreadsheets (output/csv.ts) is itself again.
  return { line, type: rowType ?? "", value: text.replace(/^'(?=[=+\-@\t\r])/, "") }
}

/** csv-parse tells the line a record ends in, and counts a CRLF inside quotes twice. */
class LineNumbers {
  #countedTwice = 0

  begin(record: ReadonlyArray<string>, endLine: number): number {
    let breaks = 0
    for (const cell of record) {
      if (!cell.includes("\n") && !cell.includes("\r")) continue
      const pairs = cell.match(/\r\n/g)?.length ?? 0
      breaks += (cell.match(/[\r\n]/g)?.length ?? 0) - pairs
      this.#countedTwice += pairs
    }
    return endLine - this.#countedTwice - breaks
  }
}

const written = (parser: Parser, chunk: Buffer): Promise<void> =>
  new Promise((resolve) => {
    parser.write(chunk, () => resolve())
  })

const ended = (parser: Parser): Promise<void> =>
  new Promise((resolve) => {
    parser.once("error", () => resolve())
    parser.end(() => resolve())
  })

const unreadable = (error: Error, name: string): Error => {
  // Only csv-parse fails here, with errors of its own class.
  const { code, lines } = error as CsvError & { readonly lines?: number }
  if (code === "CSV_MAX_RECORD_SIZE") {
    return usageError(
      `${name} line ${lines}: the row is longer than ${ROW_LENGTH_MAX / 1024} KiB.`,
      "Is a quote before it left open, or is this no list of rules? Nothing was sent.",
    )
  }
  if (code === "CSV_QUOTE_NOT_CLOSED") {
    return usageError(`${name}: a quote is left open, up to line ${lines}. Nothing was sent.`)
  }
  return usageError(`${name} cannot be read: ${error.message}. Nothing was sent.`)
}
