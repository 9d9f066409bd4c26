// Encodes rows in COPY's binary format. Source: PostgreSQL documentation, COPY, Binary Format.
import { DateTime } from "effect"

const signature = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1")
/** The signature, the flags and the length of the header extension. */
const headerBytes = 19
const trailer = -1

/** Approximate bytes per chunk, to avoid both one write per row and buffering everything. */
const pieceBytesMax = 262_144
/** Extra room for the row that completes a chunk. */
const pieceBytes = pieceBytesMax + 65_536

const integerType = 23
const dayMs = 86_400_000
const firstDay = "2000-01-01"

const daysOf = (date: string): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`)) / dayMs

// Values that many rows share, so callers encode them once.

export const copyUuid = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex")

/** `date`: `YYYY-MM-DD`. */
export const copyDate = (date: string): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(daysOf(date) - daysOf(firstDay))
  return bytes
}

/** Encodes the rows in chunks. `write` writes the fields of a row in order. */
export function* copyBinary<Row>(
  rows: Iterable<Row>,
  write: (row: Row, into: CopyRows) => void,
): Iterable<Buffer> {
  const into = new CopyRows()
  for (const row of rows) {
    write(row, into)
    if (into.length < pieceBytesMax) continue
    yield into.bytesSoFar
    into.restart()
  }
  into.begin(trailer)
  yield into.bytesSoFar
}

export class CopyRows {
  #bytes: Buffer = Buffer.allocUnsafeSlow(pieceBytes)
  #at = 0

  constructor() {
    this.#at = signature.copy(this.#bytes)
    this.#bytes.fill(0, this.#at, headerBytes)
    this.#at = headerBytes
  }

  get length(): number {
    return this.#at
  }

  get bytesSoFar(): Buffer {
    return this.#bytes.subarray(0, this.#at)
  }

  /** Allocates new memory, because the bytes so far may not have been sent yet. */
  restart(): void {
    this.#bytes = Buffer.allocUnsafeSlow(pieceBytes)
    this.#at = 0
  }

  /** Starts a row with this many fields. */
  begin(fields: number): void {
    this.#reserve(2)
    this.#at = this.#bytes.writeInt16BE(fields, this.#at)
  }

  integer(value: number): void {
    this.#reserve(8)
    this.#integer(4)
    this.#integer(value)
  }

  smallint(value: number): void {
    this.#reserve(6)
    this.#integer(2)
    this.#at = this.#bytes.writeInt16BE(value, this.#at)
  }

  /** Writes a value of any type that is already encoded. */
  bytes(value: Uint8Array): void {
    this.#reserve(4 + value.length)
    this.#integer(value.length)
    this.#bytes.set(value, this.#at)
    this.#at += value.length
  }

  integers(values: Int32Array): void {
    const size = 20 + 8 * values.length
    this.#reserve(4 + size)
    this.#integer(size)
    this.#integer(values.length === 0 ? 0 : 1)
    this.#integer(0)
    this.#integer(integerType)
    this.#integer(values.length)
    this.#integer(1)
    for (let place = 0; place < values.length; place++) {
      this.#integer(4)
      this.#integer(values[place]!)
    }
  }

  /** Faster than `writeInt32BE`, which checks its arguments. */
  #integer(value: number): void {
    const bytes = this.#bytes
    const at = this.#at
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
    this.#at = at + 4
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + bytes))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}
