// Rules on one line.

import { expect, test } from "vitest"
import { predicate, ruleText } from "./rule.ts"

test("nested groups have parentheses, groups of one have none", () => {
  const text = ruleText({
    version: 1,
    rule: {
      all: [
        { field: "behavior.pageviews", op: "gte", value: 3 },
        {
          any: [
            { field: "company.seniority", op: "in", value: ["vp", "director"] },
            { all: [{ field: "timing.is_returning", op: "eq", value: true }] },
          ],
        },
      ],
    },
  })

  expect(text).toBe(
    "behavior.pageviews gte 3 and (company.seniority in vp,director or timing.is_returning eq true)",
  )
})

test("what a field is of is in quotes, so that the text is a predicate again", () => {
  const rule = { field: "behavior.event_count", of: `say "hi"`, op: "gte", value: 3 } as const

  const text = ruleText({ version: 1, rule })

  expect(text).toBe(String.raw`behavior.event_count of "say \"hi\"" gte 3`)
  expect(predicate(text)).toEqual(rule)
})

test("a single predicate is printed unchanged", () => {
  const rule = { field: "company.name", op: "exists", value: true } as const

  expect(ruleText({ version: 1, rule })).toBe("company.name exists true")
})
