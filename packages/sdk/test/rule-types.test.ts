// The type of a field decides operator and value, and the compiler checks it (spec 3.2, 3.3). `tsc` checks the lines;
// the run only needs to pass.

import { describe, expectTypeOf, it } from "vitest"
import type {
  ListField,
  NumberListField,
  OfField,
  Predicate,
  RuleAst,
  RuleField,
  RuleNode,
} from "../src/index.ts"

const rule = (node: RuleNode): RuleNode => node

describe("a predicate of each type", () => {
  it("number: comparisons with one number, `between` with two", () => {
    rule({ field: "behavior.pageviews", op: "gte", value: 3 })
    rule({ field: "company.employee_count", op: "between", value: [50, 500] })
    // @ts-expect-error -- an operator of texts
    rule({ field: "behavior.pageviews", op: "contains", value: "3" })
    // @ts-expect-error -- a text is no number
    rule({ field: "behavior.pageviews", op: "gte", value: "3" })
    // @ts-expect-error -- between needs two ends
    rule({ field: "behavior.pageviews", op: "between", value: [1] })
    // @ts-expect-error -- gte takes one number
    rule({ field: "behavior.pageviews", op: "gte", value: [1, 2] })
  })

  it("text: comparisons with one text, `in` with several", () => {
    rule({ field: "company.seniority", op: "contains", value: "vp" })
    rule({ field: "contact.country", op: "in", value: ["US", "CA"] })
    // @ts-expect-error -- an operator of lists
    rule({ field: "company.seniority", op: "any_contains", value: "vp" })
    // @ts-expect-error -- in takes several
    rule({ field: "contact.country", op: "in", value: "US" })
    // @ts-expect-error -- a number is no text
    rule({ field: "company.zip_code", op: "eq", value: 94111 })
  })

  it("custom attributes are text, whatever their key", () => {
    rule({ field: "custom.plan", op: "eq", value: "trial" })
    // @ts-expect-error -- an operator of numbers
    rule({ field: "custom.plan", op: "gte", value: 3 })
  })

  it("list of texts: any and none of them", () => {
    rule({ field: "behavior.visited_paths", op: "any_contains", value: "/product" })
    rule({ field: "attribution.channel", op: "any_in", value: ["email", "referral"] })
    // @ts-expect-error -- an operator of single texts
    rule({ field: "behavior.visited_paths", op: "contains", value: "/product" })
    // @ts-expect-error -- any_in takes several
    rule({ field: "attribution.channel", op: "any_in", value: "email" })
  })

  it("member: one, or several", () => {
    const id = "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90"
    rule({ field: "company.owner", op: "eq", value: id })
    rule({ field: "contact.owner", op: "not_in", value: [id] })
    rule({ field: "contact.owner", op: "exists", value: false })
    rule({ field: "company.tags", op: "none_in", value: ["Q3"] })
    // @ts-expect-error -- in takes several
    rule({ field: "company.owner", op: "in", value: id })
    // @ts-expect-error -- an operator of texts
    rule({ field: "company.owner", op: "contains", value: "7c0d" })
  })

  it("boolean: only eq", () => {
    rule({ field: "timing.is_returning", op: "eq", value: true })
    // @ts-expect-error -- not with neq
    rule({ field: "timing.is_returning", op: "neq", value: true })
    // @ts-expect-error -- a text is no boolean
    rule({ field: "timing.is_returning", op: "eq", value: "true" })
  })

  it("datetime: timestamps and durations", () => {
    rule({ field: "timing.last_seen_at", op: "after", value: "2026-03-01" })
    rule({ field: "timing.first_seen_at", op: "not_within", value: "14d" })
    // @ts-expect-error -- hours or days
    rule({ field: "timing.first_seen_at", op: "within", value: "2w" })
    // @ts-expect-error -- an operator of numbers
    rule({ field: "timing.last_seen_at", op: "gte", value: "2026-03-01" })
  })

  it("what a field is of: required where it is one of many, and nowhere else", () => {
    rule({ field: "behavior.path_views", of: "/pricing", op: "gte", value: 2 })
    rule({ field: "behavior.event_property", of: "Signed up.plan", op: "eq", value: "pro" })
    rule({ field: "behavior.event_property", of: "Signed up.seats", op: "eq", value: 3 })
    rule({ field: "behavior.event_count", of: "Signed up", op: "exists", value: true })
    // @ts-expect-error -- which event?
    rule({ field: "behavior.event_count", op: "gte", value: 1 })
    // @ts-expect-error -- there is one count of page views
    rule({ field: "behavior.pageviews", of: "/pricing", op: "gte", value: 1 })
    // @ts-expect-error -- a flag is a text
    rule({ field: "behavior.event_property", of: "Signed up.paid", op: "eq", value: true })
  })

  it("list of numbers: any, none, or how many of them", () => {
    rule({ field: "intent.topics", op: "any_in", value: [1203, 1204] })
    rule({ field: "intent.topics", op: "count_gte", value: 3 })
    // @ts-expect-error -- ids are numbers
    rule({ field: "intent.topics", op: "none_in", value: ["1203"] })
    // @ts-expect-error -- several numbers have one value only in count_gte
    rule({ field: "intent.topics", op: "any_in", value: 1203 })
  })

  it("the highest intent score: of one topic or of any", () => {
    rule({ field: "intent.score", op: "gte", value: 70 })
    rule({ field: "intent.score", of: 1203, op: "gte", value: 70 })
    // @ts-expect-error -- the id of a topic is a number
    rule({ field: "intent.score", of: "1203", op: "gte", value: 70 })
  })

  it("list: the id of a list", () => {
    rule({ field: "company.list", op: "in_list", value: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90" })
    // @ts-expect-error -- lists are known by their ids only
    rule({ field: "contact.list", op: "exists", value: true })
  })

  it("every other field: exists", () => {
    expectTypeOf<{
      readonly field: Exclude<RuleField, ListField | NumberListField | OfField>
      readonly op: "exists"
      readonly value: boolean
    }>().toExtend<Predicate>()
    // @ts-expect-error -- yes or no
    rule({ field: "company.name", op: "exists", value: "yes" })
  })

  it("an unknown field is a type error", () => {
    // @ts-expect-error -- misspelled
    rule({ field: "behavior.page_views", op: "gte", value: 3 })
  })
})

describe("a rule", () => {
  it("groups can be nested, as in spec 12.3", () => {
    const ast: RuleAst = {
      version: 1,
      window: "30d",
      rule: {
        all: [
          { field: "behavior.pricing_page_views", op: "gte", value: 1 },
          {
            any: [
              { field: "company.seniority", op: "contains", value: "vp" },
              { field: "company.job_title", op: "contains", value: "director" },
            ],
          },
          { field: "behavior.visited_paths", op: "any_contains", value: "/product" },
        ],
      },
    }
    expectTypeOf(ast).toExtend<RuleAst>()
  })

  it("the window is optional, and the version is fixed", () => {
    expectTypeOf<{ version: 1; rule: RuleNode }>().toExtend<RuleAst>()
    expectTypeOf<{ version: 2; rule: RuleNode }>().not.toExtend<RuleAst>()
    expectTypeOf<{ version: 1; window: "8d"; rule: RuleNode }>().not.toExtend<RuleAst>()
  })

  it("a node is either all, any or a predicate", () => {
    rule({ all: [] })
    // @ts-expect-error -- two groups in one
    rule({ all: [], any: [] })
    // @ts-expect-error -- a group and a predicate in one
    rule({ all: [], field: "behavior.pageviews", op: "gte", value: 3 })
    // @ts-expect-error -- not a node
    rule({ not: { field: "behavior.pageviews", op: "gte", value: 3 } })
  })
})
