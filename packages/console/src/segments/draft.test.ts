// Converting rules to the form and back loses nothing, and no incomplete rule is sent.
import type { RuleAst } from "@footfall/sdk"
import { describe, expect, it } from "vitest"
import {
  changed,
  conditionCount,
  draftOf,
  isGroup,
  newCondition,
  ruleOf,
  withField,
  withOperator,
} from "./draft.ts"
import { companyFields, fieldOf, fields, fieldTyped, operatorsOf, type Operator } from "./fields.ts"

const sample = ({ takes }: Operator, isNumber: boolean): unknown => {
  const values = {
    one: isNumber ? 3.5 : "a text",
    two: [1, 20],
    many: ["one", "two, with a comma"],
    yes: false,
    date: "2026-01-31",
    duration: "36h",
    number: 2.5,
    scalar: "a text",
    list: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90",
    numbers: [1203, 1204],
    member: "0b6ad1ff-3c6e-4f43-9d0b-0f1f5d2a7c11",
    members: ["0b6ad1ff-3c6e-4f43-9d0b-0f1f5d2a7c11"],
  }
  return values[takes]
}

const every = [...fields, fieldOf("custom.plan")!].flatMap(({ field, kind, of }) =>
  operatorsOf[kind].map((operator) => ({
    field,
    ...(of === undefined ? {} : { of: of.isTopic === true ? Number(of.example) : of.example }),
    op: operator.op,
    value: operator.op === "exists" ? true : sample(operator, kind === "number"),
  })),
)

const asRule = (rule: unknown): RuleAst => ({ version: 1, window: "7d", rule }) as RuleAst

describe("a rule in the form", () => {
  it.each(every)("keeps $field $op", (predicate) => {
    const rule = asRule({ all: [predicate] })
    expect(ruleOf(draftOf(rule))).toEqual(rule)
  })

  it("keeps nested groups up to the maximum depth", () => {
    const leaf = { field: "behavior.pageviews", op: "gte", value: 1 }
    const nested = (depth: number): unknown =>
      depth === 1 ? { any: [leaf] } : { all: [leaf, nested(depth - 1)] }
    expect(ruleOf(draftOf(asRule(nested(7))))).toEqual(asRule(nested(7)))
    expect(() => draftOf(asRule(nested(8)))).toThrow("at most 7 levels")
  })

  it.each([3, "3", "pro", "true"])("keeps whether %j is a number or a text", (value) => {
    const property = { field: "behavior.event_property", of: "Signed up.plan", op: "eq", value }
    expect(ruleOf(draftOf(asRule({ all: [property] })))).toEqual(asRule({ all: [property] }))
  })

  it("puts a single condition into a group, with the same meaning", () => {
    const lone = { field: "company.name", op: "contains", value: "acme" }
    expect(ruleOf(draftOf(asRule(lone)))).toEqual(asRule({ all: [lone] }))
  })

  it.each([
    [{ version: 2 }, "version"],
    [{ version: 1, window: "2d", rule: {} }, "window"],
    [{ version: 1, rule: { all: [] } }, "at least one"],
    [{ version: 1, rule: { field: "company.mood", op: "eq", value: 1 } }, "company.mood"],
    [{ version: 1, rule: { field: "company.name", op: "gte", value: 1 } }, "no operator"],
    ["all", "version"],
  ])("says what is wrong with %j", (rule, message) => {
    expect(() => draftOf(rule)).toThrow(message)
  })

  it("is not sent while a condition is incomplete", () => {
    for (const values of [[""], ["  "], ["many"]]) {
      const condition = { ...newCondition("behavior.sessions"), values }
      expect(ruleOf({ window: "7d", rule: { id: "g", mode: "all", nodes: [condition] } })).toBe(
        undefined,
      )
    }
    for (const values of [
      ["", ""],
      ["1", ""],
      ["", "5"],
    ]) {
      const condition = { ...newCondition("behavior.sessions"), op: "between", values }
      expect(ruleOf({ window: "7d", rule: { id: "g", mode: "all", nodes: [condition] } })).toBe(
        undefined,
      )
    }
  })

  it("is not sent before it says what the field is about", () => {
    const sent = (of: string) => {
      const condition = { ...newCondition("behavior.path_views"), of, values: ["2"] }
      return ruleOf({ window: "7d", rule: { id: "g", mode: "all", nodes: [condition] } })
    }
    expect(sent(" ")).toBeUndefined()
    expect(sent(" /pricing ")?.rule.all).toEqual([
      { field: "behavior.path_views", of: "/pricing", op: "gte", value: 2 },
    ])
  })

  it("is sent with the ids of topics as numbers, and without one for any topic", () => {
    const sent = (field: string, change: object) =>
      ruleOf({
        window: "7d",
        rule: { id: "g", mode: "all", nodes: [{ ...newCondition(field), ...change }] },
      })?.rule.all
    expect(sent("intent.score", { of: "", values: ["70"] })).toEqual([
      { field: "intent.score", op: "gte", value: 70 },
    ])
    expect(sent("intent.score", { of: " 1203 ", values: ["70"] })).toEqual([
      { field: "intent.score", of: 1203, op: "gte", value: 70 },
    ])
    expect(sent("intent.score", { of: "pricing", values: ["70"] })).toBeUndefined()
    expect(sent("intent.topics", { values: ["1203", ""] })).toEqual([
      { field: "intent.topics", op: "any_in", value: [1203] },
    ])
    expect(sent("intent.topics", { values: ["pricing"] })).toBeUndefined()
  })

  it("is sent with a list of at most 1,000 values", () => {
    const sent = (count: number) => {
      const values = Array.from({ length: count }, (_, at) => `city ${at}`)
      const condition = { ...newCondition("contact.city"), op: "in", values }
      return ruleOf({ window: "7d", rule: { id: "g", mode: "all", nodes: [condition] } })
    }
    expect(sent(1_000)).toBeDefined()
    expect(sent(1_001)).toBeUndefined()
  })
})

describe("a change", () => {
  it("keeps operator and value if they fit the new field, and resets them otherwise", () => {
    const condition = { ...newCondition("company.name"), op: "starts_with", values: ["Acme"] }
    expect(withField(condition, "contact.city")).toMatchObject({
      op: "starts_with",
      values: ["Acme"],
    })
    expect(withField(condition, "behavior.sessions")).toMatchObject({ op: "gte", values: [""] })
    const views = { ...newCondition("behavior.path_views"), of: "/pricing" }
    expect(withField(views, "behavior.event_count").of).toBe("")
    expect(withOperator(condition, "in").values).toEqual(["Acme"])
    expect(withOperator(condition, "exists").values).toEqual(["true"])
  })

  it("removes a group along with its last condition", () => {
    const { rule } = draftOf(
      asRule({
        all: [
          { field: "behavior.sessions", op: "gte", value: 1 },
          { any: [{ field: "behavior.pageviews", op: "gte", value: 2 }] },
        ],
      }),
    )
    const [, group] = rule.nodes
    const inner = group !== undefined && isGroup(group) ? group.nodes[0]! : undefined
    const after = changed(rule, inner!.id, () => null)
    expect(conditionCount(after)).toBe(1)
    expect(after.nodes).toHaveLength(1)
  })
})

it("finds a field by its title or name, and a custom one by its key", () => {
  expect(fieldTyped("visits: Pricing pages", fields)?.field).toBe("behavior.pricing_page_views")
  expect(fieldTyped("company.industry", fields)?.title).toBe("Company: industry")
  expect(fieldTyped("Custom: plan", fields)?.field).toBe("custom.plan")
  expect(fieldTyped("pricing", fields)).toBeUndefined()
  expect(fieldTyped("company: industry", companyFields)?.field).toBe("company.industry")
  expect(fieldTyped("person: name", companyFields)).toBeUndefined()
  expect(fieldTyped("Custom: plan", companyFields)).toBeUndefined()
})
