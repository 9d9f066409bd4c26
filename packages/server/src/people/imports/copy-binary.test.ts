import * as fc from "fast-check"
import { expect, it } from "vitest"
import { copyBinary, copyDate, copyUuid } from "./copy-binary.ts"

interface Row {
  readonly integer: number
  readonly smallint: number
  readonly text: string
  readonly people: Int32Array
}

const integer = fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })

const row: fc.Arbitrary<Row> = fc.record({
  integer,
  smallint: fc.integer({ min: -32_768, max: 32_767 }),
  text: fc.string({ maxLength: 9 }),
  people: fc.oneof(
    fc.array(integer, { maxLength: 4 }).map((people) => Int32Array.from(people)),
    // Larger than one chunk.
    fc.integer({ min: 30_000, max: 90_000 }).map((length) => new Int32Array(length).fill(-7)),
  ),
})

/** A straightforward encoder that follows the Postgres documentation. */
const expected = (rows: ReadonlyArray<Row>): Buffer => {
  const int16 = (value: number) => {
    const bytes = Buffer.alloc(2)
    bytes.writeInt16BE(value)
    return bytes
  }
  const int32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const field = (bytes: Buffer) => [int32(bytes.length), bytes]
  const arrayOf = (values: Int32Array) =>
    Buffer.concat([
      ...[values.length === 0 ? 0 : 1, 0, 23, values.length, 1].map(int32),
      ...Array.from(values, (value) => Buffer.concat([int32(4), int32(value)])),
    ])
  return Buffer.concat([
    Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"),
    int32(0),
    int32(0),
    ...rows.flatMap((row) => [
      int16(4),
      ...field(int32(row.integer)),
      ...field(int16(row.smallint)),
      ...field(Buffer.from(row.text)),
      ...field(arrayOf(row.people)),
    ]),
    int16(-1),
  ])
}

it("rows of any size are encoded as Postgres documents", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
      const pieces = copyBinary(rows, ({ integer, people, smallint, text }, into) => {
        into.begin(4)
        into.integer(integer)
        into.smallint(smallint)
        into.bytes(Buffer.from(text))
        into.integers(people)
      })

      expect(Buffer.concat([...pieces]).equals(expected(rows))).toBe(true)
    }),
    { numRuns: 30 },
  )
})

it("a uuid and a date are encoded as Postgres documents", () => {
  expect(copyUuid("00112233-4455-6677-8899-aabbccddeeff").toString("hex")).toBe(
    "00112233445566778899aabbccddeeff",
  )
  expect(copyDate("2000-01-02").readInt32BE()).toBe(1)
  expect(copyDate("1999-12-31").readInt32BE()).toBe(-1)
})
