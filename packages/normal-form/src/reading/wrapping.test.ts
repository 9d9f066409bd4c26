// What mail programs and spreadsheets write around a value is no part of it.

import { expect, test } from "vitest"
import { adviceFor, ruleAsWritten } from "./wrapping.ts"

test.each([
  ["email", "Ida Berg <Ida@Kite.example>", "ida@kite.example"],
  ["email", '"Berg, Ida" <ida@kite.example>', "ida@kite.example"],
  ["email", '"Ida@kite.example" <ida@kite.example>', "ida@kite.example"],
  ["email", "<ida@kite.example>", "ida@kite.example"],
  ["email", "mailto:ida@kite.example?subject=Hello", "ida@kite.example"],
  ["email", "Ida <mailto:ida@kite.example>", "ida@kite.example"],
  ["email", "“ida@kite.example”", "ida@kite.example"],
  ["email", "„ida@kite.example“", "ida@kite.example"],
  ["email", "'ida@kite.example'", "ida@kite.example"],
  ["email", '="ida@kite.example"', "ida@kite.example"],
  ["domain", "@kite.example", "kite.example"],
  ["company_domain", "//kite.example/about", "kite.example"],
  ["domain", "‘kite.example’", "kite.example"],
  ["company_domain", '="www.kite.example"', "kite.example"],
] as const)("the %s %j is read as %s", (type, value, expected) => {
  expect(ruleAsWritten({ type, value })).toEqual({ type, value: expected })
})

test.each([
  ["email", "@kite.example", "invalid_email"],
  ["domain", "ida@kite.example", "invalid_domain"],
  ["domain", "Ida <ida@kite.example>", "invalid_domain"],
  ["email", "leo@kite.example, Ida <ida@kite.example>", "invalid_email"],
  ["domain", "“kite", "invalid_domain"],
  ["email", "<>", "invalid_email"],
  ["email", "mailto:", "invalid_email"],
  ["domain", "//", "empty_value"],
  ["email", "ida@kite.example, leo@kite.example", "invalid_email"],
] as const)("the %s %j is no other value", (type, value, reason) => {
  expect(ruleAsWritten({ type, value })).toBe(reason)
})

test("an industry keeps its quotes and brackets", () => {
  expect(ruleAsWritten({ type: "industry", value: "“Toys” <small>" })).toEqual({
    type: "industry",
    value: "“toys” <small>",
  })
})

test.each([
  ["a".repeat(64), "looks like a hash"],
  ["D".repeat(32), "looks like a hash"],
  ["ida@kite.example; leo@kite.example", "several addresses"],
  ["Ida <ida@kite.example>, Leo <leo@kite.example>", "several addresses"],
])("the rejection of %j says what it looks like", (value, words) => {
  expect(adviceFor(value, "invalid_email")).toContain(words)
})

test("a value that looks like nothing has no advice", () => {
  expect(adviceFor("not an address", "invalid_email")).toBeUndefined()
})

test("a long value is unwrapped in linear time", () => {
  for (const text of ["<", "“", "@", "mailto:", "//", "a@b.example ", '="']) {
    const value = text.repeat(Math.ceil(200_000 / text.length))
    expect(typeof ruleAsWritten({ type: "email", value })).toBe("string")
    expect(typeof ruleAsWritten({ type: "domain", value })).toBe("string")
    adviceFor(value, "invalid_email")
  }
})
