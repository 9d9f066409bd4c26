// Cuts a stream of bytes into records: lines of NDJSON, or rows of CSV, in which quoted cells may contain newlines.
// It returns each record as soon as it is complete, so it buffers at most one. A record longer than 64 KiB is
// reported once and skipped up to the next line end. Blank lines are ignored. Source: spec 5.14.

/** Maximum bytes per line. */
export const recordBytesMax = 65_536

export const tooLong = Symbol("a record that is too long")

/** Shares the memory of its chunk: use it before pushing the next one. */
export type WholeRecord = Buffer | typeof tooLong

const newline = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const comma = 0x2c
const ordinary = 0x61

export class Records {
  readonly #hasQuotes: boolean
  /** The start of an unfinished record. */
  #begun: Buffer = Buffer.alloc(0)
  /** The current record was reported as too long. Its rest is skipped. */
  #isSkipping = false
  #isQuoted = false
  /** The previous byte: a quote opens a cell only at its start. */
  #before = newline

  constructor({ hasQuotes }: { readonly hasQuotes: boolean }) {
    this.#hasQuotes = hasQuotes
  }

  /** The next byte starts a record. */
  get isBetween(): boolean {
    return this.#begun.length === 0 && !this.#isSkipping
  }

  /** Returns the records that end in the chunk. */
  push(chunk: Uint8Array): ReadonlyArray<WholeRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const records: Array<WholeRecord> = []
    let firstQuote = this.#hasQuotes ? bytes.indexOf(quote) : -1
    let from = 0
    while (from < bytes.length) {
      if (firstQuote !== -1 && firstQuote < from) firstQuote = bytes.indexOf(quote, from)
      const end = this.#endOf(bytes, from, firstQuote)
      if (end === -1) break
      this.#finish(bytes.subarray(from, end), records)
      from = end + 1
    }
    this.#keep(bytes.subarray(from), records)
    return records
  }

  /** Returns the last record if no newline ended it. */
  end(): ReadonlyArray<WholeRecord> {
    const records: Array<WholeRecord> = []
    this.#finish(Buffer.alloc(0), records)
    return records
  }

  /** Returns the index of the newline that ends the current record, or -1. */
  #endOf(bytes: Buffer, from: number, firstQuote: number): number {
    const next = bytes.indexOf(newline, from)
    const isPlain = !this.#isQuoted && (firstQuote === -1 || (next !== -1 && next < firstQuote))
    if (this.#isSkipping || isPlain) {
      this.#before = bytes.at(-1)!
      return next
    }
    return this.#endBehindQuotes(bytes, from)
  }

  #endBehindQuotes(bytes: Buffer, from: number): number {
    let before = from === 0 ? this.#before : newline
    for (let place = from; place < bytes.length; place++) {
      const byte = bytes[place]!
      if (byte === newline && !this.#isQuoted) return place
      const isMark =
        byte === quote &&
        (this.#isQuoted || before === comma || before === newline || before === quote)
      // Inside quotes every quote counts: a doubled one closes and opens again.
      if (isMark) this.#isQuoted = !this.#isQuoted
      before = byte === quote && !isMark ? ordinary : byte
    }
    this.#before = before
    return -1
  }

  /** Copies the part, because the caller may reuse the chunk's memory. */
  #keep(part: Buffer, records: Array<WholeRecord>): void {
    if (part.length === 0 || this.#isSkipping) return
    if (this.#begun.length + part.length > recordBytesMax + 1) {
      records.push(tooLong)
      this.#begun = Buffer.alloc(0)
      this.#isSkipping = true
      this.#isQuoted = false
    } else {
      this.#begun = Buffer.concat([this.#begun, part])
    }
  }

  #finish(rest: Buffer, records: Array<WholeRecord>): void {
    const isSkipping = this.#isSkipping
    const whole = this.#begun.length === 0 ? rest : Buffer.concat([this.#begun, rest])
    const record = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole
    if (this.#begun.length > 0) this.#begun = Buffer.alloc(0)
    this.#isSkipping = false
    this.#isQuoted = false
    this.#before = newline
    if (isSkipping || isBlank(record)) return
    records.push(record.length > recordBytesMax ? tooLong : record)
  }
}

const isBlank = (record: Buffer): boolean => {
  for (const byte of record) {
    if (byte !== 0x20 && byte !== 0x09) return false
  }
  return true
}
