// Reads the bytes of one import: they become rows of a kind, in batches of one key each, and everything
// that is refused is counted, with its reason for the first hundred. Data rows are counted from 1. What
// it holds does not grow with the stream. Source: decisions.md 5.14.
import { isUtf8 } from "node:buffer"
import { csvCells } from "./csv-cells.ts"
import type { ImportFormat } from "./import-format.ts"
import { ImportRefused } from "./import-refused.ts"
import type { ImportKind, ImportRow } from "./import-kind.ts"
import type { FieldValues } from "./record-reader.ts"
import { Records, tooLong, type WholeRecord } from "./records.ts"
import { Rejection } from "./rejection.ts"

/** Rows whose reason is told. Source: service.md, Limits. */
export const rejectedMax = 100

/** Of a name that nobody bounds: an unknown field's. Our bound. Units: characters. */
const fieldLengthMax = 100

/** Rows of one transaction. */
export const batchRowsMax = 10_000

/** Bytes read for one transaction, after which it is closed. */
const batchBytesMax = 8 * 1024 * 1024

export interface RejectedRow {
  /** From 1, data rows only. */
  readonly row: number
  readonly field: string | null
  readonly reason: Rejection["reason"]
}

/** Rows to merge, one of each key; `repeated`: earlier rows of their keys. */
export interface Batch {
  readonly rows: ReadonlyArray<ImportRow>
  readonly repeated: number
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export class ImportReader {
  readonly #kind: ImportKind
  readonly #format: ImportFormat
  readonly #records: Records
  readonly #rejected: Array<RejectedRow> = []
  #cells: ((cells: ReadonlyArray<string>) => FieldValues | Rejection) | undefined
  #isAtStart = true
  #received = 0
  #rejectedCount = 0
  #rows = new Map<string, ImportRow>()
  #repeated = 0
  #bytes = 0

  constructor(kind: ImportKind, format: ImportFormat) {
    this.#kind = kind
    this.#format = format
    this.#records = new Records({ hasQuotes: format === "csv" })
  }

  /** Data rows so far. */
  get received(): number {
    return this.#received
  }

  get rejectedCount(): number {
    return this.#rejectedCount
  }

  get rejected(): ReadonlyArray<RejectedRow> {
    return this.#rejected
  }

  /** The batches that the chunk fills. Throws ImportRefused for a header that does not do. */
  push(chunk: Uint8Array): ReadonlyArray<Batch> {
    return this.#read(this.#records.push(chunk), chunk.length)
  }

  /** The last batch; empty ones are left out. Throws as `push`. */
  end(): ReadonlyArray<Batch> {
    const batches = this.#read(this.#records.end(), 0)
    if (this.#format === "csv" && this.#cells === undefined) throw emptyHeader()
    return [...batches, ...this.#close()]
  }

  #read(records: ReadonlyArray<WholeRecord>, bytes: number): ReadonlyArray<Batch> {
    const batches: Array<Batch> = []
    this.#bytes += bytes
    const data = this.#isAtStart && records.length > 0 ? this.#start(records) : records
    for (const said of this.#format === "csv" ? this.#csv(data) : this.#ndjson(data)) {
      this.#add(said)
      if (this.#rows.size === batchRowsMax) batches.push(...this.#close())
    }
    return this.#bytes >= batchBytesMax ? [...batches, ...this.#close()] : batches
  }

  /** Without the byte order mark and the header. */
  #start(records: ReadonlyArray<WholeRecord>): ReadonlyArray<WholeRecord> {
    this.#isAtStart = false
    const [first, ...others] = records
    const plain =
      Buffer.isBuffer(first) && first.subarray(0, 3).equals(byteOrderMark)
        ? first.subarray(3)
        : first!
    if (this.#format === "csv") this.#cells = this.#header(plain)
    else if (plain === tooLong || plain.length > 0) return [plain, ...others]
    return others
  }

  #header(record: WholeRecord): (cells: ReadonlyArray<string>) => FieldValues | Rejection {
    if (record === tooLong || !isUtf8(record)) throw emptyHeader()
    const header = (csvCells([record.toString("utf8")])[0] ?? []).map((name) => name.trim())
    if (header.some((name) => name === "")) throw emptyHeader()
    const repeated = header.find((name, place) => header.indexOf(name) !== place)
    if (repeated !== undefined) {
      throw new ImportRefused({
        message: `The header names the column ${repeated.slice(0, fieldLengthMax)} twice.`,
      })
    }
    for (const columns of this.#kind.neededColumns) {
      if (!columns.some((column) => header.includes(column))) {
        throw new ImportRefused({
          message: `Expected a header with the column ${columns.join(" or ")}; there is none.`,
        })
      }
    }
    return this.#kind.reader.cells(header)
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
      return value === undefined ? new Rejection("unreadable_row") : this.#kind.reader.object(value)
    })
  }

  #add(said: FieldValues | Rejection): void {
    this.#received++
    const row = said instanceof Rejection ? said : this.#kind.row(said)
    if (row instanceof Rejection) {
      this.#rejectedCount++
      if (this.#rejected.length < rejectedMax) {
        const field = row.field?.slice(0, fieldLengthMax).toWellFormed() ?? null
        this.#rejected.push({ row: this.#received, field, reason: row.reason })
      }
      return
    }
    const earlier = this.#rows.get(row.key)
    if (earlier === undefined) {
      this.#rows.set(row.key, row)
      return
    }
    this.#repeated++
    // Behind the rows in between, as it was said.
    this.#rows.delete(row.key)
    this.#rows.set(row.key, this.#kind.combine(earlier, row))
  }

  #close(): ReadonlyArray<Batch> {
    const batch = { rows: [...this.#rows.values()], repeated: this.#repeated }
    this.#rows = new Map()
    this.#repeated = 0
    this.#bytes = 0
    return batch.rows.length === 0 ? [] : [batch]
  }
}

const emptyHeader = () =>
  new ImportRefused({ message: "Expected a first line in UTF-8 that names the columns." })

/** Undefined for what is no JSON; JSON itself has no such value. */
const parseJson = (record: Buffer): unknown => {
  if (!isUtf8(record)) return undefined
  try {
    return JSON.parse(record.toString("utf8"))
  } catch {
    return undefined
  }
}
