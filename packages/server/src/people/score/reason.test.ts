import { fieldTypes } from "@footfall/normal-form/rule-fields"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Schema } from "effect"
import type { Predicate } from "../visitors/query/predicate.ts"
import type { RuleNode } from "../visitors/query/rule.ts"
import { TopReason } from "../visitors/score-reason.ts"
import { defaultScore } from "./default-score.ts"
import { reasonOf, topOf } from "./reason.ts"
import { type CountedEntry, countedEntries, type ScoreConfig } from "./score.ts"

const now = Date.UTC(2026, 2, 11)

const entry = (rule: RuleNode, change: Partial<CountedEntry> = {}): CountedEntry => ({
  part: "fit",
  entry: { name: "Ours", rule, points: 10 },
  points: 10,
  seenMs: null,
  ...change,
})
const of = (field: string, op: string, value: unknown, what?: string | number) =>
  reasonOf(
    entry({ field, op, value, ...(what !== undefined && { of: what }) } as unknown as Predicate),
  )

const rules: ReadonlyArray<
  readonly [readonly [string, string, unknown, (string | number)?], string, object]
> = [
  [["behavior.path_views", "gte", 3, "/docs"], "visited_path", { path: "/docs", count: 3 }],
  [["behavior.visited_paths", "any_eq", "/docs"], "visited_path", { path: "/docs", count: 1 }],
  [["behavior.pricing_page_views", "gt", 2], "visited_pricing", { count: 3 }],
  [["behavior.pricing_page_views", "gt", 2.5], "visited_pricing", { count: 3 }],
  [["behavior.demo_page_views", "eq", 2], "visited_demo", { count: 2 }],
  [["behavior.sessions", "between", [2, 9]], "visits", { count: 2 }],
  [["behavior.pageviews", "gte", 2.5], "pageviews", { count: 3 }],
  [["behavior.active_days", "gte", 3], "active_days", { count: 3 }],
  [["behavior.form_submissions", "gte", 1], "submitted_form", { count: 1 }],
  [["behavior.event_count", "gte", 2, "signup"], "event", { name: "signup", count: 2 }],
  [["behavior.custom_events", "any_eq", "signup"], "event", { name: "signup", count: 1 }],
  [["timing.days_since_last_seen", "lte", 7], "last_seen", {}],
  [["timing.last_seen_at", "within", "14d"], "last_seen", {}],
  [["intent.score", "gte", 70, 1203], "researches", { topicId: 1203, score: 70 }],
  [["intent.score", "gte", 70], "researches", { score: 70 }],
  [["intent.topics", "any_in", [1203]], "researches", { topicId: 1203, score: 1 }],
  [["company.seniority", "in", ["vp", "head"]], "seniority", { values: ["vp", "head"] }],
  [["company.department", "eq", "sales"], "department", { values: ["sales"] }],
  [["company.industry", "eq", "software"], "industry", { values: ["software"] }],
  [["contact.country", "in", ["US"]], "country", { values: ["US"] }],
  [["company.employee_count", "gte", 200], "company_size", { min: 200 }],
  [["company.employee_count", "lt", 50], "company_size", { max: 49 }],
  [["company.employee_count", "between", [50, 99]], "company_size", { min: 50, max: 99 }],
  [["company.domain", "exists", true], "company_known", {}],
  [["contact.has_business_email", "eq", true], "business_email", {}],
]

describe("the reason of an entry", () => {
  it.each(rules)("whose rule is %j is %s with %j", (rule, code, params) => {
    expect(of(...rule)).toEqual({ code, params })
  })

  it.each<readonly [string, string, unknown]>([
    ["behavior.sessions", "lte", 3],
    ["behavior.sessions", "gte", 0],
    ["behavior.sessions", "exists", true],
    ["behavior.visited_paths", "any_in", ["/a", "/b"]],
    ["timing.days_since_last_seen", "gt", 30],
    ["timing.last_seen_at", "not_within", "14d"],
    ["intent.topics", "any_in", [1, 2]],
    ["company.seniority", "neq", "vp"],
    ["company.industry", "in", Array.from({ length: 11 }, (_, index) => `i${index}`)],
    ["company.industry", "in", ["a".repeat(101), "b".repeat(100)]],
    ["company.employee_count", "exists", true],
    ["company.domain", "exists", false],
    ["contact.has_business_email", "eq", false],
    ["contact.name", "eq", "Jane Mercer"],
    ["company.name", "eq", "Harbor Logistics"],
    ["custom.plan", "eq", "trial"],
  ])("whose rule is %s %s %j is its name, because no code says it", (field, op, value) => {
    expect(of(field, op, value)).toEqual({ code: "rule", params: { name: "Ours" } })
  })

  it("is that of the only predicate in groups, and its name if there are several", () => {
    const visits: Predicate = { field: "behavior.sessions", op: "gte", value: 2 }

    expect(reasonOf(entry({ all: [{ any: [visits] }] })).code).toBe("visits")
    expect(reasonOf(entry({ all: [visits, visits] }))).toEqual({
      code: "rule",
      params: { name: "Ours" },
    })
  })

  it("of interest says when they were last here", () => {
    const visits: Predicate = { field: "behavior.sessions", op: "gte", value: 2 }

    expect(reasonOf(entry(visits, { part: "interest", seenMs: now - 129_600_000 })).params).toEqual(
      {
        count: 2,
        at: "2026-03-09T12:00:00.000Z",
      },
    )
  })

  it("exists for every field and any value, and is what responses may have", () => {
    const predicate = fc.record({
      field: fc.constantFrom(...Object.keys(fieldTypes)),
      of: fc.option(fc.oneof(fc.string(), fc.integer()), { nil: undefined }),
      op: fc.constantFrom(
        "eq",
        "gte",
        "lt",
        "in",
        "any_eq",
        "any_in",
        "exists",
        "within",
        "between",
      ),
      value: fc.oneof(
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 3 }),
        fc.tuple(fc.integer(), fc.integer()),
      ),
    })
    const isTop = Schema.is(TopReason)
    fc.assert(
      fc.property(predicate, (each) => {
        // A rule's values have the types of its operators; texts are kept for those that take texts.
        const rule = (["any_eq", "within"].includes(each.op)
          ? { ...each, value: String(each.value) }
          : each) as unknown as Predicate
        expect(isTop(topOf([entry(rule)]))).toBe(true)
      }),
    )
  })
})

describe("the top reason", () => {
  /** Each entry has its own rule, so that its reason is its own. */
  const rule = (value: number): Predicate => ({ field: "behavior.sessions", op: "gte", value })
  const points = fc.integer({ min: -100, max: 100 })
  const settings: fc.Arbitrary<ScoreConfig> = fc.record({
    fit: fc
      .array(points, { maxLength: 12 })
      .map((all) => all.map((each, n) => ({ name: "fit", rule: rule(n + 1), points: each }))),
    interest: fc.array(points, { maxLength: 13 }).map((all) =>
      all.map((each, n) => ({
        name: "interest",
        rule: rule(n + 1),
        points: each,
        halfLifeDays: 14,
      })),
    ),
    weights: fc.constant(defaultScore.weights),
    threshold: fc.constant(60),
  })
  const interests = fc.array(
    fc.record({
      held: fc.nat(2 ** 13 - 1),
      days: fc.double({ min: 0, max: 90, noNaN: true }),
      seenMs: fc.constant(now),
    }),
    { maxLength: 3 },
  )

  it("is the first entry with most points, if it adds any", () => {
    fc.assert(
      fc.property(settings, fc.nat(2 ** 12 - 1), interests, (config, fitHeld, each) => {
        const counted = countedEntries(config, fitHeld, each)
        const top = topOf(counted)
        const most = Math.max(0, ...counted.map((one) => one.points))
        if (most === 0) {
          expect(top).toBe(null)
          return
        }
        const first = counted.find((one) => one.points === most)!
        expect(top).toEqual({ part: first.part, points: most, ...reasonOf(first) })
      }),
    )
  })
})
