// Suppression screens, as text.

import { noCounts } from "@footfall/normal-form/reading"
import type { SuppressionRule } from "@footfall/sdk"
import { describe, expect, test } from "vitest"
import type { Prepared } from "./prepared.ts"
import type { PlanPreview } from "./preview-rules.ts"
import type { ListPlan } from "./list-plan.ts"
import { drawn } from "../ui/drawn.ts"
import {
  SuppressionChangesView,
  SuppressionPlanView,
  SuppressionTable,
  SuppressionWhyView,
} from "./views.tsx"

const now = new Date("2026-03-11T09:00:00.000Z")

const rule: SuppressionRule = {
  id: "6c1f0a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
  type: "domain",
  value: "acme.example",
  createdAt: "2026-03-11T08:00:00.000Z",
}

const prepared: Prepared = {
  isEmpty: false,
  files: [
    {
      file: "list.csv",
      reading: "a list of email domains",
      rows: 1_203,
      rejectedCount: 3,
      rejectedFile: "list.csv.rejected.csv",
      rejectedBytes: 90,
    },
  ],
  rows: 1_203,
  rules: 1_198,
  rulesByType: { ...noCounts(), domain: 1_198 },
  repeated: 2,
  rejectedCount: 3,
  rejectedByType: { domain: 2, colour: 1 },
  rejectedByReason: { invalid_type: 1, public_suffix: 2 },
  rejected: [],
  freeMailCount: 0,
  freeMailDomains: [],
}

const preview: PlanPreview = {
  wouldAdd: 1_000,
  duplicates: 198,
  newByType: { ...noCounts(), domain: 1_000 },
  affectedVisitors: 42,
  affectedByType: { ...noCounts(), domain: 42 },
  isExact: true,
}

const where = { server: "http://127.0.0.1:4100", organization: "Tidewater" }

describe("the plan of an import", () => {
  const planText = (of: PlanPreview | null, screenColumns = 80) =>
    drawn(SuppressionPlanView, { ...where, prepared, preview: of, screenColumns }, screenColumns)

  test("shows what is new, what is rejected and why, and how many visitors it affects", () => {
    const text = planText(preview)

    expect(text).toContain("1,198 rules for Tidewater at http://127.0.0.1:4100")
    expect(text).toContain("list.csv    1,203 rows: a list of email domains")
    expect(text).toContain("Repeated    2 rows, sent once")
    expect(text).toContain("Suppresses  42 visitors from the last 30 days")
    expect(text).toMatch(/domain +1,198 +1,000 +198 +42 +2/)
    expect(text).toMatch(/\(no type\) +0 +1/)
    expect(text).toMatch(/2 {2}a public suffix.*\n +1 {2}unknown rule type/)
    expect(text).toContain("list.csv.rejected.csv")
  })

  test("names an invisible character and its line", () => {
    const message = "Expected no invisible character, received U+200B (zero width space)."
    const row = { file: "list.csv", type: "email", value: "a\u200b@x.example" }
    const hidden = [2, 3, 4, 5, 6, 7].map((line) => ({
      ...row,
      line,
      reason: "invalid_email",
      message,
    }))
    const told = {
      ...prepared,
      rejected: [{ ...row, line: 1, reason: "public_suffix" }, ...hidden],
    }

    const text = drawn(
      SuppressionPlanView,
      { ...where, prepared: told, preview, screenColumns: 120 },
      120,
    )

    expect(text).toContain('list.csv, line 2: "a@x.example": Expected no invisible')
    expect(text).toContain("received U+200B (zero width space).")
    expect(text).toContain("list.csv, line 6:")
    expect(text).not.toMatch(/line [17]:/)
  })

  test("says if a figure is an upper bound, or was not requested", () => {
    expect(planText({ ...preview, isExact: false })).toContain("at most 42 visitors")
    expect(planText(null)).toContain("that would take too many requests")
    expect(planText(null)).not.toContain("Already exist")
  })

  test.each([40, 80, 120])("fits %i columns", (columns) => {
    const lines = planText(preview, columns).split("\n")

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
  })
})

describe("the changes of a plan", () => {
  const plan: ListPlan = {
    ...where,
    types: ["domain"],
    prepared: { ...prepared, rejectedCount: 0 },
    changes: {
      present: { ...noCounts(), domain: 1_210 },
      additions: { ...noCounts(), domain: 1 },
      removals: { ...noCounts(), domain: 13 },
      firstAdditions: [rule],
      firstRemovals: Array.from({ length: 13 }, (_, index) => ({
        type: "domain" as const,
        value: `old${index}.example`,
      })),
    },
    method: "replace",
  }
  const text = (changes: Partial<ListPlan>, isApplied = false) =>
    drawn(
      SuppressionChangesView,
      { plan: { ...plan, ...changes }, isApplied, screenColumns: 80 },
      80,
    )

  test("are counted by type, with some examples", () => {
    const shown = text({})

    expect(shown).toContain("1 to add, 13 to remove · 1,198 rules in the file for Tidewater")
    expect(shown).toMatch(/domain +1,210 +1,198 +1 +13/)
    expect(shown).not.toMatch(/^email/m)
    expect(shown).toContain("+ domain acme.example\n- domain old0.example")
    expect(shown).toContain("- 3 more")
    expect(shown).toContain("in one step")
  })

  test("warn before many rules are changed in several steps", () => {
    expect(text({ method: "add_and_remove" })).toContain("cannot be replaced in one step")
    expect(text({ method: "add_and_remove" }, true)).toContain("Applied: 1 to add")
    expect(text({ method: "none" })).toContain("No changes")
  })
})

describe("a list of rules", () => {
  const meta = {
    counts: { ...noCounts(), domain: 1_204 },
    total: 1_204,
    filteredTotal: 1_204,
    limit: 1,
    offset: 0,
    hasMore: true,
    nextCursor: "x",
    timestamp: "",
    request_id: "",
  }
  const text = (rules: ReadonlyArray<SuppressionRule>, more: Partial<typeof meta> = {}) =>
    drawn(SuppressionTable, { rules, meta: { ...meta, ...more }, now, screenColumns: 100 }, 100)

  test("shows how many rules each type has, and how to see more", () => {
    expect(text([rule])).toMatch(/domain +acme\.example +1h ago +6c1f0a52-/)
    expect(text([rule])).toContain("1 of 1,204 rules · domain 1,204 · more: --limit, or --all")
  })

  test("without rules says what to do", () => {
    expect(text([], { total: 0, filteredTotal: 0 })).toContain("footfall suppression add")
    expect(text([], { filteredTotal: 0 })).toContain("None of the 1,204 rules matches.")
    expect(text([], { filteredTotal: 0 })).toContain("leave out --type and --search")
  })
})

test.each([
  [true, true, [rule], "jane@acme.example is suppressed."],
  [true, false, [], "jane@acme.example is not suppressed."],
  [true, false, [rule], "take effect in the next sync cycle"],
  [true, true, [], "suppression ends with the next sync cycle"],
  [false, true, [rule], "jane@acme.example is suppressed."],
  [false, true, [rule], "No visitor has this email address yet. These rules will apply"],
  [false, false, [], "no rule for an address or a domain matches it"],
] as const)("explains known %s, suppressed %s by %j", (known, suppressed, rules, sentence) => {
  const props = { name: "jane@acme.example", known, suppressed, rules, now, screenColumns: 80 }

  expect(drawn(SuppressionWhyView, props, 80).replaceAll(/\s+/g, " ")).toContain(sentence)
})
