// Typed rules: one per line, and the type that the values suggest.
import { expect, test } from "vitest"
import { rulesOf, typeOfValues } from "./typed-rules.ts"

test.each([
  ["email", "ida@kite.example\nleo@kite.example", ["ida@kite.example", "leo@kite.example"]],
  ["email", "ida@kite.example leo@kite.example", ["ida@kite.example", "leo@kite.example"]],
  ["email", "ida@kite.example, leo@kite.example;", ["ida@kite.example", "leo@kite.example"]],
  ["email", "Ida Berg <ida@kite.example>", ["ida@kite.example"]],
  ["email", "not valid !!", ["not valid !!"]],
  ["domain", "kite.example\t sail.example", ["kite.example", "sail.example"]],
  ["industry", "Toys, games", ["Toys, games"]],
] as const)("%s rules from %j", (type, text, values) => {
  expect(rulesOf(type, text)).toEqual(values.map((value) => ({ type, value })))
})

test.each([
  ["company_domain", "ida@kite.example", "email"],
  ["industry", "ida@kite.example\nleo@kite.example", "email"],
  ["email", "kite.example", "domain"],
  ["company_domain", "kite.example", "company_domain"],
  ["domain", "ida@kite.example\nkite.example", "domain"],
  ["industry", "Toys", "industry"],
  ["email", "", "email"],
  ["email", "not valid !!", "email"],
] as const)("with the type %s, %j is of type %s", (given, text, type) => {
  expect(typeOfValues(given, text)).toBe(type)
})
