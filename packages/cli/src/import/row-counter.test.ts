// Counts rows wherever the chunks end.

import fc from "fast-check"
import { expect, test } from "vitest"
import { RowCounter } from "./run-import.ts"

const rowsOf = (
  format: "csv" | "ndjson",
  text: string,
  cuts: ReadonlyArray<number> = [],
): number => {
  const counter = new RowCounter(format)
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
  places.sort((one, other) => one - other)
  for (const [index, place] of places.slice(1).entries()) {
    counter.pass(bytes.subarray(places[index], place))
  }
  return counter.rows
}

test.each([
  ["ndjson", "", 0],
  ["ndjson", `{"a":1}\n{"a":"\\n"}\n`, 2],
  ["csv", "", 0],
  ["csv", "email\n", 0],
  ["csv", "email\na@b\nc@d\n", 2],
  ["csv", `email,name\r\na@b,"two\r\nlines"\r\n`, 1],
  ["csv", `name\n"a ""quoted""\nname"\n`, 1],
] as const)("%s %j has %i rows", (format, text, rows) => {
  expect(rowsOf(format, text)).toBe(rows)
})

test("counts rows wherever the bytes are split", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", `"`, "\n", "\r", ",") })

  fc.assert(
    fc.property(
      fc.constantFrom("csv", "ndjson"),
      text,
      fc.array(fc.nat()),
      (format, whole, cuts) => {
        expect(rowsOf(format, whole, cuts)).toBe(rowsOf(format, whole))
      },
    ),
  )
})
