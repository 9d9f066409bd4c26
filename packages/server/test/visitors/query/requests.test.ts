// POST /v1/data/query over HTTP (spec 1.6, 5.1, 9): valid and invalid requests, and that it never shows another
// organization's data.
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { VisitorQueryList } from "../../../src/people/visitors/api.ts"
import {
  domain,
  startServer,
  type TestOrganization,
  type TestServer,
} from "../../support/server.ts"
import { hashOf } from "./put-people.ts"
import { ask, everyone, predicate, settle, someone } from "./scene.ts"

const hour = 3_600_000
const day = 24 * hour
const now = Date.now()

let server: TestServer
let stranger: TestOrganization
let otherPixel: string
let deletedPixel: string

const jane = someone([now - hour, now - 20 * day], {
  profile: { ...someone([0]).profile, job_title: "VP Operations", seniority: "vp" },
})
const suppressed = someone([now - 2 * hour], { suppressed: true })
const elsewhere = someone([now - 3 * hour], {}, { pixel: 1 })
const heldBack = someone([now - hour], { heldBack: true })

beforeAll(async () => {
  server = await startServer({ workers: false })
  stranger = await server.makeOrganization()
  otherPixel = await makePixel("other.example")
  deletedPixel = await makePixel("deleted.example")
  await server.sql("update pixel set deleted_at = now() where id = $1", [deletedPixel])
  await settle(server, server, [jane, suppressed, elsewhere, heldBack], [otherPixel])
  await settle(server, stranger, [someone([now - hour])])
})

afterAll(() => server.close())

const makePixel = async (name: string): Promise<string> => {
  const id = randomUUID()
  await server.sql(
    "insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, $3)",
    [server.organizationId, id, name],
  )
  return id
}

const makeSegment = async (organizationId: string, ruleAst: unknown): Promise<string> => {
  const id = randomUUID()
  await server.sql(
    "insert into segment (organization_id, id, name, rule_ast) values ($1, $2, 'Segment', $3)",
    [organizationId, id, JSON.stringify(ruleAst)],
  )
  return id
}

const hashes = async (body: unknown, query = "") =>
  (await ask(server, body, { query })).data.map(({ emailHash }) => emailHash)

const allHashes = [jane, suppressed, elsewhere].map(hashOf)

describe("the response", () => {
  it("contains the visitors who qualify, last seen first, with pagination and coverage", async () => {
    const answer = await ask(server, predicate("company.seniority", "contains", "VP"))

    expect(answer.status).toBe(200)
    expect(answer.data.map(({ emailHash }) => emailHash)).toEqual([hashOf(jane)])
    expect(Object.keys(answer.meta).toSorted()).toEqual(
      [
        "coverage",
        "hasMore",
        "limit",
        "nextCursor",
        "page",
        "request_id",
        "timestamp",
        "total",
      ].toSorted(),
    )
    expect(answer.meta).toMatchObject({
      page: 1,
      limit: 50,
      hasMore: false,
      nextCursor: null,
      total: 1,
      coverage: { partial: false, from: null },
    })
  })

  it.each([everyone, { ...everyone, page: 2 }, { ...everyone, limit: 1 }])(
    "matches the wire schema, with nothing extra: %#",
    async (body) => {
      const { data, meta, status } = await ask(server, body)

      expect(status).toBe(200)
      expect(
        Schema.decodeUnknownSync(VisitorQueryList, { onExcessProperty: "error" })({ data, meta }),
      ).toEqual({ data, meta })
    },
  )

  it("contains totals for the window, and the current profile", async () => {
    const [wide] = (await ask(server, { ...everyone, window: "30d" })).data
    const [narrow] = (await ask(server, { ...everyone, window: "24h" })).data

    expect([wide?.["sessions"], wide?.["pageviews"], wide?.["jobTitle"]]).toEqual([
      2,
      2,
      "VP Operations",
    ])
    expect([narrow?.["sessions"], narrow?.["pageviews"], narrow?.["firstSeenAt"]]).toEqual([
      1,
      1,
      wide?.["firstSeenAt"],
    ])
  })

  it("leaves out people held back and other organizations", async () => {
    expect(await hashes(everyone)).toEqual(allHashes)
    expect((await ask(server, everyone)).meta["total"]).toBe(allHashes.length)
  })

  it("writes nothing", async () => {
    const state = () =>
      server.sql(`select
        (select count(*) from audit_entry) as audited, (select count(*) from segment) as segments,
        (select max(updated_at) from visitor) as updated`)
    const before = await state()

    await ask(server, everyone)

    expect(await state()).toEqual(before)
  })
})

describe("window, scope and filter", () => {
  it("the request's window takes precedence over the rule's, and the default is 30d", async () => {
    const rule = { field: "behavior.sessions", op: "gte", value: 2 }
    const within = (window: string | undefined, override?: string) =>
      hashes({
        ruleAst: { version: 1, ...(window === undefined ? {} : { window }), rule },
        ...(override === undefined ? {} : { window: override }),
      })

    expect(await within("7d")).toEqual([])
    expect(await within("7d", "30d")).toEqual([hashOf(jane)])
    expect(await within("all", "14d")).toEqual([])
    expect(await within(undefined)).toEqual([hashOf(jane)])
  })

  it("a pixel limits the result to people who were seen there", async () => {
    expect(await hashes({ ...everyone, pixelId: otherPixel })).toEqual([hashOf(elsewhere)])
    expect(await hashes({ ...everyone, pixelId: server.pixelId })).toEqual([
      hashOf(jane),
      hashOf(suppressed),
    ])
  })

  it("suppressed visitors are included, excluded or the only ones, by body or by query", async () => {
    const without = [hashOf(jane), hashOf(elsewhere)]

    expect(await hashes({ ...everyone, suppressed: "include" })).toEqual(allHashes)
    expect(await hashes({ ...everyone, suppressed: "exclude" })).toEqual(without)
    expect(await hashes({ ...everyone, suppressed: "only" })).toEqual([hashOf(suppressed)])
    expect(await hashes(everyone, "?suppressed=only")).toEqual([hashOf(suppressed)])
    expect(await hashes({ ...everyone, suppressed: "exclude" }, "?suppressed=exclude")).toEqual(
      without,
    )
  })

  it("two different values of suppressed are rejected", async () => {
    const answer = await ask(
      server,
      { ...everyone, suppressed: "exclude" },
      { query: "?suppressed=only" },
    )

    expect(refusalOf(answer)).toEqual([400, "VALIDATION_ERROR", "/query/suppressed"])
  })
})

describe("a saved segment", () => {
  it("finds the people that match its rule, in its window or the request's", async () => {
    const segmentId = await makeSegment(server.organizationId, {
      version: 1,
      window: "7d",
      rule: { field: "behavior.sessions", op: "gte", value: 2 },
    })

    expect(await hashes({ segmentId })).toEqual([])
    expect(await hashes({ segmentId, window: "all" })).toEqual([hashOf(jane)])
  })

  it("unknown, foreign and deleted ids of segments and pixels get the same 404", async () => {
    const foreign = await makeSegment(stranger.organizationId, everyone.ruleAst)
    const deleted = await makeSegment(server.organizationId, everyone.ruleAst)
    await server.sql("delete from segment where id = $1", [deleted])
    const bodies = [
      ...[randomUUID(), foreign, deleted].map((segmentId) => ({ segmentId })),
      ...[randomUUID(), stranger.pixelId, deletedPixel].map((pixelId) => ({
        ...everyone,
        pixelId,
      })),
    ]

    const answers = await Promise.all(bodies.map((body) => ask(server, body)))

    for (const { error, status } of answers) {
      expect([status, error]).toEqual([404, answers[0]?.error])
    }
    expect(answers[0]?.error?.code).toBe("NOT_FOUND")
  })
})

describe("an invalid query", () => {
  it.each([
    ["neither rule nor segment", {}, "/body/ruleAst"],
    ["both", { ...everyone, segmentId: randomUUID() }, "/body/segmentId"],
    ["page and cursor", { ...everyone, page: 1, cursor: "x" }, "/body/page"],
    ["page 0", { ...everyone, page: 0 }, "/body/page"],
    ["limit 0", { ...everyone, limit: 0 }, "/body/limit"],
    ["limit 101", { ...everyone, limit: 101 }, "/body/limit"],
    ["an unknown window", { ...everyone, window: "1y" }, "/body/window"],
    ["an unknown filter", { ...everyone, suppressed: "yes" }, "/body/suppressed"],
    ["an invalid pixel id", { ...everyone, pixelId: "x" }, "/body/pixelId"],
    ["an invalid segment id", { segmentId: "x" }, "/body/segmentId"],
    ["an unknown field", { ...everyone, domain }, "/body/domain"],
  ])("%s is rejected", async (_, body, path) => {
    expect(refusalOf(await ask(server, body))).toEqual([400, "VALIDATION_ERROR", path])
  })

  it.each([
    ["?timeframe=7d", "/query/timeframe"],
    ["?suppressed=only&suppressed=only", "/query/suppressed"],
    ["?suppressed=maybe", "/query/suppressed"],
  ])("%s is rejected", async (query, path) => {
    expect(refusalOf(await ask(server, everyone, { query }))).toEqual([
      400,
      "VALIDATION_ERROR",
      path,
    ])
  })

  it.each([1, 100])("limit %i is accepted", async (limit) => {
    expect((await ask(server, { ...everyone, limit })).meta["limit"]).toBe(limit)
  })
})

describe("an invalid rule", () => {
  it("12.3: the error names an unknown operator and its path", async () => {
    const answer = await ask(server, {
      ruleAst: {
        version: 1,
        rule: { all: [{ field: "behavior.pricing_page_views", op: "atleast", value: 1 }] },
      },
    })

    expect(answer.status).toBe(400)
    expect(answer.error).toEqual({
      code: "INVALID_RULE",
      message: 'Unknown operator "atleast".',
      details: { path: "/rule/all/0/op", reason: "unknown_operator" },
    })
  })

  const leaf = { field: "behavior.pageviews", op: "gte", value: 0 }
  const leaves = (count: number) => ({ any: Array.from({ length: count }, () => leaf) })
  const nested = (depth: number): unknown => (depth === 1 ? leaf : { all: [nested(depth - 1)] })

  it.each([
    ["50 predicates", leaves(50), undefined],
    ["51 predicates", leaves(51), "too_many_predicates"],
    ["depth 8", nested(8), undefined],
    ["depth 9", nested(9), "too_deep"],
    ["a text", "rule", "wrong_value_type"],
  ])("C10: %s", async (_, rule, reason) => {
    const answer = await ask(server, { ruleAst: { version: 1, rule } })

    expect([answer.status, answer.error?.details?.["reason"]]).toEqual(
      reason === undefined ? [200, undefined] : [400, reason],
    )
  })

  it.each([{ ruleAst: 5 }, { ruleAst: null }, { ruleAst: [] }, { ruleAst: "x" }])(
    "a ruleAst that is $ruleAst is rejected as a rule",
    async ({ ruleAst }) => {
      const { error, status } = await ask(server, { ruleAst })

      expect([status, error?.code, error?.details]).toEqual([
        400,
        "INVALID_RULE",
        { path: "", reason: "wrong_value_type" },
      ])
    },
  )

  it("is reported before an unknown pixel", async () => {
    const body = { ...predicate("company.name", "is", "x"), pixelId: randomUUID() }

    expect((await ask(server, body)).status).toBe(400)
  })
})

it("the OpenAPI document contains the schema of a rule", async () => {
  const response = await fetch(`${server.url}/openapi.json`)
  const { components, paths } = (await response.json()) as {
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
    paths: Record<string, { post?: { operationId: string } }>
  } // the parts that the test reads

  expect(paths["/v1/data/query"]?.post?.operationId).toBe("visitors.query")
  expect(components.schemas["VisitorQuery"]?.properties?.["ruleAst"]).toMatchObject({
    $ref: "#/components/schemas/RuleAst",
  })
  expect(Object.keys(components.schemas["RuleAst"]?.properties ?? {})).toEqual([
    "version",
    "window",
    "rule",
  ])
})

const refusalOf = ({ error, status }: Awaited<ReturnType<typeof ask>>) => {
  const issues = error?.details?.["issues"] as ReadonlyArray<{ path: string }> | undefined
  return [status, error?.code, issues?.[0]?.path]
}
