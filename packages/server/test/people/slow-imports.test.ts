// Imports whose body arrives slowly or never ends (spec 5.14): they delay no other organization, one organization has
// one import at a time, and a waiting request gets an answer. Those that wait for a time limit run side by side.
import { once } from "node:events"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { putTopics } from "../audiences/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { daysAgo } from "../topics/signals-layer.ts"
import { ndjson, sha256 } from "./people-layer.ts"

let server: TestServer
const dripping = new Set<NodeJS.Timeout>()

beforeAll(async () => {
  server = await startServer()
  await server.sql("update organization set is_operator = true where id = $1", [
    server.organizationId,
  ])
  await putTopics(server, [1])
})
afterAll(async () => {
  dripping.forEach(clearInterval)
  await server.close()
})

/** The token of an owner of a new organization. */
const newOwner = async (): Promise<string> => {
  const { organizationId } = await server.makeOrganization()
  return (await server.makeUser("owner", organizationId)).accessToken
}

const kinds = {
  people: (id: number) => ({ email: `p${id}@harbor.example` }),
  "identity-links": (id: number) => ({
    kind: "external_id",
    value: `crm-${id}`,
    emailHash: sha256(`p${id}@harbor.example`),
  }),
  signals: (id: number) => ({
    topicId: 1,
    emailHash: sha256(`p${id}@harbor.example`),
    score: 70,
    date: daysAgo(0),
  }),
  topics: (id: number) => ({
    topicId: 100_000 + id,
    topicName: `Topic ${id}`,
    type: "b2b",
    industry: "logistics",
    category: "software",
  }),
} as const
const rows = (count: number, kind: keyof typeof kinds = "people") =>
  ndjson(Array.from({ length: count }, (_, id) => kinds[kind](id)))

/** A few very long rows: little work, but at the minimum speed they take half a minute. */
const wideRows = (kind: keyof typeof kinds) =>
  rows(600, kind).replaceAll("\n", `${" ".repeat(4_000)}\n`)

const begin = (owner: string, kind: string): ClientRequest => {
  const sending = request(`${server.url}/v1/admin/import/${kind}`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${owner}`, "content-type": "application/x-ndjson" },
  })
  // The server closes the connection of a body that it doesn't read.
  sending.on("error", () => undefined)
  return sending
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: {
    readonly data?: { readonly inserted: number }
    readonly error?: { readonly code: string; readonly details: Readonly<Record<string, number>> }
  }
}

const answerOf = async (sending: ClientRequest): Promise<Answer> => {
  const [response] = (await once(sending, "response")) as [IncomingMessage]
  const body = JSON.parse(await text(response)) as Answer["body"]
  return { status: response.statusCode, headers: response.headers, body }
}

/** Sends the beginning, and then single bytes for as long as possible. */
const drip = (owner: string, kind: string, beginning = ""): ClientRequest => {
  const sending = begin(owner, kind)
  sending.write(`${beginning}\n`)
  const timer = setInterval(() => sending.write(" "), 100)
  dripping.add(timer)
  sending.once("close", () => clearInterval(timer))
  return sending
}

const send = (owner: string, kind: string, body: string): Promise<Answer> => {
  const sending = begin(owner, kind)
  sending.end(body)
  return answerOf(sending)
}

describe("a body that drips", () => {
  it.each(["people", "identity-links", "signals"] as const)(
    "delays no import of %s by another organization, no matter how many do so",
    async (kind) => {
      const drips = await Promise.all(
        Array.from({ length: 20 }, async () => drip(await newOwner(), kind)),
      )
      let ended = 0
      for (const sending of drips) sending.once("close", () => ended++)

      const answer = await send(await newOwner(), kind, rows(3, kind))

      expect([answer.status, answer.body.data?.inserted]).toEqual([200, 3])
      expect(ended).toBe(0)
      for (const sending of drips) sending.destroy()
    },
  )

  it("of topics delays no signals of another organization, although both use the catalog", async () => {
    const operator = (await server.makeUser("owner")).accessToken
    const sending = drip(operator, "topics", rows(3_000, "topics"))
    await vi.waitFor(
      async () => {
        const [row] = await server.sql("select count(*)::int as topics from topic")
        expect(row?.["topics"]).toBeGreaterThanOrEqual(2_000)
      },
      { timeout: 60_000, interval: 100 },
    )

    const answer = await send(await newOwner(), "signals", rows(3, "signals"))

    expect([answer.status, answer.body.data?.inserted]).toEqual([200, 3])
    sending.destroy()
  })

  it("of signals delays none of another organization, although both assign numbers to people", async () => {
    const sending = drip(await newOwner(), "signals", rows(70_000, "signals"))
    await vi.waitFor(
      async () => expect(await server.sql("select from signal_staged limit 1")).toHaveLength(1),
      { timeout: 60_000, interval: 100 },
    )

    const answer = await send(await newOwner(), "signals", rows(3, "signals"))

    expect([answer.status, answer.body.data?.inserted]).toEqual([200, 3])
    sending.destroy()
  })

  it.concurrent.each([
    ["people", 20_000, 25_000],
    // A date of signals is stored as a whole or not at all.
    ["signals", 0, 0],
  ] as const)(
    "of %s gets a 408 with the imported counts, and the server closes its connection",
    async (kind, least, most) => {
      const sending = drip(await newOwner(), kind, rows(25_000, kind))
      const closed = once(sending, "close")

      const { body, headers, status } = await answerOf(sending)

      expect([status, body.error?.code]).toEqual([408, "REQUEST_TIMEOUT"])
      expect(body.error?.details["inserted"]).toBeGreaterThanOrEqual(least)
      expect(body.error?.details["inserted"]).toBeLessThanOrEqual(most)
      expect(headers.connection).toBe("close")
      await closed
    },
  )

  it.each(["people", "signals"] as const)(
    "of %s gives up its place when others wait, no matter how much it sent at first",
    async (kind) => {
      const holders = await Promise.all(
        Array.from({ length: 5 }, async () => drip(await newOwner(), kind, wideRows(kind))),
      )
      const answer = await send(await newOwner(), kind, rows(3, kind))

      expect([answer.status, answer.body.data?.inserted]).toEqual([200, 3])
      for (const sending of holders) sending.destroy()
    },
  )

  it.concurrent("blocks another import of its organization, which gets a 503 with Retry-After", async () => {
    const owner = await newOwner()
    drip(owner, "people")
    const { body, headers, status } = await send(owner, "identity-links", rows(3, "identity-links"))

    expect([status, body.error?.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1)
    expect(headers.connection).toBe("close")
  })
})
