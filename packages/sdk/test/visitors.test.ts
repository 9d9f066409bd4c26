// The visitor and pixel resources as a caller sees them, over a real connection.

import { describe, expect, it } from "vitest"
import { Footfall, NotFoundError, type Visitor } from "../src/index.ts"
import { apiKey } from "./support/credentials.ts"
import { collect } from "./support/collect.ts"
import { scriptedServer, type Step } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"

const page = (emails: ReadonlyArray<string>, nextCursor: string | null, number = 1): Step =>
  succeed(
    emails.map((email) => ({ email })),
    {
      page: number,
      hasMore: nextCursor !== null,
      nextCursor,
      total: 3,
      scope: { pixels: 1, activePixels: 1, lastEventAt: null },
    },
  )

const emailsOf = (visitors: ReadonlyArray<Visitor>): ReadonlyArray<string | null> =>
  visitors.map(({ email }) => email)

const pixelId = "cdd19037-47fb-4e21-a054-2da787925aea"

describe("visitors.list", () => {
  it("returns one page with its data, its meta and the next page when awaited", async () => {
    await using server = await scriptedServer([page(["a", "b"], "c1"), page(["c"], null, 2)])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const first = await footfall.visitors.list()
    const second = await first.nextPage()

    expect(emailsOf(first.data)).toEqual(["a", "b"])
    expect(first.meta).toMatchObject({ page: 1, total: 3, scope: { pixels: 1 } })
    expect(first.hasNextPage()).toBe(true)
    expect(second?.hasNextPage()).toBe(false)
    expect(await second?.nextPage()).toBeNull()
    expect(server.received).toHaveLength(2)
  })

  it("returns every visitor of every page in a loop", async () => {
    await using server = await scriptedServer([
      page(["a", "b"], "c1"),
      page([], "c2"),
      page(["c"], null),
    ])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const seen: Array<string | null> = []
    for await (const visitor of footfall.visitors.list()) seen.push(visitor.email)

    expect(seen).toEqual(["a", "b", "c"])
  })

  it("sends window, scope and filter with every page, and replaces the position with the cursor", async () => {
    await using server = await scriptedServer([page(["a"], "c&1="), page(["b"], null)])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const list = footfall.visitors.list({
      timeframe: "30d",
      pixelId,
      suppressed: "only",
      page: 3,
    })
    await collect(list)

    const common = { timeframe: "30d", pixelId, suppressed: "only" }
    expect(server.received.map(({ query }) => Object.fromEntries(query))).toEqual([
      { ...common, page: "3" },
      { ...common, cursor: "c&1=" },
    ])
  })

  it("resumes an earlier iteration at its cursor", async () => {
    await using server = await scriptedServer([page(["b"], null)])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    await footfall.visitors.list({ domain: "tidewater.example", cursor: "c1" })

    expect(Object.fromEntries(server.received[0]?.query ?? [])).toEqual({
      domain: "tidewater.example",
      cursor: "c1",
    })
  })

  it("requests a page only when the loop reaches it", async () => {
    await using server = await scriptedServer([page(["a", "b"], "c1"), page(["c"], null)])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const list = footfall.visitors.list()
    expect(server.received).toHaveLength(0)
    for await (const visitor of list) if (visitor.email === "b") break

    expect(server.received).toHaveLength(1)
  })

  it("yields whole pages to a loop over pages", async () => {
    await using server = await scriptedServer([page(["a"], "c1"), page(["b"], null, 2)])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const pages = await collect(footfall.visitors.list().pages())

    expect(pages.map(({ meta }) => meta.page)).toEqual([1, 2])
  })

  it.each(["await", "loop"] as const)("fails with the server's error, by %s", async (way) => {
    await using server = await scriptedServer([refuse(404, "NOT_FOUND")])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })
    const list = footfall.visitors.list({ pixelId })

    const failed = way === "await" ? (async () => list)() : collect(list)

    await expect(failed).rejects.toThrow(NotFoundError)
  })

  it("rejects a cursor that leads to itself instead of looping forever", async () => {
    await using server = await scriptedServer([page(["a"], "c1"), page(["b"], "c1")])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    await expect(collect(footfall.visitors.list())).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
    })
    expect(server.received).toHaveLength(2)
  })
})

describe("visitors.get", () => {
  it("sends the encoded email and returns the visitor with their journey", async () => {
    const record = { email: "jane+a@harbor.example", journey: { sessions: [] } }
    await using server = await scriptedServer([succeed(record)])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    const visitor = await footfall.visitors.get({
      email: "jane+a@harbor.example",
      timeframe: "90d",
      domain: "tidewater.example",
      suppressed: "exclude",
    })

    expect(visitor).toEqual(record)
    expect(server.received[0]?.path).toBe("/v1/data")
    expect(Object.fromEntries(server.received[0]?.query ?? [])).toEqual({
      email: "jane+a@harbor.example",
      timeframe: "90d",
      domain: "tidewater.example",
      suppressed: "exclude",
    })
  })

  it.each(["", "  "])("rejects the address %j, which would request the list", async (email) => {
    await using server = await scriptedServer([])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    await expect(footfall.visitors.get({ email })).rejects.toThrow(TypeError)
    expect(server.received).toHaveLength(0)
  })
})

describe("pixels.list", () => {
  it("returns the array of pixels", async () => {
    await using server = await scriptedServer([succeed([{ id: pixelId }])])
    const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })

    expect(await footfall.pixels.list()).toEqual([{ id: pixelId }])
    expect(server.received[0]?.path).toBe("/v1/data/pixels")
  })
})

describe("every request", () => {
  it("sends the key in one header and the SDK's version, and no credential in its URL", async () => {
    await using server = await scriptedServer([succeed([])])

    await new Footfall({ apiKey, baseUrl: `${server.baseUrl}/prefix/` }).pixels.list()

    const { headers, path, query } = server.received[0] ?? {}
    expect(headers).toMatchObject({
      "x-api-key": apiKey,
      "user-agent": "footfall-sdk/0.2.0",
      accept: "application/json",
    })
    expect(headers).not.toHaveProperty("authorization")
    expect(path).toBe("/prefix/v1/data/pixels")
    expect(String(query)).toBe("")
  })

  it("without a key is not sent", async () => {
    await using server = await scriptedServer([])
    const footfall = new Footfall({ baseUrl: server.baseUrl })

    await expect(footfall.pixels.list()).rejects.toMatchObject({ code: "CREDENTIALS_MISSING" })
    expect(server.received).toHaveLength(0)
  })

  it("does not follow a redirect, so that the key stays with its server", async () => {
    await using target = await scriptedServer([succeed([])])
    await using server = await scriptedServer([
      (response) => response.writeHead(307, { location: `${target.baseUrl}/v1/data/pixels` }).end(),
    ])

    const failed = new Footfall({ apiKey, baseUrl: server.baseUrl }).pixels.list()

    await expect(failed).rejects.toMatchObject({ status: 307, code: "INVALID_RESPONSE" })
    expect(target.received).toHaveLength(0)
  })
})
