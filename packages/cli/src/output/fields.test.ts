// Selects fields of a result.

import { expect, test } from "vitest"
import { requireFields, withFields } from "./chosen-fields.ts"
import { fieldsGiven } from "./output-format.ts"

const record = { id: "1", name: null, stats: { total: 3, last: { at: "now" } }, emails: ["a", "b"] }

test("the option is a list of paths without duplicates", () => {
  expect(fieldsGiven("id, stats.total,id")).toEqual(["id", "stats.total"])
})

test.each(["", "id,", "a..b", ".a", "a."])("%j has an empty field name", (text) => {
  expect(() => fieldsGiven(text)).toThrow("has an empty field name")
})

test("chosen fields keep their nesting, in the requested order", () => {
  const chosen = withFields(record, ["stats.last.at", "emails", "stats.total", "name", "other"])

  expect(JSON.stringify(chosen)).toBe(
    '{"stats":{"last":{"at":"now"},"total":3},"emails":["a","b"],"name":null,"other":null}',
  )
  expect(record.stats).toEqual({ total: 3, last: { at: "now" } })
})

test("a field may be a value, a map of values, or known only as a column", () => {
  expect(() =>
    requireFields(["id", "stats", "stats.last", "utm.source"], [record], ["utm"]),
  ).not.toThrow()
})

test.each(["nmae", "stats.totals", "id.x.y", "stat"])(
  "an unknown field %s is a usage error that lists the fields",
  (field) => {
    const unknown = () => requireFields(["id", field], [{ stats: { total: 1 } }], ["name"])
    if (field === "id.x.y") return expect(unknown).toThrow("Unknown field: id")

    expect(() => requireFields([field], [record], [])).toThrow(
      expect.objectContaining({
        message: `Unknown field: ${field}`,
        nextStep: "Available: id, name, stats.total, stats.last.at, emails",
      }),
    )
  },
)
