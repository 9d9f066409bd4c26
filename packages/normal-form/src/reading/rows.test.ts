// Rows have the right line numbers, no matter where the text is split.

import fc from "fast-check"
import { expect, test } from "vitest"
import { RowReader, type SourceRow } from "./rows.ts"
import { layoutOf } from "./layout.ts"

const rowsOf = (text: string, cuts: ReadonlyArray<number> = []): ReadonlyArray<SourceRow> => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length]
  places.sort((one, other) => one - other)
  const layout = layoutOf({
    head: text,
    isWhole: true,
    name: "list",
    type: undefined,
    column: undefined,
  })
  const reader = new RowReader(layout, "list")
  const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()]
}

test("a row has the number of its first line, whatever its quotes and line breaks", () => {
  const text =
    'note,type,value\r\n"a\r\nb\nc",domain,a.example\r\n\r\n,,\n"d\re",domain,"b.example"\nx,domain,c.example'

  expect(rowsOf(text)).toEqual([
    { line: 2, type: "domain", value: "a.example" },
    { line: 7, type: "domain", value: "b.example" },
    { line: 9, type: "domain", value: "c.example" },
  ])
})

test("a list has no comments, no blank lines, and no quotes around a whole line", () => {
  const text = '# ours\n"a.example"\n\n  b.example  \n## more\nc.example\n'

  expect(rowsOf(text)).toEqual([
    { line: 2, type: "domain", value: "a.example" },
    { line: 4, type: "domain", value: "b.example" },
    { line: 6, type: "domain", value: "c.example" },
  ])
})

test("an address may start with a hash sign", () => {
  expect(rowsOf("#c@d.example\n# c@d.example\n")).toMatchObject([{ value: "#c@d.example" }])
})

test("a stray quote is part of its value", () => {
  const rows = rowsOf('type,value\nindustry,5" disks\nindustry,"6"" disks"\n')

  expect(rows.map(({ value }) => value)).toEqual(['5" disks', '6" disks'])
})

test("a row that is too short has an empty value", () => {
  expect(
    rowsOf("type,value,note\ndomain\ndomain,a.example,x\ndomain,b.example,y\n,c.example,z\nd,e,f"),
  ).toMatchObject([
    { line: 2, type: "domain", value: "" },
    { line: 3, value: "a.example" },
    { line: 4, value: "b.example" },
    { line: 5, type: "", value: "c.example" },
    { line: 6, type: "d", value: "e" },
  ])
})

test("the result does not depend on where the text is split", () => {
  const text =
    'type;value\r\nindustry;"ä\r\n""é"\nindustry;日本\rdomain;a.example\r\n\r\nindustry;"x;y"\r\n'
  const whole = rowsOf(text)

  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(rowsOf(text, cuts)).toEqual(whole)
    }),
  )
})

test.each([
  [65_536, 2],
  [65_537, null],
])("a row of %i characters gives %s rows, or an error with its line", (length, rows) => {
  const text = `domain\na.example\n${"b".repeat(length)}\n`

  if (rows === null) expect(() => rowsOf(text)).toThrow("line 3: the row is longer")
  else expect(rowsOf(text)).toHaveLength(rows)
})

test.each([
  ["to the end", 'type,value\ndomain,a.example\ndomain,"b.example\ndomain,c.example\n'],
  ["to a quote of another row", 'type,value\n\ndomain,"a.example\ndomain,"b.example"\n'],
])("a quote left open %s is rejected with the line where it opens", (_what, text) => {
  expect(() => rowsOf(text)).toThrow("line 3: a quote is not closed")
})

test("a comment does not swallow rows, whatever quotes it has", () => {
  const text = '# ours, "old\ntype,value\n# more,"\ndomain,"a.example"\n'

  expect(rowsOf(text)).toEqual([{ line: 4, type: "domain", value: "a.example" }])
})

test("an industry cut by an unquoted comma is detected", () => {
  const text = "type,value\nindustry,health, wellness\nindustry,retail,\ndomain,a.example,a note\n"

  expect(rowsOf(text)).toEqual([
    { line: 2, type: "industry", value: "health", isCut: true },
    { line: 3, type: "industry", value: "retail" },
    { line: 4, type: "domain", value: "a.example" },
  ])
})
