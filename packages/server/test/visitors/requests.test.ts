// What GET /v1/data accepts and rejects on a running server, and the format of its responses, which are sent
// without being encoded by their schema (spec 1.6, 5.1).
import { BadRequestError, Footfall, NotFoundError } from "@footfall/sdk"
import { Schema } from "effect"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { VisitorList, VisitorLookUp } from "../../src/people/visitors/api.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"

const emails = Array.from({ length: 60 }, (_, index) => `p${index}@acme.example`)
const jane = emails[0]!
const hashAlone = "ab".repeat(32)
let server: TestServer

beforeAll(async () => {
  server = await startServer()
  for (const email of emails) await visit({ email })
  await visit({ emailHash: hashAlone })
  await server.drain()
  await server.sql("update visitor set suppressed = true where email = $1", [emails[1]])
})

afterAll(() => server.close())

describe("parameters", () => {
  it.each([
    { query: "timeframe=8d", path: "/query/timeframe" },
    { query: "timeframe=", path: "/query/timeframe" },
    { query: "from=2026-02-31", path: "/query/from" },
    { query: "from=7d", path: "/query/from" },
    { query: "from=2026-02-03&timeframe=7d", path: "/query/from" },
    { query: "page=0", path: "/query/page" },
    { query: "page=-1", path: "/query/page" },
    { query: "page=1.5", path: "/query/page" },
    { query: "page=one", path: "/query/page" },
    { query: "page=2147483648", path: "/query/page" },
    { query: "pixelId=7", path: "/query/pixelId" },
    { query: "suppressed=yes", path: "/query/suppressed" },
    { query: "domain=", path: "/query/domain" },
    { query: "domain=not%20a%20host", path: "/query/domain" },
    { query: "domain=127.0.0.1", path: "/query/domain" },
    { query: "email=", path: "/query/email" },
    { query: "email=%20", path: "/query/email" },
    { query: `email=${encodeURIComponent("😀".repeat(321))}`, path: "/query/email" },
    { query: "limit=0", path: "/query/limit" },
    { query: "limit=101", path: "/query/limit" },
    { query: "size=10", path: "/query/size" },
    { query: "fields=", path: "/query/fields" },
    { query: "fields=email,constructor", path: "/query/fields" },
    { query: "fields=email&fields=emailHash", path: "/query/fields" },
    { query: `fields=email&email=${jane}`, path: "/query/fields" },
    { query: "q=", path: "/query/q" },
    { query: "q=%20", path: "/query/q" },
    { query: `q=${"x".repeat(101)}`, path: "/query/q" },
    { query: `q=jane&email=${jane}`, path: "/query/q" },
  ])("$query gets a 400 that names $path", async ({ path, query }) => {
    const answer = await ask(query)

    expect([answer.status, answer.code, answer.issues]).toEqual([400, "VALIDATION_ERROR", [path]])
  })

  it("both scopes together are rejected, in a lookup too", async () => {
    const both = `pixelId=${server.pixelId}&domain=tidewater.example`

    for (const query of [both, `${both}&email=${jane}`]) {
      const answer = await ask(query)
      expect([answer.status, answer.code, answer.issues]).toEqual([
        400,
        "VALIDATION_ERROR",
        ["/query/domain"],
      ])
    }
  })

  it("address and domain are trimmed, and their length is counted in code points (1.5)", async () => {
    const blanks = "%20".repeat(320)

    expect((await ask(`email=${blanks}${jane}${blanks}`)).status).toBe(200)
    expect((await ask(`email=${encodeURIComponent("😀".repeat(320))}`)).status).toBe(404)
    expect((await ask(`domain=${blanks}tidewater.example${blanks}`)).status).toBe(200)
    expect((await ask(`domain=https://tidewater.example/${"x".repeat(300)}`)).status).toBe(200)
  })

  it("cursor together with page is rejected", async () => {
    const { meta } = await server.sdk.visitors.list()

    const answer = await ask(`page=1&cursor=${meta.nextCursor}`)

    expect([answer.status, answer.code]).toEqual([400, "VALIDATION_ERROR"])
  })

  it.each(["", "x", "x.y", "e30.e30", "x".repeat(10_000)])(
    "an invalid cursor gets a 400 INVALID_CURSOR: %#",
    async (cursor) => {
      const answer = await ask(`cursor=${cursor}`)

      expect([answer.status, answer.code]).toEqual([400, "INVALID_CURSOR"])
    },
  )

  it("a cursor for another window gets a 400 with the reason", async () => {
    const { meta } = await server.sdk.visitors.list()

    const error = await rejection(
      server.sdk.visitors.list({ timeframe: "30d", cursor: meta.nextCursor ?? "" }),
    )

    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ code: "INVALID_CURSOR", details: { reason: "scope" } })
  })

  it("a domain is compared in its normal form", async () => {
    const page = await server.sdk.visitors.list({ domain: " https://WWW.Tidewater.example/x " })

    expect([page.meta.scope.pixels, page.meta.total]).toEqual([1, 61])
  })

  it("an unknown domain gives an empty list, an unknown pixelId a 404", async () => {
    const page = await server.sdk.visitors.list({ domain: "unknown.example" })
    const error = await rejection(
      server.sdk.visitors.list({ pixelId: "00000000-0000-4000-8000-000000000000" }),
    )

    expect([page.data, page.meta.total, page.meta.scope]).toEqual([
      [],
      0,
      { pixels: 0, activePixels: 0, lastEventAt: null },
    ])
    expect(error).toBeInstanceOf(NotFoundError)
  })

  it("another organization's key sees nothing of it, by list, pixel, address or cursor", async () => {
    const stranger = await server.makeOrganization()
    const sdk = new Footfall({ baseUrl: server.url, apiKey: stranger.apiKey })
    const { meta } = await server.sdk.visitors.list()

    const page = await sdk.visitors.list({ timeframe: "all" })
    const errors = [
      await rejection(sdk.visitors.list({ pixelId: server.pixelId })),
      await rejection(sdk.visitors.get({ email: jane })),
      await rejection(sdk.visitors.list({ cursor: meta.nextCursor ?? "" })),
    ]

    expect([page.data, page.meta.total, page.meta.scope.pixels]).toEqual([[], 0, 1])
    expect(errors.map((error) => (error as { code?: string }).code)).toEqual([
      "NOT_FOUND",
      "NOT_FOUND",
      "INVALID_CURSOR",
    ])
  })
})

describe("responses", () => {
  it.each(["", "page=2", "timeframe=all&suppressed=only", "domain=unknown.example"])(
    "a list matches the wire schema, with nothing extra: %s",
    async (query) => {
      const answer = await server.get(`/v1/data?${query}`)
      const body: unknown = await answer.json()

      expect(answer.headers.get("content-type")).toBe("application/json")
      expect(Schema.decodeUnknownSync(VisitorList, exact)(body)).toEqual(body)
    },
  )

  it("a lookup matches the wire schema, with nothing extra", async () => {
    const body: unknown = await (await server.get(`/v1/data?email=${jane}`)).json()

    expect(Schema.decodeUnknownSync(VisitorLookUp, exact)(body)).toEqual(body)
  })

  it("the SDK reads every page and returns each visitor once", async () => {
    const hashes: Array<string> = []
    for await (const visitor of server.sdk.visitors.list()) hashes.push(visitor.emailHash)

    expect(hashes).toHaveLength(61)
    expect(new Set(hashes)).toEqual(
      new Set([...emails.map((email) => hashEmail(email).sha256), hashAlone]),
    )
  })

  it("a person known only by hash is listed without email, sha1 and md5", async () => {
    const page = await server.sdk.visitors.list({ page: 1 })
    const rest = await page.nextPage()

    const found = [...page.data, ...(rest?.data ?? [])].find(({ email }) => email === null)
    expect(found).toMatchObject({
      emailHash: hashAlone,
      emailHashes: { sha256: hashAlone, sha1: null, md5: null },
      emails: [],
      businessEmails: [],
      personalEmails: [],
      sessions: 1,
    })
  })
})

describe("fields", () => {
  it("are the only ones of each visitor, in their usual order", async () => {
    const answer = await server.get("/v1/data?fields=lastSeenAt,email,%20sessions,email")
    const { data, meta } = (await answer.json()) as Rows

    expect(data).toHaveLength(50)
    expect(data.map((row) => Object.keys(row))).toEqual(
      data.map(() => ["email", "sessions", "lastSeenAt"]),
    )
    expect(meta).toMatchObject({ total: 61, hasMore: true })
  })

  it("that are unknown are named", async () => {
    const answer = await server.get("/v1/data?fields=email,shoeSize")

    const issue = {
      path: "/query/fields",
      code: "unknown_field",
      message: 'Expected names of fields, and "shoeSize" is not one, received "email,shoeSize".',
    }
    expect(await answer.json()).toMatchObject({ error: { details: { issues: [issue] } } })
  })

  it("and limit may differ between the pages of one cursor", async () => {
    const first = await server.sdk.visitors.list({ limit: 40, fields: ["emailHash"] })
    const cursor = first.meta.nextCursor ?? ""
    const second = await server.sdk.visitors.list({ cursor, limit: 100, fields: ["email"] })

    expect(first.data).toHaveLength(40)
    expect(Object.keys(first.data[0]!)).toEqual(["emailHash"])
    expect(second.data).toHaveLength(21)
    expect(Object.keys(second.data[0]!)).toEqual(["email"])
  })

  it("are the only ones that the SDK types", async () => {
    const { data } = await server.sdk.visitors.list({ limit: 1, fields: ["email"] })

    expectTypeOf(data).toEqualTypeOf<ReadonlyArray<{ readonly email: string | null }>>()
    expect(data).toHaveLength(1)
  })
})

interface Rows {
  readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly meta: object
}

describe("the lookup by email", () => {
  it.each([jane, jane.toUpperCase(), `  ${jane}\t`])(
    "accepts the address in any case and with spaces: '%s'",
    async (email) => {
      expect((await server.sdk.visitors.get({ email })).email).toBe(jane)
    },
  )

  it("ignores page", async () => {
    const answer = await server.get(`/v1/data?email=${jane}&page=7`)

    expect(answer.status).toBe(200)
  })

  it.each([
    { why: "was never identified", query: "email=nobody@acme.example" },
    { why: "is outside the scope", query: `email=${jane}&domain=unknown.example` },
    { why: "is not suppressed", query: `email=${jane}&suppressed=only` },
    { why: "is suppressed", query: `email=${emails[1]}&suppressed=exclude` },
  ])("returns 404 for a person who $why", async ({ query }) => {
    const answer = await ask(query)

    expect([answer.status, answer.code]).toEqual([404, "NOT_FOUND"])
  })

  it("covers the whole history by default, and returns 404 outside a narrower window", async () => {
    const [past] = emails.slice(-1)
    await server.sql(
      `update session set started_at = started_at - interval '40 days',
         ended_at = ended_at - interval '40 days'
       where visitor_id = (select id from visitor where email = $1)`,
      [past],
    )
    await server.sql(
      `update visitor set last_seen_at = last_seen_at - interval '40 days' where email = $1`,
      [past],
    )

    const found = await server.sdk.visitors.get({ email: past! })
    const error = await rejection(server.sdk.visitors.get({ email: past!, timeframe: "30d" }))

    expect(found.sessions).toBe(1)
    expect(error).toBeInstanceOf(NotFoundError)
  })
})

describe("from (1.5.3)", () => {
  const [late, early] = [emails[2]!, emails[3]!]
  const [day, dayBefore] = ["2001-02-03", "2001-02-02"]

  beforeAll(async () => {
    for (const [email, at] of [
      [late, "2001-02-02T23:59:59.999Z"],
      [early, "2001-02-03T00:00:00Z"],
    ]) {
      await server.sql(
        `with moved as (update visitor set last_seen_at = $2 where email = $1 returning id)
         update session set started_at = $2, ended_at = $2 where visitor_id in (select id from moved)`,
        [email, at],
      )
    }
  })

  it("begins the period at 00:00 UTC of the day", async () => {
    const ruleAst = {
      version: 1,
      rule: { field: "behavior.pageviews", op: "gte", value: 1 },
    } as const
    const found = async (from: string) => [
      (await server.sdk.visitors.list({ from })).meta.total,
      (await server.sdk.visitors.query({ ruleAst, from })).meta.total,
    ]

    expect(await found(dayBefore)).toEqual([61, 61])
    expect(await found(day)).toEqual([60, 60])
    expect((await server.sdk.visitors.get({ email: early, from: day })).sessions).toBe(1)
    expect(await rejection(server.sdk.visitors.get({ email: late, from: day }))).toBeInstanceOf(
      NotFoundError,
    )
  })

  it("applies to companies, too", async () => {
    // A single company is counted whole.
    const suppressed = "include"
    const { data } = await server.sdk.companies.list({ from: day, suppressed })
    const whole = await server.sdk.companies.list({ from: dayBefore, suppressed })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

    expect(whole.data[0]!.sessions - data[0]!.sessions).toBe(1)
    expect((await server.sdk.companies.list({ from: tomorrow })).data).toEqual([])
    expect((await server.sdk.companies.get("acme.example", { from: day })).sessions).toBe(
      data[0]!.sessions,
    )
  })

  it("cannot be combined with a window in a query", async () => {
    const ruleAst = {
      version: 1,
      rule: { field: "behavior.pageviews", op: "gte", value: 1 },
    } as const

    const error = await rejection(server.sdk.visitors.query({ ruleAst, window: "7d", from: day }))

    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: "/body/from", code: "mutually_exclusive" }] },
    })
  })
})

const exact = { onExcessProperty: "error" } as const

async function visit(identity: { readonly email: string } | { readonly emailHash: string }) {
  const now = new Date().toISOString()
  const url = "https://tidewater.example/"
  const answer = await server.collect({
    v: 1,
    sentAt: now,
    anonymousId: crypto.randomUUID(),
    consent: "granted",
    timeZone: null,
    events: [
      { id: crypto.randomUUID(), type: "page", time: now, url, referrer: null, title: null },
      { id: crypto.randomUUID(), type: "identify", time: now, url, ...identity },
    ],
  })
  expect(answer.status).toBe(204)
}

/** Returns the status of a rejected request, its code and the paths of its issues. */
async function ask(query: string) {
  const response = await server.get(`/v1/data?${query}`)
  const { error } = (await response.json()) as {
    readonly error?: {
      readonly code: string
      readonly details?: { readonly issues?: ReadonlyArray<{ readonly path: string }> }
    }
  } // the envelope of an error; its members are compared
  return {
    status: response.status,
    code: error?.code,
    issues: error?.details?.issues?.map(({ path }) => path),
  }
}

const rejection = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => expect.fail("the request succeeded"),
    (error: unknown) => error,
  )
