// Parsing rules: every error of spec 9 with its pointer, values at, below and above every limit of spec 3, and that
// the first error in the document is reported.
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { fieldNames, isField, ofKindOf, operatorsOf, typeOfField } from "./predicate.ts"
import { depthMax, parseRule, predicatesMax, windowOf } from "./rule.ts"

const leaf = { field: "behavior.pageviews", op: "gte", value: 1 }
const ast = (rule: unknown) => ({ version: 1, rule })
const ofs = { event: "Signed up", property: "Signed up.plan", path: "/pricing", topic: 1203 }
const ofFor = (field: string) => {
  const kind = isField(field) ? ofKindOf(field) : undefined
  return kind === undefined ? {} : { of: ofs[kind] }
}
const predicate = (field: string, op: string, value: unknown) =>
  ast({ field, ...ofFor(field), op, value })
const of = (field: string, name: unknown, op = "gte", value: unknown = 1) =>
  ast({ field, of: name, op, value })

const refusal = (value: unknown) => {
  const read = parseRule(value)
  return Result.isFailure(read) ? [read.failure.reason, read.failure.path] : "accepted"
}
const messageOf = (value: unknown) => {
  const read = parseRule(value)
  return Result.isFailure(read) ? read.failure.message : "accepted"
}
const nested = (depth: number): unknown =>
  depth === 1 ? leaf : { [depth % 2 === 0 ? "all" : "any"]: [nested(depth - 1)] }

describe("a valid rule", () => {
  it("the rule of spec 12.3 parses to itself", () => {
    const rule = {
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

    expect(parseRule(rule)).toEqual(Result.succeed(rule))
  })

  it("texts are trimmed, and a parsed rule parses to itself", () => {
    const read = Result.getOrThrow(parseRule(predicate("company.name", "in", [" Acme ", "\tB\n"])))

    expect(read.rule).toEqual({ field: "company.name", op: "in", value: ["Acme", "B"] })
    expect(parseRule(JSON.parse(JSON.stringify(read)))).toEqual(Result.succeed(read))
  })

  it("what a field is of is kept exactly, with its spaces", () => {
    const rule = { field: "behavior.event_count", of: " Signed  up ", op: "gte", value: 1 }

    expect(Result.getOrThrow(parseRule(ast(rule))).rule).toEqual(rule)
  })

  it("a property is compared with a text or a number", () => {
    const property = "behavior.event_property"

    expect(refusal(predicate(property, "eq", "pro"))).toBe("accepted")
    expect(refusal(predicate(property, "eq", 3))).toBe("accepted")
    expect(refusal(predicate(property, "eq", true))).toEqual(value())
    expect(refusal(predicate(property, "gt", "3"))).toEqual(value())
    expect(refusal(predicate(property, "contains", 3))).toEqual(value())
    expect(refusal(predicate(property, "in", [3]))).toEqual(value("/0"))
    expect(refusal(predicate(property, "eq", "x".repeat(256)))).toEqual([
      "value_too_long",
      "/rule/value",
    ])
  })

  it("the request's window takes precedence over the rule's, and the default is 30d", () => {
    const read = Result.getOrThrow(parseRule({ ...ast(leaf), window: "7d" }))

    expect(windowOf(read, undefined)).toBe("7d")
    expect(windowOf(read, "all")).toBe("all")
    expect(windowOf(Result.getOrThrow(parseRule(ast(leaf))), undefined)).toBe("30d")
  })

  const samples: Readonly<Record<string, unknown>> = {
    in: ["a"],
    not_in: ["a"],
    any_in: ["a"],
    none_in: ["a"],
    between: [1, 2],
    before: "2026-03-11",
    after: "2026-03-11T08:00:00.000Z",
    within: "24h",
    not_within: "30d",
    exists: false,
    in_list: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90",
    not_in_list: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90",
  }
  const byType: Readonly<Record<string, unknown>> = {
    number: 1,
    text: "a",
    texts: "a",
    boolean: true,
    property: 1,
    numbers: 1,
    member: "0b6ad1ff-3c6e-4f43-9d0b-0f1f5d2a7c11",
  }

  it.each([...fieldNames, "custom.plan"])("%s accepts every operator of its type", (field) => {
    const type = typeOfField(field as "custom.plan") // the names are fields
    for (const op of operatorsOf(type)) {
      const isText = type === "property" && /with|contains/.test(op)
      const one = byType[type]
      const isListOf = type === "numbers" || type === "member"
      const listed = isListOf && /(?:^|_)in$/.test(op) ? [one] : samples[op]
      const value = listed ?? (isText ? "a" : one)
      expect(refusal(predicate(field, op, value))).toBe("accepted")
    }
  })
})

describe("owners", () => {
  const id = "0b6ad1ff-3c6e-4f43-9d0b-0f1f5d2a7c11"

  it("the id of a member is kept in lower case", () => {
    const rule = { field: "company.owner", op: "in", value: [id.toUpperCase()] }

    expect(Result.getOrThrow(parseRule(ast(rule))).rule).toEqual({ ...rule, value: [id] })
  })

  it("an address is not the id of a member", () => {
    expect(refusal(predicate("contact.owner", "eq", "sam@tidewater.example"))).toEqual(value())
    expect(refusal(predicate("contact.owner", "not_in", [id, "sam"]))).toEqual(value("/1"))
  })
})

describe("limits", () => {
  it(`${predicatesMax} predicates are accepted, one more is not`, () => {
    const leaves = (count: number) => Array.from({ length: count }, () => leaf)

    expect(refusal(ast({ any: leaves(predicatesMax) }))).toBe("accepted")
    expect(refusal(ast({ any: leaves(predicatesMax + 1) }))).toEqual([
      "too_many_predicates",
      "/rule/any/50",
    ])
    expect(refusal(ast({ any: [{ all: leaves(20) }, { all: leaves(31) }] }))).toEqual([
      "too_many_predicates",
      "/rule/any/1/all/30",
    ])
  })

  it(`depth ${depthMax} is accepted, one more is not; a lone predicate is one`, () => {
    expect(refusal(ast(nested(1)))).toBe("accepted")
    expect(refusal(ast(nested(depthMax)))).toBe("accepted")
    expect(refusal(ast(nested(depthMax + 1)))).toEqual([
      "too_deep",
      "/rule/any/0/all/0/any/0/all/0/any/0/all/0/any/0/all/0",
    ])
  })

  it.each([
    { value: "x".repeat(255), is: "accepted" },
    { value: `  ${"😀".repeat(255)}  `, is: "accepted" },
    { value: "x".repeat(256), is: ["value_too_long", "/rule/value"] },
    { value: "😀".repeat(256), is: ["value_too_long", "/rule/value"] },
    { value: "", is: "accepted" },
  ])("a text has at most 255 code points after trimming: %#", ({ is, value }) => {
    expect(refusal(predicate("company.name", "eq", value))).toEqual(is)
  })

  it("a list has 1 to 1,000 texts", () => {
    const list = (length: number) =>
      refusal(
        predicate(
          "company.name",
          "in",
          Array.from({ length }, () => "a"),
        ),
      )

    expect(list(0)).toEqual(["wrong_value_type", "/rule/value"])
    expect(list(1)).toBe("accepted")
    expect(list(1_000)).toBe("accepted")
    expect(list(1_001)).toEqual(["value_too_long", "/rule/value"])
    expect(refusal(predicate("company.name", "in", ["a", "x".repeat(256)]))).toEqual([
      "value_too_long",
      "/rule/value/1",
    ])
  })

  it.each(["1h", "8760h", "1d", "3650d", " 7d "])("%s is a duration", (value) => {
    expect(refusal(predicate("timing.last_seen_at", "within", value))).toBe("accepted")
  })

  it.each(["0h", "8761h", "0d", "3651d", "-1d", "07d", "7", "7w", "1.5d", "d", 7, null])(
    "%s is not a duration",
    (value) => {
      expect(refusal(predicate("timing.last_seen_at", "not_within", value))).toEqual([
        "wrong_value_type",
        "/rule/value",
      ])
    },
  )

  it.each([
    "2026-03-11",
    "2024-02-29",
    "2026-03-11T08:00Z",
    "2026-03-11T08:00:00Z",
    "2026-03-11T08:00:00.123456Z",
    "2026-03-11T08:00:00+05:30",
  ])("%s is a moment", (value) => {
    expect(refusal(predicate("timing.first_seen_at", "before", value))).toBe("accepted")
  })

  it.each([
    "2026-02-29",
    "2026-13-01",
    "2026-3-1",
    "2026-03-11T08:00:00",
    "2026-03-11T24:00:00Z",
    "2026-03-11 08:00:00Z",
    "11 March 2026",
    "",
    1773219900000,
  ])("%s is not a time", (value) => {
    expect(refusal(predicate("timing.first_seen_at", "after", value))).toEqual([
      "wrong_value_type",
      "/rule/value",
    ])
  })

  it.each(["a", "A.b_c-9", "k".repeat(64)])("custom.%s is a field", (key) => {
    expect(refusal(predicate(`custom.${key}`, "eq", "a"))).toBe("accepted")
  })

  it.each(["", "k".repeat(65), "a b", "é", "a/b"])("custom.%s is not a field", (key) => {
    expect(refusal(predicate(`custom.${key}`, "eq", "a"))).toEqual(["unknown_field", "/rule/field"])
  })
})

describe("an error has the pointer to its place", () => {
  it.each([
    ["not an object", 5, ["wrong_value_type", ""]],
    ["null", null, ["wrong_value_type", ""]],
    ["a list", [], ["wrong_value_type", ""]],
    ["no version", { rule: leaf }, ["unsupported_version", "/version"]],
    ["version 2", { version: 2, rule: leaf }, ["unsupported_version", "/version"]],
    ["version as text", { version: "1", rule: leaf }, ["unsupported_version", "/version"]],
    ["an unknown window", { ...ast(leaf), window: "1y" }, ["bad_window", "/window"]],
    ["window null", { ...ast(leaf), window: null }, ["bad_window", "/window"]],
    ["an additional key", { ...ast(leaf), name: "x" }, ["unknown_key", "/name"]],
    ["a key to escape", { "a/b~c": 1, ...ast(leaf) }, ["unknown_key", "/a~1b~0c"]],
    ["no rule", { version: 1 }, ["wrong_value_type", "/rule"]],
    ["a node that is a text", ast("all"), ["wrong_value_type", "/rule"]],
    ["a node that is a list", ast([leaf]), ["wrong_value_type", "/rule"]],
    ["an empty node", ast({}), ["wrong_value_type", "/rule"]],
    ["a not node", ast({ not: leaf }), ["unknown_key", "/rule/not"]],
    ["both groups", ast({ all: [leaf], any: [leaf] }), ["unknown_key", "/rule/any"]],
    ["group and predicate", ast({ ...leaf, all: [leaf] }), ["unknown_key", "/rule/all"]],
    ["an empty group", ast({ all: [] }), ["empty_group", "/rule/all"]],
    [
      "an empty group inside",
      ast({ all: [leaf, { any: [] }] }),
      ["empty_group", "/rule/all/1/any"],
    ],
    ["a group that is not a list", ast({ any: leaf }), ["wrong_value_type", "/rule/any"]],
    ["an additional key next to field", ast({ ...leaf, not: true }), ["unknown_key", "/rule/not"]],
    ["no field", ast({ op: "eq", value: 1 }), ["unknown_field", "/rule/field"]],
    ["no operator", ast({ field: "company.name", value: "x" }), ["unknown_operator", "/rule/op"]],
    ["no value", ast({ field: "company.name", op: "eq" }), ["wrong_value_type", "/rule/value"]],
    ["an unknown field", predicate("company.nam", "eq", "x"), ["unknown_field", "/rule/field"]],
    [
      "a field named like a member of every object",
      predicate("constructor", "eq", "x"),
      ["unknown_field", "/rule/field"],
    ],
    [
      "an unknown operator",
      predicate("company.name", "like", "x"),
      ["unknown_operator", "/rule/op"],
    ],
    [
      "an operator named like a member of every object",
      predicate("company.name", "toString", "x"),
      ["unknown_operator", "/rule/op"],
    ],
    [
      "an operator of another type",
      predicate("company.name", "gte", "x"),
      ["operator_not_for_type", "/rule/op"],
    ],
    ["a text instead of a number", predicate("behavior.pageviews", "eq", "1"), value()],
    ["an infinite number", predicate("behavior.pageviews", "eq", JSON.parse("1e400")), value()],
    ["a number instead of a text", predicate("company.name", "eq", 1), value()],
    ["a text instead of a list", predicate("company.name", "in", "x"), value()],
    ["a number in a list", predicate("company.name", "in", ["x", 1]), value("/1")],
    ["one end of a range", predicate("behavior.pageviews", "between", [1]), value()],
    ["three ends of a range", predicate("behavior.pageviews", "between", [1, 2, 3]), value()],
    ["a text in a range", predicate("behavior.pageviews", "between", [1, "2"]), value("/1")],
    ["a text instead of a boolean", predicate("contact.has_phone", "eq", "true"), value()],
    ["a number for exists", predicate("company.name", "exists", 1), value()],
    ["null", predicate("company.name", "eq", null), value()],
    ["of for another field", of("behavior.pageviews", "x"), ["unknown_key", "/rule/of"]],
    ["of in a group", ast({ all: [leaf], of: "x" }), ["unknown_key", "/rule/of"]],
    ["any topic", ast({ ...leaf, field: "intent.score" }), "accepted"],
    ["one topic", of("intent.score", 1203), "accepted"],
    ["a topic that is no id", of("intent.score", -1.5), "accepted"],
    ["a topic as text", of("intent.score", "1203"), ["wrong_value_type", "/rule/of"]],
    ["a topic that is null", of("intent.score", null), ["wrong_value_type", "/rule/of"]],
    [
      "topics as texts",
      predicate("intent.topics", "any_in", ["1"]),
      ["wrong_value_type", "/rule/value/0"],
    ],
    [
      "one topic that is no list",
      predicate("intent.topics", "none_in", 1),
      ["wrong_value_type", "/rule/value"],
    ],
    ["no topics", predicate("intent.topics", "any_in", []), ["wrong_value_type", "/rule/value"]],
    ["1,000 topics", predicate("intent.topics", "any_in", Array(1_000).fill(1)), "accepted"],
    [
      "1,001 topics",
      predicate("intent.topics", "any_in", Array(1_001).fill(1)),
      ["value_too_long", "/rule/value"],
    ],
    ["a number of topics", predicate("intent.topics", "count_gte", 2), "accepted"],
    [
      "topics that exist",
      predicate("intent.topics", "exists", true),
      ["operator_not_for_type", "/rule/op"],
    ],
    ["topics of a topic", of("intent.topics", 1203, "any_in", [1]), ["unknown_key", "/rule/of"]],
    ["no of", ast({ ...leaf, field: "behavior.path_views" }), ["wrong_value_type", "/rule/of"]],
    ["of that is no text", of("behavior.event_count", 5), ["wrong_value_type", "/rule/of"]],
    ["an empty event", of("behavior.event_count", " "), ["wrong_value_type", "/rule/of"]],
    ["an event of 255", of("behavior.event_count", "x".repeat(255)), "accepted"],
    [
      "an event of 256",
      of("behavior.event_count", "x".repeat(256)),
      ["value_too_long", "/rule/of"],
    ],
    [
      "a property without an event",
      of("behavior.event_property", ".plan"),
      ["wrong_value_type", "/rule/of"],
    ],
    [
      "a property without a dot",
      of("behavior.event_property", "plan"),
      ["wrong_value_type", "/rule/of"],
    ],
    [
      "an event without a property",
      of("behavior.event_property", "Signed up."),
      ["wrong_value_type", "/rule/of"],
    ],
    [
      "a path that begins elsewhere",
      of("behavior.path_views", "pricing"),
      ["wrong_value_type", "/rule/of"],
    ],
    ["the root alone", of("behavior.path_views", "/"), ["wrong_value_type", "/rule/of"]],
    ["only the home page", of("behavior.path_views", "/$"), "accepted"],
    ["a filter of 500", of("behavior.path_views", "/".padEnd(500, "x")), "accepted"],
    [
      "a filter of 501",
      of("behavior.path_views", "/".padEnd(501, "x")),
      ["value_too_long", "/rule/of"],
    ],
  ] as const)("%s", (_, rule, is) => {
    expect(refusal(rule)).toEqual(is)
  })

  it("the first error in the document is reported, whatever follows it", () => {
    const wrong = { field: "nothing", op: "nothing", value: null }

    expect(refusal({ rule: { all: [leaf, wrong] }, version: 7 })).toEqual([
      "unknown_field",
      "/rule/all/1/field",
    ])
    expect(refusal({ version: 7, rule: { all: [wrong] } })).toEqual([
      "unsupported_version",
      "/version",
    ])
    expect(refusal(of("nothing", 5))).toEqual(["unknown_field", "/rule/field"])
    expect(refusal(ast({ of: 5, field: "behavior.event_count", op: "nothing" }))).toEqual([
      "wrong_value_type",
      "/rule/of",
    ])
    expect(refusal(ast({ op: "nothing", field: "nothing" }))).toEqual([
      "unknown_operator",
      "/rule/op",
    ])
    expect(refusal(ast({ value: 1, op: "eq", field: "company.name" }))).toEqual([
      "wrong_value_type",
      "/rule/value",
    ])
    expect(refusal(ast({ all: [{ any: [] }], extra: 1 }))).toEqual([
      "empty_group",
      "/rule/all/0/any",
    ])
  })

  it("the message contains what was expected and what was received", () => {
    expect(messageOf(predicate("behavior.pageviews", "atleast", 1))).toBe(
      'Unknown operator "atleast".',
    )
    expect(messageOf(predicate("behavior.pageviews", "gte", "one"))).toBe(
      'Expected a finite number, received "one".',
    )
    expect(messageOf(predicate("timing.is_returning", "before", "x"))).toBe(
      'Expected one of eq, exists for timing.is_returning, received "before".',
    )
    expect(messageOf({ version: 1 })).toBe("Expected an object, received none.")
  })
})

function value(item = ""): readonly [string, string] {
  return ["wrong_value_type", `/rule/value${item}`]
}
