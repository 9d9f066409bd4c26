// Parses the bytes of a signal import into columns, one step at a time. Lines written the usual way are parsed in
// place, all others by the general reader, in the order of the stream.
import type { ImportFormat } from "../../../people/imports/import-format.ts"
import { type RowCounts, RowReader } from "../../../people/imports/row-reader.ts"
import { CanonicalLines } from "./canonical-lines.ts"
import { columnsMax, firstColumns, SignalColumns } from "./signal-columns.ts"
import { signalPaths, signalReader, type SignalRow, type SignalScope } from "./signal-row.ts"

const newline = 0x0a

/** Bytes of a line kept until its end arrives. The general reader can take a longer line in parts. */
const restBytesMax = 1_024

export class SignalReader {
  readonly #scope: SignalScope
  readonly #format: ImportFormat
  readonly #rows: RowReader<SignalRow>
  #lines: CanonicalLines | undefined
  #hasBegun = false
  #columns = new SignalColumns()
  #lengthMax = firstColumns
  /** The beginning of a line. */
  #rest = Buffer.alloc(0)
  readonly #spare: Array<SignalColumns> = []

  constructor(scope: SignalScope, format: ImportFormat) {
    this.#scope = scope
    this.#format = format
    this.#rows = new RowReader({
      format,
      reader: signalReader,
      neededColumns: signalPaths.map((path) => [path]),
      row: (submitted, number) => scope.row(submitted, number),
    })
  }

  get counts(): RowCounts {
    return this.#rows
  }

  rejectErased(rows: ReadonlyArray<number>): void {
    this.#rows.rejectRead(rows, "erased")
  }

  /** Takes columns back for reuse, because allocating new ones costs as much as parsing. */
  release(columns: SignalColumns): void {
    columns.length = 0
    this.#spare.push(columns)
  }

  /** Frees memory that only reading needs. Call it after the last columns were used. */
  close(): void {
    this.#spare.length = 0
  }

  /** Returns the columns that the chunk fills. Throws ImportRefused for an invalid header. */
  push(chunk: Uint8Array): ReadonlyArray<SignalColumns> {
    const full: Array<SignalColumns> = []
    const first = chunk.indexOf(newline) + 1
    const last = chunk.lastIndexOf(newline) + 1
    /** The end of the line that an earlier chunk began. */
    const begun = this.#rest.length === 0 ? 0 : first
    this.#keep(chunk.subarray(0, begun), full)
    this.#read(chunk.subarray(begun, last), full)
    this.#keep(chunk.subarray(last), full)
    return full
  }

  /** Returns the remaining columns. Throws like `push`. */
  end(): ReadonlyArray<SignalColumns> {
    const full: Array<SignalColumns> = []
    this.#readRest(full)
    for (const row of this.#rows.end()) this.#columns.add(row)
    return this.#columns.length === 0 ? full : [...full, this.#close()]
  }

  /** Keeps a part of a line, or its end: a line is read as a whole if it is not too long. */
  #keep(bytes: Uint8Array, full: Array<SignalColumns>): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    if (bytes.at(-1) === newline || this.#rest.length > restBytesMax) this.#readRest(full)
  }

  #readRest(full: Array<SignalColumns>): void {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    this.#read(rest, full)
  }

  #read(chunk: Uint8Array, full: Array<SignalColumns>): void {
    let at = 0
    while (at < chunk.length) {
      const behind = this.#rows.isBetweenRows ? this.#readLine(chunk, at) : -1
      at = behind === -1 ? this.#readOther(chunk, at) : behind
      if (this.#columns.length === this.#lengthMax) full.push(this.#close())
    }
  }

  #readLine(chunk: Uint8Array, at: number): number {
    if (!this.#hasBegun) {
      this.#lines = CanonicalLines.of(this.#format, this.#rows.header, this.#scope)
      this.#hasBegun = true
    }
    const behind = this.#lines?.read(chunk, at, this.#columns) ?? -1
    if (behind === -1) return -1
    this.#rows.countOther()
    this.#columns.numbers[this.#columns.length - 1] = this.#rows.received
    return behind
  }

  /** Reads up to the next line end, which is not always the end of a record. */
  #readOther(chunk: Uint8Array, at: number): number {
    const end = chunk.indexOf(newline, at)
    const behind = end === -1 ? chunk.length : end + 1
    for (const row of this.#rows.push(chunk.subarray(at, behind))) this.#columns.add(row)
    return behind
  }

  #close(): SignalColumns {
    const columns = this.#columns
    this.#columns = this.#spare.pop() ?? new SignalColumns()
    this.#lengthMax = Math.min(2 * this.#lengthMax, columnsMax)
    return columns
  }
}
