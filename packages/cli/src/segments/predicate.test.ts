// The short form of a predicate: every value type, and what is rejected before sending.

import { expect, test } from "vitest"
import { predicate } from "./rule.ts"

test.each([
  ["behavior.pageviews gte 3", 3],
  ["behavior.pageviews between 3,10", [3, 10]],
  ["behavior.pageviews between [3, 10]", [3, 10]],
  ["company.employee_count lt 2.5", 2.5],
  ["score.total gte 60", 60],
  ["company.name contains Harbor Logistics", "Harbor Logistics"],
  [`company.name eq "Harbor, \\"Logistics\\""`, `Harbor, "Logistics"`],
  ["company.name eq 'it'", "it"],
  ["company.seniority in vp, director", ["vp", "director"]],
  ["behavior.visited_paths any_in /pricing,/demo", ["/pricing", "/demo"]],
  ["behavior.visited_paths any_contains /product", "/product"],
  ["company.zip_code eq 94111", "94111"],
  ["custom.plan eq 3", "3"],
  ["timing.is_returning eq true", true],
  ["timing.last_seen_at within 14d", "14d"],
  ["intent.topics any_in 1203,1204", [1203, 1204]],
  ["intent.topics none_in [1203]", [1203]],
  ["intent.topics count_gte 3", 3],
  ["company.name exists", true],
  ["company.name exists false", false],
  ["  a.new_field   some_op   a  value  ", "a  value"],
])("%s has the value %j", (text, value) => {
  expect(predicate(text).value).toEqual(value)
})

test("field and operator are the words before the value", () => {
  const text = "behavior.pageviews gte 3"

  expect(predicate(text)).toEqual({ field: "behavior.pageviews", op: "gte", value: 3 })
})

test.each([
  ["behavior.path_views of /pricing gte 2", { of: "/pricing", op: "gte", value: 2 }],
  [`behavior.event_count of "Signed up" eq 1`, { of: "Signed up", op: "eq", value: 1 }],
  ["behavior.event_count of 'of course' exists", { of: "of course", op: "exists", value: true }],
  [`behavior.event_count of "a \\"b\\"" lt 2`, { of: `a "b"`, op: "lt", value: 2 }],
  ["intent.score of 1203 gte 70", { of: 1203, op: "gte", value: 70 }],
  ["behavior.event_property of Buy.plan eq pro", { of: "Buy.plan", op: "eq", value: "pro" }],
  ["behavior.event_property of Buy.seats eq 3", { of: "Buy.seats", op: "eq", value: 3 }],
  ["behavior.event_property of Buy.seats eq '3'", { of: "Buy.seats", op: "eq", value: "3" }],
  ["behavior.event_property of Buy.seats gte 3", { of: "Buy.seats", op: "gte", value: 3 }],
  [
    "behavior.event_property of Buy.plan contains 3",
    { of: "Buy.plan", op: "contains", value: "3" },
  ],
  [
    "behavior.event_property of Buy.plan in 3,pro",
    { of: "Buy.plan", op: "in", value: ["3", "pro"] },
  ],
  ["behavior.event_property of Buy.n between 1,2", { of: "Buy.n", op: "between", value: [1, 2] }],
])("%s has what the field is of", (text, parts) => {
  expect(predicate(text)).toEqual({ field: text.split(" ")[0], ...parts })
})

test.each([
  ["", "is not a predicate"],
  ["behavior.pageviews", "is not a predicate"],
  ["behavior.pageviews gte", "is not a predicate"],
  ["behavior.pageviews gte many", `"many" is not a number`],
  ["behavior.pageviews between 1,x", `"x" is not a number`],
  ["behavior.event_property of Buy.seats gt few", `"few" is not a number`],
  ["behavior.path_views of /pricing", "is not a predicate"],
  ["behavior.pageviews gte Infinity", `"Infinity" is not a number`],
  ["timing.is_returning eq yes", "true or false"],
  ["company.name exists maybe", "true or false"],
])("%j is rejected", (text, message) => {
  expect(() => predicate(text)).toThrow(message)
})
