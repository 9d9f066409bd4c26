// The result for each row, and the totals.

import { expect, test } from "vitest"
import { isMost, rejectedHeader, rejectedText, Tally } from "./tally.ts"

test("a row is a rule, repeats one, or is rejected with its reason", () => {
  const tally = new Tally(undefined)

  expect(tally.take({ line: 2, type: "email", value: " Jane@A.example " })).toEqual({
    type: "email",
    value: "jane@a.example",
  })
  expect(tally.take({ line: 3, type: "email", value: "jane@a.example" })).toBeNull()
  expect(tally.take({ line: 4, type: "domain", value: "gmail.com" })).toMatchObject({
    value: "gmail.com",
  })
  expect(tally.take({ line: 5, type: "__proto__", value: "x" })).toMatchObject({
    line: 5,
    reason: "invalid_type",
  })
  expect(tally.take({ line: 6, type: "email", value: "a\uFFFD@b.example" })).toMatchObject({
    reason: "unreadable_text",
  })
  expect(tally.take({ line: 7, type: "industry", value: "health", isCut: true })).toMatchObject({
    reason: "value_cut",
  })
  expect(tally.has({ type: "email", value: "jane@a.example" })).toBe(true)
  expect(tally.has({ type: "industry", value: "health" })).toBe(false)
  expect(tally.figures).toMatchObject({
    rows: 6,
    rules: 2,
    rulesByType: { email: 1, domain: 1, company_domain: 0, industry: 0 },
    repeated: 1,
    rejectedCount: 3,
    rejectedByReason: { invalid_type: 1, unreadable_text: 1, value_cut: 1 },
    freeMailDomains: ["gmail.com"],
  })
  expect(Object.keys(tally.figures.rejectedByType)).toContain("__proto__")
})

test("a rejected row is written as a line that no spreadsheet treats as a formula", () => {
  const row = { line: 3, type: "@x", value: '=1+"1",', reason: "invalid_type" }

  expect(rejectedHeader + rejectedText(row)).toBe(
    'line,type,value,reason,message\r\n3,\'@x,"\'=1+""1"",",invalid_type,\r\n',
  )
  expect(rejectedText({ ...row, value: "a".repeat(600) }).length).toBeLessThan(600)
})

test.each([
  [51, 101, true],
  [50, 101, false],
  [100, 100, false],
  [60, 120, false],
  [61, 120, true],
])("%i removals of %i rules: removes most of a long list: %s", (removals, present, expected) => {
  expect(isMost({ removals, present })).toBe(expected)
})
