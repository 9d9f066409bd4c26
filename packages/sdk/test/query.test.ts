// The qualification query and lists by offset: how an iteration continues and resumes, and that a
// query is retried as safely as a GET.

import { describe, expect, it } from "vitest"
import { ConnectionError, Footfall, type RuleAst } from "../src/index.ts"
import { collect } from "./support/collect.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, reset, succeed } from "./support/steps.ts"

const ruleAst: RuleAst = {
  version: 1,
  rule: { field: "behavior.pageviews", op: "gte", value: 3 },
}

const page = (rows: ReadonlyArray<string>, nextCursor: string | null) =>
  succeed(
    rows.map((email) => ({ email })),
    { nextCursor, hasMore: nextCursor !== null },
  )

const client = (server: { readonly baseUrl: string }) =>
  new Footfall({ apiKey, accessToken, baseUrl: server.baseUrl })

describe("visitors.query", () => {
  it("continues by cursor in the body, with the same query and without the first page's number", async () => {
    await using server = await scriptedServer([
      page(["a"], "c1"),
      page(["b"], "c2"),
      page([], null),
    ])

    const question = { ruleAst, window: "7d", limit: 10, suppressed: "only" } as const
    const visitors = await collect(client(server).visitors.query({ ...question, page: 3 }))

    expect(visitors).toEqual([{ email: "a" }, { email: "b" }])
    expect(server.received.map(({ body }) => JSON.parse(body))).toEqual([
      { ...question, page: 3 },
      { ...question, cursor: "c1" },
      { ...question, cursor: "c2" },
    ])
  })

  it("resumes an earlier iteration at its cursor", async () => {
    await using server = await scriptedServer([page(["b"], "c2"), page(["c"], null)])

    await collect(client(server).visitors.query({ segmentId: "s", cursor: "c1" }))

    expect(server.received.map(({ body }) => JSON.parse(body))).toEqual([
      { segmentId: "s", cursor: "c1" },
      { segmentId: "s", cursor: "c2" },
    ])
  })

  it("is retried after a failure, because it changes nothing", async () => {
    await using server = await scriptedServer([reset, page(["a"], null)])

    expect(await collect(client(server).visitors.query({ ruleAst }))).toHaveLength(1)
  })
})

describe("visitors.sessions", () => {
  it("sends visitor, window, scope and size with every page", async () => {
    await using server = await scriptedServer([page(["a"], "c1"), page(["b"], null)])

    await collect(
      client(server).visitors.sessions("ab", { timeframe: "all", pixelId: "p", limit: 1 }),
    )

    const question = { timeframe: "all", pixelId: "p", limit: "1" }
    expect(server.received.map(({ path }) => path)).toEqual([
      "/v1/data/visitors/ab/sessions",
      "/v1/data/visitors/ab/sessions",
    ])
    expect(server.received.map(({ query }) => Object.fromEntries(query))).toEqual([
      question,
      { ...question, cursor: "c1" },
    ])
  })

  it.each(["", "..", "."])(
    "rejects the visitor id %j, which would change the path",
    async (visitorId) => {
      await using server = await scriptedServer([])

      await expect(collect(client(server).visitors.sessions(visitorId))).rejects.toThrow(TypeError)
      await expect(client(server).visitors.erase(visitorId)).rejects.toThrow(TypeError)
      expect(server.received).toHaveLength(0)
    },
  )
})

describe("a list by offset", () => {
  const lists = [
    ["segments", (f: Footfall) => f.segments.list({ offset: 5, limit: 10 })],
    ["organizations", (f: Footfall) => f.organizations.list({ offset: 5, limit: 10 })],
    ["members", (f: Footfall) => f.members.list("o", { offset: 5, limit: 10 })],
    ["apiKeys", (f: Footfall) => f.apiKeys.list({ offset: 5, limit: 10 })],
  ] as const

  it.each(lists)(
    "%s replaces the offset with the cursor and keeps the size",
    async (_name, list) => {
      await using server = await scriptedServer([page(["a"], "c1"), page(["b"], null)])

      expect(await collect<unknown>(list(client(server)))).toHaveLength(2)
      expect(server.received.map(({ query }) => Object.fromEntries(query))).toEqual([
        { offset: "5", limit: "10" },
        { cursor: "c1", limit: "10" },
      ])
    },
  )
})

describe("retries after a failed connection", () => {
  const asked: ReadonlyArray<readonly [string, (f: Footfall) => Promise<unknown>, number]> = [
    ["segments.preview", (f) => f.segments.preview({ ruleAst }), 2],
    ["pixels.verify", (f) => f.pixels.verify("p"), 2],
    ["visitors.erase", (f) => f.visitors.erase("ab"), 2],
    ["pixels.delete", (f) => f.pixels.delete("p"), 2],
    ["segments.create", (f) => f.segments.create({ name: "n", ruleAst }), 2],
    ["pixels.create", (f) => f.pixels.create({ domain: "d.example" }), 2],
    ["pixels.update", (f) => f.pixels.update("p", { name: "n" }), 1],
    ["linkTokens.create", (f) => f.linkTokens.create({ people: [] }), 2],
    ["organizations.create", (f) => f.organizations.create({ name: "n", slug: "s" }), 2],
    ["members.add", (f) => f.members.add("o", { email: "a@b.example", role: "member" }), 2],
    ["members.invite", (f) => f.members.invite({ organizationId: "o", userId: "u" }), 2],
    ["apiKeys.create", (f) => f.apiKeys.create({ name: "n" }), 2],
    ["auth.login", (f) => f.auth.login({ email: "a@b.example", password: "p" }), 1],
    ["auth.refresh", (f) => f.auth.refresh({ refreshToken: "r" }), 1],
    ["imports.run", (f) => f.imports.run("people", "{}", { format: "ndjson" }), 1],
  ]

  it.each(asked)("%s is retried only if that is safe", async (_name, call, requests) => {
    await using server = await scriptedServer([reset, reset])
    const footfall = new Footfall({ apiKey, accessToken, baseUrl: server.baseUrl, maxRetries: 1 })

    await expect(call(footfall)).rejects.toThrow(ConnectionError)
    expect(server.received).toHaveLength(requests)
  })

  it("a create sends one key of its own with every attempt", async () => {
    await using server = await scriptedServer([reset, succeed({}), reset, succeed({}), succeed({})])
    const { segments } = client(server)

    await segments.create({ name: "n", ruleAst })
    await segments.create({ name: "n", ruleAst })
    await segments.create({ name: "n", ruleAst }, { idempotencyKey: "order-1042" })

    const keys = server.received.map(({ headers }) => headers["idempotency-key"])
    const [first, , second] = keys
    expect(keys).toEqual([first, first, second, second, "order-1042"])
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).not.toBe(first)
  })

  it("a create is retried after 429, because it was not processed", async () => {
    await using server = await scriptedServer([
      refuse(429, "RATE_LIMITED", { headers: { "retry-after": "0" } }),
      succeed({ id: "s" }),
    ])

    expect(await client(server).segments.create({ name: "n", ruleAst })).toEqual({ id: "s" })
  })
})
