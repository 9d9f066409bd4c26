// Suppression screens, as text.

import type { FileImportPlan, SuppressionRule } from "@footfall/sdk"
import { describe, expect, test } from "vitest"
import { importPlan } from "../../test/fixtures/rule-imports.ts"
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
  origin: null,
  note: null,
}

const none = { email: 0, domain: 0, company_domain: 0, industry: 0 }

const where = { server: "http://127.0.0.1:4100", organization: "Tidewater" }

const files = [{ file: "list.csv", rejectedFile: "list.csv.rejected.csv" }]

const plan = importPlan({
  rows: 1_203,
  rules: 1_198,
  new: 1_000,
  present: 198,
  repeated: 2,
  rejected: 3,
  byType: {
    rules: { ...none, domain: 1_198 },
    new: { ...none, domain: 1_000 },
    removed: none,
    rejected: { ...none, domain: 2 },
    stored: { ...none, domain: 1_210 },
  },
  files: [{ name: "list.csv", reading: "a list of email domains", rows: 1_203, rejected: 3 }],
  rejectedByReason: [
    { reason: "invalid_type", rows: 1 },
    { reason: "public_suffix", rows: 2 },
  ],
  affected: { visitors: 42, byType: { ...none, domain: 42 }, sample: [] },
})

describe("the plan of an import", () => {
  const planText = (more: Partial<FileImportPlan> = {}, screenColumns = 80) =>
    drawn(
      SuppressionPlanView,
      { ...where, files, plan: { ...plan, ...more }, screenColumns },
      screenColumns,
    )

  test("shows what is new, what is rejected and why, and how many visitors it affects", () => {
    const text = planText()

    expect(text).toContain("1,198 rules for Tidewater at http://127.0.0.1:4100")
    expect(text).toContain("list.csv    1,203 rows: a list of email domains")
    expect(text).toContain("Repeated    2 rows, counted once")
    expect(text).toContain("Suppresses  42 visitors from the last 30 days")
    expect(text).toMatch(/domain +1,198 +1,000 +198 +42 +2/)
    expect(text).toMatch(/\(no type\) +0 +0 +0 +0 +1/)
    expect(text).toMatch(/2 {2}a public suffix.*\n +1 {2}unknown rule type/)
    expect(text).toContain("Full list with line numbers: list.csv.rejected.csv")
  })

  test("says that a file has only some of very many rejected rows", () => {
    const many = [{ ...plan.files[0]!, rejected: 100_001 }]

    expect(planText({ files: many })).toContain("The first 100,000 with line numbers: list.csv.rej")
  })

  test("names an invisible character and its line", () => {
    const message = "Expected no invisible character, received U+200B (zero width space)."
    const row = { file: 0, type: "email", value: "a\u200b@x.example" }
    const hidden = [2, 3, 4, 5, 6, 7].map((line) => ({
      ...row,
      line,
      reason: "invalid_email" as const,
      message,
    }))

    const text = planText(
      { rejectedRows: [{ ...row, line: 1, reason: "public_suffix" }, ...hidden] },
      120,
    )

    expect(text).toContain('list.csv, line 2: "a@x.example": Expected no invisible')
    expect(text).toContain("received U+200B (zero width space).")
    expect(text).toContain("list.csv, line 6:")
    expect(text).not.toMatch(/line [17]:/)
  })

  test("says that the people of large files are not counted", () => {
    expect(planText({ affected: null })).toContain("Not counted  affected people")
    expect(planText({ affected: null })).not.toContain("Visitors")
  })

  test.each([40, 80, 120])("fits %i columns", (columns) => {
    const lines = planText({}, columns).split("\n")

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
  })
})

describe("the changes of a plan", () => {
  const removed = Array.from({ length: 10 }, (_, index) => ({
    type: "domain" as const,
    value: `old${index}.example`,
  }))
  const changing: FileImportPlan = {
    ...plan,
    ...{ mode: "replace", types: ["domain"], rejected: 0, new: 1, removed: 13 },
    byType: {
      ...plan.byType,
      new: { ...none, domain: 1 },
      removed: { ...none, domain: 13 },
    },
    sample: { new: [rule], removed },
  }
  const text = (changes: Partial<FileImportPlan> = {}, isApplied = false) =>
    drawn(
      SuppressionChangesView,
      { ...where, files, plan: { ...changing, ...changes }, isApplied, screenColumns: 80 },
      80,
    )

  test("are counted by type, with some examples", () => {
    const shown = text()

    expect(shown).toContain("1 to add, 13 to remove · 1,198 rules in the file for Tidewater")
    expect(shown).toMatch(/domain +1,210 +1,198 +1 +13/)
    expect(shown).not.toMatch(/^email/m)
    expect(shown).toContain("+ domain acme.example\n- domain old0.example")
    expect(shown).toContain("- 3 more")
  })

  test("say whether they were made", () => {
    expect(text({}, true)).toContain("Applied: 1 to add")
    expect(text({ new: 0, removed: 0 }, true)).toContain("No changes")
  })
})

describe("a list of rules", () => {
  const meta = {
    counts: { ...none, domain: 1_204 },
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
