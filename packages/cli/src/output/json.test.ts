// JSON output does not depend on how it is assembled, and is safe on a screen.

import { expect, test } from "vitest"
import { jsonDocument, jsonLine, jsonListDocument, jsonRows } from "./json.ts"

test("a document is indented and ends with a line break", () => {
  expect(jsonDocument({ data: [] })).toBe('{\n  "data": []\n}\n')
})

test("a line of NDJSON is one line", () => {
  expect(jsonLine({ name: "a\nb" })).toBe('{"name":"a\\nb"}\n')
})

test("8-bit control characters are escaped without changing the value", () => {
  const value = { name: "\u007F\u009B31m\u009F" }

  expect(jsonLine(value)).toBe('{"name":"\\u007f\\u009b31m\\u009f"}\n')
  expect(JSON.parse(jsonLine(value))).toEqual(value)
})

test.each([[[]], [[[{ a: 1 }]]], [[[{ a: "x\ny" }, { b: [1, 2] }], [{ c: {} }]]]])(
  "a list written page by page equals the whole document: %j",
  (pages: ReadonlyArray<ReadonlyArray<object>>) => {
    const meta = { page: 1, scope: { pixels: 1 } }

    const text = [...jsonListDocument(pages.map(jsonRows), meta)].join("")

    expect(text).toBe(jsonDocument({ data: pages.flat(), meta }))
  },
)
