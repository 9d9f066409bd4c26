// The SQL of representative rules: every value is a parameter, sessions are read at most once, and cheap tests come
// first. test/visitors/query/model.test.ts tests that it finds the right people.
import { DateTime, Result } from "effect"
import { describe, expect, it } from "vitest"
import { compileRule } from "./compile.ts"
import { parseRule } from "./rule.ts"
import type { RuleScope } from "./rule-scope.ts"

const asOf = DateTime.makeUnsafe("2026-03-11T09:00:00.000Z")
const from = DateTime.makeUnsafe("2026-03-04T09:00:00.000Z")
const scope: RuleScope = { organizationId: "org", pixelId: undefined, from, asOf }
const onPixel: RuleScope = { ...scope, pixelId: "pixel", from: undefined }

const compiled = (rule: unknown, where: RuleScope = scope) => {
  const { text, values } = compileRule(
    Result.getOrThrow(parseRule({ version: 1, rule })).rule,
    where,
  )
  return { text: text.replaceAll(/\s+/g, " ").replaceAll("( ", "("), values }
}

const inWindow = (first: number) =>
  `session.organization_id = $${first}::uuid and session.visitor_id = visitor.id` +
  ` and session.ended_at >= $${first + 1}::timestamptz`

const pathsLike = (first: number) =>
  `(session.paths like $${first}::text or` +
  ` (strpos(session.paths, '%') > 0 and plain_path(session.paths) like $${first + 1}::text))`

const pricing = { field: "behavior.pricing_page_views", op: "gte", value: 1 }
const seniority = { field: "company.seniority", op: "contains", value: "VP" }
const title = { field: "company.job_title", op: "contains", value: "Director" }
const paths = { field: "behavior.visited_paths", op: "any_contains", value: "/Product" }
const pageviews = { field: "behavior.pageviews", op: "gt", value: 5 }

describe("an amount of behavior", () => {
  it.each([
    ["fewer than one", "lt", 1],
    ["at most a half", "lte", 0.5],
  ])("that must be %s must be none", (_, op, value) => {
    const sql = (test: object) => compiled({ ...pageviews, ...test }).text

    expect(sql({ op, value })).toBe(sql({ op: "eq", value: 0 }))
    expect(sql({ op, value })).not.toBe(sql({ op: "gte", value: 1 }))
  })
})

describe("a score", () => {
  const score = { field: "score.total", op: "gte", value: 50 }

  it("is one row found by its key, and none of someone suppressed", () => {
    expect(compiled(score).text).toBe(
      "(select nullif(score.rank, -1) from visitor_score as score" +
        " where score.organization_id = $1::uuid and score.visitor_id = visitor.id" +
        " and not visitor.suppressed) >= $2::float8",
    )
    expect(compiled(score, { ...onPixel, subject: "companies" }).text).toBe(
      "(select nullif(score.rank, -1) from company_score as score" +
        " where score.organization_id = $1::uuid and score.domain = c.domain" +
        " and not company.suppressed) >= $2::float8",
    )
  })
})

describe("a profile field", () => {
  it("is one comparison that ignores case", () => {
    expect(compiled(seniority)).toEqual({
      text: "visitor.seniority_folded like $1::text",
      values: ["%vp%"],
    })
  })

  it("is true for a missing value if it is negated", () => {
    expect(compiled({ ...seniority, op: "not_in", value: ["VP", "", "Head"] })).toEqual({
      text: "(visitor.seniority_folded = any($1::text[])) is not true",
      values: [["vp", "head"]],
    })
  })

  it("treats pattern characters literally", () => {
    expect(compiled({ ...seniority, op: "ends_with", value: "50%_\\" })).toEqual({
      text: "visitor.seniority_folded like $1::text",
      values: ["%50\\%\\_\\\\"],
    })
  })

  it("within counts back from the time of the request", () => {
    expect(compiled({ field: "timing.last_seen_at", op: "within", value: "36h" })).toEqual({
      text: "visitor.last_seen_at >= $1::timestamptz",
      values: [new Date("2026-03-09T21:00:00.000Z")],
    })
  })

  it("of custom attribution is the latest value, and in the scope of a pixel the latest value there", () => {
    const plan = { field: "custom.plan", op: "eq", value: "Trial" }

    expect(compiled(plan).text).toContain("order by (attribution.value ->> 1)::numeric desc")
    expect(compiled(plan).values).toEqual(["plan", "org", "trial"])
    expect(compiled(plan, onPixel)).toEqual({
      text: "fold_case(visitor_pixel.custom_attribution -> $1::text ->> 0) = $2::text",
      values: ["plan", "trial"],
    })
  })
})

describe("sessions", () => {
  it("a total above 0 searches for one session instead of summing up", () => {
    const { text, values } = compiled(pricing)

    expect(text).toBe(
      `exists (select from session where ${inWindow(1)} and session.pricing_page_views > 0)`,
    )
    expect(values).toEqual(["org", new Date("2026-03-04T09:00:00.000Z")])
  })

  it.each([
    [{ op: "gte", value: 2 }, "coalesce(sum(session.pricing_page_views), 0) >= $1::float8"],
    [{ op: "gte", value: 0 }, "coalesce(sum(session.pricing_page_views), 0) >= $1::float8"],
    [{ op: "gt", value: 1 }, "coalesce(sum(session.pricing_page_views), 0) > $1::float8"],
    [{ op: "gt", value: -1 }, "coalesce(sum(session.pricing_page_views), 0) > $1::float8"],
    [{ op: "neq", value: 1 }, "(coalesce(sum(session.pricing_page_views), 0) = $1::float8)"],
  ])("%j computes a sum", (asked, test) => {
    expect(compiled({ ...pricing, ...asked }).text).toContain(`(select ${test}`)
  })

  it.each([
    { op: "gte", value: 0.5 },
    { op: "gt", value: 0 },
    { op: "neq", value: 0 },
  ])("%j searches for a session", (asked) => {
    expect(compiled({ ...pricing, ...asked }).text).toBe(compiled(pricing).text)
  })

  it.each([
    { op: "lt", value: 1 },
    { op: "lte", value: 0 },
    { op: "eq", value: 0 },
  ])("%j does not search for a session", (asked) => {
    expect(compiled({ ...pricing, ...asked }).text).toBe(`not ${compiled(pricing).text}`)
  })

  it("are those of the pixel in its scope, and of the whole history without a window", () => {
    expect(compiled(pricing, onPixel).text).toContain(
      "where session.organization_id = $1::uuid and session.visitor_id = visitor_pixel.visitor_id" +
        " and session.pixel_id = $2::uuid and session.pricing",
    )
  })

  it("the rule of 12.3 tests the row, then the index of sessions, then their rows", () => {
    const { text, values } = compiled({ all: [pricing, { any: [seniority, title] }, paths] })

    expect(text).toBe(
      "((visitor.seniority_folded like $1::text" +
        " or visitor.job_title_folded like $2::text) and" +
        ` exists (select from session where ${inWindow(3)}` +
        " and session.pricing_page_views > 0) and" +
        ` exists (select from session where ${inWindow(5)} and ${pathsLike(7)}))`,
    )
    const start = new Date("2026-03-04T09:00:00.000Z")
    const like = "%/product%"
    expect(values).toEqual(["%vp%", "%director%", "org", start, "org", start, like, like])
  })

  it("several tests that any session may pass are one search", () => {
    const { text } = compiled({ any: [paths, { any: [{ ...paths, value: "/docs" }] }] })

    expect(text.match(/from session/g)).toHaveLength(1)
    expect(text).toContain(`(${pathsLike(3)} or ${pathsLike(5)})`)
  })

  it("several tests that no session may pass are one search", () => {
    const never = { ...paths, op: "none_contains" }

    expect(compiled({ all: [never, { ...never, value: "/docs" }] }).text).toMatch(
      /^not exists \(select from session .* or .*\)$/,
    )
  })

  it("are read once in the index and once in the rows, no matter how deep the predicates are", () => {
    const channel = { field: "attribution.channel", op: "none_contains", value: "email" }
    const { text } = compiled({
      any: [
        { all: [seniority, pageviews] },
        { all: [title, paths, { any: [pricing, { ...pageviews, value: 9 }] }] },
        { all: [title, pricing, { any: [channel, pageviews] }] },
      ],
    })

    expect(text.match(/from session/g)).toHaveLength(2)
    expect(text.indexOf("sum(session.pageviews)")).toBeLessThan(text.indexOf("session.paths"))
  })

  it("channels and click ids are selected before querying the database", () => {
    const social = { field: "attribution.channel", op: "any_contains", value: "Social" }
    const mail = { field: "attribution.channel", op: "any_in", value: ["EMAIL", "Mail", "Direct"] }
    const clicks = { field: "attribution.click_id_types", op: "any_eq", value: "dclid" }

    expect(compiled(social).text).toContain("session.channel = any($3::text[])")
    expect(compiled(social).values[2]).toEqual(["organic_social", "paid_social"])
    expect(compiled(mail).values).toContainEqual(["direct", "email"])
    expect(compiled(clicks).text).toContain("and false")
  })
})

it("the text of the statement never contains values", () => {
  const marker = "marker'\"$1"
  const rule = {
    any: [
      { field: "company.name", op: "eq", value: marker },
      { field: "company.name", op: "in", value: [marker] },
      { field: "company.name", op: "ends_with", value: marker },
      { field: "behavior.visited_paths", op: "any_eq", value: marker },
      { field: "behavior.custom_events", op: "any_in", value: [marker] },
      { field: "attribution.utm_source", op: "any_starts_with", value: marker },
      { field: "pixel.domain", op: "any_contains", value: marker },
      { field: "behavior.pageviews", op: "between", value: [123_456, 234_567] },
    ],
  }

  expect(compiled(rule).text).not.toMatch(/marker|123456|234567/)
})
