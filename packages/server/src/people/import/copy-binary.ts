// Rows in COPY's binary format. Source: PostgreSQL documentation, COPY, Binary Format.
import { DateTime } from "effect"

const signature = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1")

/** The fields of one row, in order. */
export type CopyField =
  | { readonly uuid: string }
  | { readonly text: string }
  | { readonly integer: number }
  | { readonly smallint: number }
  | { readonly bytes: Uint8Array }
  | { readonly integers: Int32Array }

/** Approximate bytes per piece: neither one write per row nor everything at once. */
const pieceBytesMax = 262_144

const integerType = 23
const dayMs = 86_400_000
const firstDay = "2000-01-01"

const daysOf = (date: string): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`)) / dayMs

/** A date, `YYYY-MM-DD`, which Postgres receives as an integer. */
export const copyDate = (date: string): CopyField => ({ integer: daysOf(date) - daysOf(firstDay) })

export function* copyBinary(rows: Iterable<ReadonlyArray<CopyField>>): Iterable<Buffer> {
  let pieces: Array<Buffer> = [signature, Buffer.alloc(8)]
  let bytes = 0
  for (const row of rows) {
    const piece = rowOf(row)
    pieces.push(piece)
    bytes += piece.length
    if (bytes < pieceBytesMax) continue
    yield Buffer.concat(pieces)
    pieces = []
    bytes = 0
  }
  yield Buffer.concat([...pieces, Buffer.from([0xff, 0xff])])
}

const rowOf = (fields: ReadonlyArray<CopyField>): Buffer => {
  const row = Buffer.allocUnsafe(2 + fields.reduce((sum, field) => sum + 4 + sizeOf(field), 0))
  let at = row.writeInt16BE(fields.length, 0)
  for (const field of fields) {
    const size = sizeOf(field)
    at = row.writeInt32BE(size, at)
    write(row, at, field)
    at += size
  }
  return row
}

const sizeOf = (field: CopyField): number => {
  if ("integers" in field) return 20 + 8 * field.integers.length
  if ("bytes" in field) return field.bytes.length
  if ("uuid" in field) return 16
  if ("text" in field) return Buffer.byteLength(field.text)
  return "smallint" in field ? 2 : 4
}

const write = (row: Buffer, at: number, field: CopyField): void => {
  if ("integers" in field) writeIntegers(row, at, field.integers)
  else if ("bytes" in field) row.set(field.bytes, at)
  else if ("uuid" in field) row.write(field.uuid.replaceAll("-", ""), at, "hex")
  else if ("text" in field) row.write(field.text, at)
  else if ("smallint" in field) row.writeInt16BE(field.smallint, at)
  else row.writeInt32BE(field.integer, at)
}

const writeIntegers = (row: Buffer, start: number, values: Int32Array): void => {
  let at = row.writeInt32BE(values.length === 0 ? 0 : 1, start)
  at = row.writeInt32BE(0, at)
  at = row.writeInt32BE(integerType, at)
  at = row.writeInt32BE(values.length, at)
  at = row.writeInt32BE(1, at)
  for (const value of values) {
    row.writeInt32BE(4, at)
    row.writeInt32BE(value, at + 4)
    at += 8
  }
}
