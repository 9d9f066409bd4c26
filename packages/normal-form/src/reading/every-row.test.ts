// In any file, every row is a rule, a rejection with its line, a header or a comment.

import { normalizeRule, ruleTypes, type RuleType } from "../suppression-rule.ts"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { layoutOf, type Layout } from "./layout.ts"
import { ReadingError } from "./column-kinds.ts"
import { RowReader, type SourceRow } from "./rows.ts"

interface Read {
  readonly layout: Layout
  readonly rows: ReadonlyArray<SourceRow>
}

const readText = (text: string, type?: RuleType, cuts: ReadonlyArray<number> = []): Read => {
  const layout = layoutOf({ head: text, isWhole: true, name: "list", type, column: undefined })
  const reader = new RowReader(layout, "list")
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length]
  places.sort((one, other) => one - other)
  const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
  return { layout, rows: [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()] }
}

/** A line of a generated file, and the expected row. */
interface Line {
  readonly text: string
  readonly row: { readonly type: string; readonly value: string } | null
}

const breaks = fc.constantFrom("\n", "\r\n", "\r")
const delimiter = fc.constantFrom(",", ";", "\t", "|")
const type = fc.constantFrom<RuleType>(...ruleTypes)
const name = fc.stringMatching(/^[a-z]{1,6}$/)
const value = fc.oneof(
  name.map((each) => `${each}@a.example`),
  name.map((each) => `${each}.example`),
  fc.constantFrom("'=1@a.example", "#c@a.example", "not a rule", "a@b@c", "co.uk", 'say "x"', ""),
)
const ignored = fc
  .constantFrom("", "  ", "# a note", "#", '## "open, and x@y.example', "# type,value")
  .map((text): Line => ({ text, row: null }))

/** A cell, quoted if it must be, or optionally. */
const cellText = (text: string, delimiter: string, isQuoted: boolean): string =>
  isQuoted || text.includes(delimiter) || text.startsWith('"')
    ? `"${text.replaceAll('"', '""')}"`
    : text

/** How an apostrophe before a formula is read. */
const read = (text: string): string => (/^''*[=+\-@]/.test(text) ? text.slice(1) : text)

/** A row of `type,value,note`, possibly too short or too long. */
const tableLine = (delimiter: string): fc.Arbitrary<Line> =>
  fc
    .record({
      type: fc.oneof(type, fc.constantFrom("colour", "")),
      value,
      more: fc.array(fc.oneof(name, fc.constantFrom("", `a${delimiter}b`)), { maxLength: 4 }),
      isShort: fc.boolean(),
      quotes: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    })
    .filter(({ type, isShort, value }) => type !== "" || (!isShort && value.trim() !== ""))
    .map(({ type, value, more, isShort, quotes }) => {
      const cells = isShort ? [type] : [type, value, ...more]
      return {
        text: cells
          .map((each, at) => cellText(each, delimiter, quotes[at] === true))
          .join(delimiter),
        row: { type, value: isShort ? "" : read(value) },
      }
    })

const assembled = (lines: ReadonlyArray<Line>, lineBreak: string, isEnded: boolean) => ({
  text: lines.map(({ text }) => text).join(lineBreak) + (isEnded ? lineBreak : ""),
  expected: lines.flatMap(({ row }, index) => (row === null ? [] : [{ line: index + 1, ...row }])),
})

const cuts = fc.array(fc.nat(), { maxLength: 5 })

describe("every row is a rule, rejected with its line, a header or a comment", () => {
  const header = fc.constantFrom(["type", "value", "note"], ["Rule Type", "Value", "x"])

  test("in a table with a known header, however long its rows are", () => {
    const table = delimiter.chain((by) =>
      fc.record({
        by: fc.constant(by),
        names: header,
        above: fc.array(ignored, { maxLength: 3 }),
        lines: fc.array(fc.oneof(tableLine(by), ignored), { maxLength: 12 }),
        lineBreak: breaks,
        isEnded: fc.boolean(),
        mark: fc.constantFrom("", "\uFEFF"),
        cuts,
      }),
    )
    fc.assert(
      fc.property(table, ({ by, names, above, lines, lineBreak, isEnded, mark, cuts }) => {
        const headerLine: Line = { text: names.join(by), row: null }
        const { text, expected } = assembled([...above, headerLine, ...lines], lineBreak, isEnded)

        const { layout, rows } = readText(mark + text, undefined, cuts)

        expect(layout).toMatchObject({ delimiter: by, hasHeader: true, typeColumn: 0 })
        expect(rows).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  test("in a table without a header, whose first row is a rule", () => {
    const table = delimiter.chain((by) =>
      fc.record({
        first: fc.constantFrom("email", "domain", "company_domain"),
        by: fc.constant(by),
        lines: fc.array(fc.oneof(tableLine(by), ignored), { maxLength: 12 }),
        lineBreak: breaks,
        cuts,
      }),
    )
    fc.assert(
      fc.property(table, ({ first, by, lines, lineBreak, cuts }) => {
        const value = first === "email" ? "keep1@x.example" : "x.example"
        const line: Line = { text: `${first}${by}${value}`, row: { type: first, value } }
        const { text, expected } = assembled([line, ...lines], lineBreak, true)

        const { layout, rows } = readText(text, undefined, cuts)

        expect(layout).toMatchObject({ delimiter: by, hasHeader: false })
        expect(rows.map(({ line, type, value }) => ({ line, type, value }))).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  test("in a list, with a header or without one", () => {
    const list = fc.record({
      type,
      header: fc.constantFrom(null, "value", "Rule"),
      lines: fc.array(
        fc.oneof(
          ignored,
          value
            .filter((each) => each.trim() !== "" && !/[,;|\t]/.test(each))
            .map((each): Line => ({ text: each, row: { type: "", value: each } })),
        ),
        { maxLength: 12 },
      ),
      lineBreak: breaks,
      isEnded: fc.boolean(),
      cuts,
    })
    fc.assert(
      fc.property(list, ({ type, header, lines, lineBreak, isEnded, cuts }) => {
        const above = header === null ? [] : [{ text: header, row: null }]
        const { text, expected } = assembled([...above, ...lines], lineBreak, isEnded)

        const { layout, rows } = readText(text, type, cuts)

        const wanted = expected.map((row) => ({ ...row, type }))
        const isFirstName = header === null && layout.hasHeader
        expect(rows).toEqual(isFirstName ? wanted.slice(1) : wanted)
        // A custom name only counts as a header if it can't be a rule.
        if (isFirstName)
          expect(normalizeRule({ type, value: wanted[0]?.value })).toBeTypeOf("string")
        if (isFirstName) expect(wanted[0]?.value).not.toContain("@")
      }),
      { numRuns: 2_000 },
    )
  })

  test("in any text without quotes, or the text is rejected", () => {
    const token = fc.constantFrom(
      ...["a@x.example", "b.example", "email", "type", "value", "domain", "industry", "n/a", "7"],
      ...[",", ",", ";", "\t", "|", " ", "#", "# ", "\n", "\n", "\r\n", "\r", "\uFEFF"],
    )
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 40 }),
        fc.constantFrom(undefined, ...ruleTypes),
        cuts,
        (tokens, type, cuts) => {
          const text = tokens.join("")
          const result = attempt(() => readText(text, type, cuts))
          if (result === null) return
          const { layout, rows } = result
          const by = layout.delimiter ?? ""
          const content = text.split(/\r\n|\n|\r/).flatMap((line, index) => {
            const isBlank = line.replaceAll(by, "").trim() === ""
            return isBlank || /^\s*#+(\s|$)/.test(line) ? [] : [{ line: index + 1, text: line }]
          })
          const [header] = layout.hasHeader ? content : []
          expect(header?.text ?? "").not.toContain("@")
          expect(rows.map(({ line }) => line)).toEqual(
            content.slice(layout.hasHeader ? 1 : 0).map(({ line }) => line),
          )
        },
      ),
      { numRuns: 20_000 },
    )
  })
})

/** Null if the input is rejected. */
const attempt = (reading: () => Read): Read | null => {
  try {
    return reading()
  } catch (error) {
    if (error instanceof ReadingError) return null
    throw error
  }
}
