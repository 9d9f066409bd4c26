// Parses the bytes of one import into rows. It counts rejected rows and keeps the reasons of the first hundred.
// Data rows are numbered from 1. Memory does not grow with the stream. Source: spec 5.14.
import { isUtf8 } from "node:buffer"
import { csvCells } from "./csv-cells.ts"
import type { ImportFormat } from "./import-format.ts"
import { ImportRefused } from "./import-refused.ts"
import type { FieldValues, RecordReader } from "./record-reader.ts"
import { Records, tooLong, type WholeRecord } from "./records.ts"
import { Rejection } from "./rejection.ts"

/** Rejected rows whose reason is returned. */ // spec 10.3
export const rejectedMax = 100

/** Cuts the names of unknown fields, which can be any length. Units: characters. */
const fieldLengthMax = 100

export interface RejectedRow {
  /** Number of the data row, from 1. */
  readonly row: number
  readonly field: string | null
  readonly reason: Rejection["reason"]
  /** Set if the reason alone is not enough. */
  readonly message?: string
}

export interface RowCounts {
  /** Data rows so far, including rejected ones. */
  readonly received: number
  readonly rejectedCount: number
  /** The first hundred. */
  readonly rejected: ReadonlyArray<RejectedRow>
}

export interface RowSource<Row> {
  readonly format: ImportFormat
  readonly reader: RecordReader
  /** A CSV header must contain at least one column of each list. */
  readonly neededColumns: ReadonlyArray<ReadonlyArray<string>>
  /** Validates fields that depend on each other. `number`: of the data row, from 1. */
  row(submitted: FieldValues, number: number): Row | Rejection
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export class RowReader<Row> implements RowCounts {
  readonly #source: RowSource<Row>
  readonly #records: Records
  readonly #rejected: Array<RejectedRow> = []
  #header: ReadonlyArray<string> | undefined
  #cells: ((cells: ReadonlyArray<string>) => FieldValues | Rejection) | undefined
  #isAtStart = true
  #received = 0
  #rejectedCount = 0

  constructor(source: RowSource<Row>) {
    this.#source = source
    this.#records = new Records({ hasQuotes: source.format === "csv" })
  }

  get received(): number {
    return this.#received
  }

  get rejectedCount(): number {
    return this.#rejectedCount
  }

  get rejected(): ReadonlyArray<RejectedRow> {
    return this.#rejected
  }

  /** The header of a CSV file, after it was read. */
  get header(): ReadonlyArray<string> | undefined {
    return this.#header
  }

  /** The next byte starts a data row or a blank line. */
  get isBetweenRows(): boolean {
    return !this.#isAtStart && this.#records.isBetween
  }

  /** Returns the rows that end in the chunk. Throws ImportRefused for an invalid header. */
  push(chunk: Uint8Array): ReadonlyArray<Row> {
    return this.#read(this.#records.push(chunk))
  }

  /** Returns the last row. Throws like `push`. */
  end(): ReadonlyArray<Row> {
    const rows = this.#read(this.#records.end())
    if (this.#source.format === "csv" && this.#cells === undefined) throw emptyHeader()
    return rows
  }

  /** Counts a row that was parsed elsewhere. */
  countOther(): void {
    this.#received++
  }

  /** Rejects rows that were parsed but turned out not to be storable. */
  rejectRead(rows: ReadonlyArray<number>, reason: Rejection["reason"]): void {
    this.#rejectedCount += rows.length
    for (const row of rows) this.#rejected.push({ row, field: null, reason })
    this.#rejected.sort((one, other) => one.row - other.row).splice(rejectedMax)
  }

  #read(records: ReadonlyArray<WholeRecord>): ReadonlyArray<Row> {
    const data = this.#isAtStart && records.length > 0 ? this.#start(records) : records
    const rows: Array<Row> = []
    for (const submitted of this.#source.format === "csv" ? this.#csv(data) : this.#ndjson(data)) {
      this.#received++
      const row =
        submitted instanceof Rejection ? submitted : this.#source.row(submitted, this.#received)
      if (row instanceof Rejection) this.#reject(row)
      else rows.push(row)
    }
    return rows
  }

  /** Removes the byte order mark and the header. */
  #start(records: ReadonlyArray<WholeRecord>): ReadonlyArray<WholeRecord> {
    this.#isAtStart = false
    const [first, ...others] = records
    const plain =
      Buffer.isBuffer(first) && first.subarray(0, 3).equals(byteOrderMark)
        ? first.subarray(3)
        : first!
    if (this.#source.format === "csv") this.#cells = this.#readHeader(plain)
    else if (plain === tooLong || plain.length > 0) return [plain, ...others]
    return others
  }

  #readHeader(record: WholeRecord): (cells: ReadonlyArray<string>) => FieldValues | Rejection {
    if (record === tooLong || !isUtf8(record)) throw emptyHeader()
    const header = (csvCells([record.toString("utf8")])[0] ?? []).map((name) => name.trim())
    if (header.some((name) => name === "")) throw emptyHeader()
    const repeated = header.find((name, place) => header.indexOf(name) !== place)
    if (repeated !== undefined) {
      throw new ImportRefused({
        message: `The header contains the column ${repeated.slice(0, fieldLengthMax)} twice.`,
      })
    }
    for (const columns of this.#source.neededColumns) {
      if (!columns.some((column) => header.includes(column))) {
        throw new ImportRefused({
          message: `The header has no column ${columns.join(" or ")}.`,
        })
      }
    }
    this.#header = header
    return this.#source.reader.cells(header)
  }

  #csv(records: ReadonlyArray<WholeRecord>): ReadonlyArray<FieldValues | Rejection> {
    const read = this.#cells!
    const texts = records.map((record) =>
      record === tooLong || !isUtf8(record) ? "" : record.toString("utf8"),
    )
    const cells = csvCells(texts)
    return records.map((record, index) => {
      if (record === tooLong) return new Rejection("row_too_long")
      const row = texts[index] === "" ? undefined : cells[index]
      return row === undefined ? new Rejection("unreadable_row") : read(row)
    })
  }

  #ndjson(records: ReadonlyArray<WholeRecord>): ReadonlyArray<FieldValues | Rejection> {
    return records.map((record) => {
      if (record === tooLong) return new Rejection("row_too_long")
      const value = parseJson(record)
      if (value === undefined) return new Rejection("unreadable_row")
      return this.#source.reader.object(value)
    })
  }

  #reject({ field, message, reason }: Rejection): void {
    this.#rejectedCount++
    if (this.#rejected.length === rejectedMax) return
    this.#rejected.push({
      row: this.#received,
      field: field?.slice(0, fieldLengthMax).toWellFormed() ?? null,
      reason,
      ...(message === undefined ? {} : { message }),
    })
  }
}

const emptyHeader = () => new ImportRefused({ message: "Expected a header row in UTF-8." })

/** Returns undefined for invalid JSON. JSON has no undefined, so it is unambiguous. */
const parseJson = (record: Buffer): unknown => {
  if (!isUtf8(record)) return undefined
  try {
    return JSON.parse(record.toString("utf8"))
  } catch {
    return undefined
  }
}
