import { expect, test } from "vitest"
import { jsonDocument, jsonLine } from "./json.ts"

test("a document is readable and ends with a line break", () => {
  expect(jsonDocument({ data: [] })).toBe('{\n  "data": []\n}\n')
})

test("a line of NDJSON is one line", () => {
  expect(jsonLine({ name: "a\nb" })).toBe('{"name":"a\\nb"}\n')
})

test("8-bit control characters are escaped and mean the same", () => {
  const value = { name: "\u007F\u009B31m\u009F" }

  expect(jsonLine(value)).toBe('{"name":"\\u007f\\u009b31m\\u009f"}\n')
  expect(JSON.parse(jsonLine(value))).toEqual(value)
})
