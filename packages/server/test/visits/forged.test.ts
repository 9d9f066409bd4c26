// What no real script sends: replayed batches, forged ones, and clocks that are wrong by years (H6). Over HTTP and
// through identification; the tests read the tables and the API.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Footfall } from "@footfall/sdk"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { presentBatch, presentEvent, send } from "./send.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const at = ({ pixelId }: Pick<TestOrganization, "pixelId">) => ({ url: server.url, pixelId })

/** Every stored event of an organization. */
const events = ({ organizationId }: Pick<TestOrganization, "organizationId">) =>
  server.sql(
    `select id, occurred_at, received_at from event where organization_id = $1
     union all
     select id, occurred_at, received_at from event_inbox where organization_id = $1`,
    [organizationId],
  )

describe("H3: a batch sent again", () => {
  it("a hundred times concurrently and a hundred times later is one event and one page view", async () => {
    const organization = await server.makeOrganization()
    const text = JSON.stringify(
      presentBatch({
        events: [
          presentEvent(),
          presentEvent({ type: "identify", email: "jane@harbor-logistics.example" }),
        ],
      }),
    )
    const many = () => Promise.all(Array.from({ length: 100 }, () => send(at(organization), text)))

    await many()
    await server.drain()
    const again = await many()
    await server.drain()

    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([204]))
    expect(await events(organization)).toHaveLength(2)
    const sdk = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
    const { data } = await sdk.visitors.list({ timeframe: "24h" })
    expect(data.map(({ pageviews, sessions }) => [pageviews, sessions])).toEqual([[1, 1]])
  })
})

describe("H4: a forged batch", () => {
  /** Everything in a response except what differs between requests. */
  const shape = async (response: Response) => {
    const { date: _, "x-request-id": id, ...headers } = Object.fromEntries(response.headers)
    expect(id).toMatch(/^req_/)
    return { status: response.status, body: await response.text(), headers }
  }

  it("gets the same response as any other, and is not stored", async () => {
    const victim = await server.makeOrganization()
    const suspended = await server.makeOrganization("suspended")
    const paused = await server.makeOrganization()
    const deleted = await server.makeOrganization()
    const filtered = await server.makeOrganization()
    const set = (assignment: string, { pixelId }: TestOrganization) =>
      server.sql(`update pixel set ${assignment} where id = $1`, [pixelId])
    await set("status = 'paused', paused_reason = 'manual'", paused)
    await set("deleted_at = now()", deleted)
    await set("excluded_paths = '{/private}'", filtered)
    const good = await shape(await send(at(victim), JSON.stringify(presentBatch())))
    const before = await server.sql("select id from event_inbox union all select id from event")

    const page = (url: string) => JSON.stringify(presentBatch({ events: [presentEvent({ url })] }))
    const forged: ReadonlyArray<readonly [Pick<TestOrganization, "pixelId">, string]> = [
      [victim, page("https://attacker.example/")],
      [victim, page("https://tidewater.example.attacker.example/")],
      [victim, page("https://tidewater.example@attacker.example/")],
      [victim, page("javascript:alert(1)")],
      [filtered, page("https://tidewater.example/private/x")],
      [suspended, page("https://tidewater.example/")],
      [paused, page("https://tidewater.example/")],
      [deleted, page("https://tidewater.example/")],
      [{ pixelId: crypto.randomUUID() }, page("https://tidewater.example/")],
      [{ pixelId: "no-uuid" }, page("https://tidewater.example/")],
      [victim, "{}"],
      [victim, ""],
    ]
    const answers = await Promise.all(
      forged.map(async ([to, text]) => shape(await send(at(to), text))),
    )

    expect(answers).toEqual(forged.map(() => good))
    const after = await server.sql("select id from event_inbox union all select id from event")
    expect(after).toHaveLength(before.length)
  })

  it("with a known event id on another pixel does not affect the first", async () => {
    const [first, second] = [await server.makeOrganization(), await server.makeOrganization()]
    const text = JSON.stringify(presentBatch())

    await send(at(first), text)
    await send(at(second), text)
    await server.drain()

    expect(await events(first)).toHaveLength(1)
    expect(await events(second)).toHaveLength(1)
  })
})

describe("H6: a clock that is ten years wrong", () => {
  const tenYearsMs = 10 * 365 * 86_400_000
  const moved = (ms: number) => new Date(Date.now() + ms).toISOString()

  it.each([
    ["the browser's clock is late", -tenYearsMs, -tenYearsMs],
    ["the browser's clock is early", tenYearsMs, tenYearsMs],
    ["an event is late", -tenYearsMs, 0],
    ["an event is early", tenYearsMs, 0],
    ["it was set right after a late event", 0, -tenYearsMs],
    ["it was set right after an early event", 0, tenYearsMs],
  ])("%s: stored with the time of receipt, at most a day before it", async (_, event, sent) => {
    const organization = await server.makeOrganization()
    const askedAt = Date.now()
    const pages = [moved(event - 2_000), moved(event - 1_000)].map((time) => presentEvent({ time }))
    const identify = presentEvent({
      type: "identify",
      time: moved(event),
      email: "tom@harbor-logistics.example",
    })

    const batch = presentBatch({ sentAt: moved(sent), events: [...pages, identify] })
    await send(at(organization), JSON.stringify(batch))
    await server.drain()

    const stored = (await events(organization)).map(({ occurred_at, received_at }) => [
      Number(occurred_at),
      Number(received_at),
    ])
    expect(stored).toHaveLength(3)
    for (const [occurredAt = 0, receivedAt = 0] of stored) {
      expect(receivedAt).toBeGreaterThanOrEqual(askedAt - 1_000)
      expect(occurredAt).toBeLessThanOrEqual(receivedAt)
      expect(occurredAt).toBeGreaterThanOrEqual(receivedAt - 86_400_000)
    }
    const sdk = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
    const { data } = await sdk.visitors.list({ timeframe: "all" })
    const { data: sessions } = await sdk.visitors.sessions(data[0]!.emailHash, {
      timeframe: "all",
    })
    expect(sessions.map(({ pageviews }) => pageviews)).toEqual([2])
    expect(Date.parse(sessions[0]!.startTime)).toBeLessThanOrEqual(Date.parse(sessions[0]!.endTime))
  })
})
