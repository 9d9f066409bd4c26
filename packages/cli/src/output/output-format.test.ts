// The format of a result and of an error (spec 1.1, Output).

import { expect, test } from "vitest"
import { isJsonWanted, outputFormat } from "./output-format.ts"

test.each([
  [{}, true, "table"],
  [{}, false, "json"],
  [{ json: true }, true, "json"],
  [{ json: true, output: "json" }, true, "json"],
  [{ output: "csv" }, true, "csv"],
  [{ output: "table" }, false, "table"],
] as const)("%j with a terminal (%s) prints %s", (options, isTTY, format) => {
  expect(outputFormat(options, { stdout: { isTTY } })).toBe(format)
})

test("--json cannot be used with another --output", () => {
  const ask = (): unknown =>
    outputFormat({ json: true, output: "csv" }, { stdout: { isTTY: true } })

  expect(ask).toThrow("--json cannot be used with --output csv.")
})

test.each([
  ["visitors list", false, true],
  ["visitors list", true, false],
  ["visitors list --json", true, true],
  ["visitors list --output json", true, true],
  ["visitors list --output=ndjson", true, true],
  ["visitors list --output csv", false, false],
  ["visitors list --output=table", false, false],
  ["visitors list --output", false, false],
  ["visitors list -o json", true, true],
  ["visitors list -ondjson", true, true],
  ["visitors list -qo csv", false, false],
  ["visitors list -q", false, true],
])("an error of `%s` with a terminal (%s) is JSON: %s", (words, isTTY, isJson) => {
  expect(isJsonWanted(words.split(" "), { stdout: { isTTY } })).toBe(isJson)
})
