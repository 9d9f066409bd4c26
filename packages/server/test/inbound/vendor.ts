// An inbound source, and requests to its URL as its vendor sends them.
import { randomUUID } from "node:crypto"
import { vi } from "vitest"
import type { TestOrganization, TestServer } from "../support/server.ts"

export type Json = Readonly<Record<string, unknown>>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- the calling test checks the shape
  readonly body: any
}

export const askAs =
  (server: TestServer, { apiKey }: Pick<TestOrganization, "apiKey">) =>
  async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { headers, status } = response
    return { status, headers, body: await response.json().catch(() => undefined) }
  }

/** Posts to a URL as a vendor does. */
export const sendTo =
  (url: () => string) =>
  async (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array
    const response = await fetch(url(), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: isRaw ? (body as string) : JSON.stringify(body),
    })
    const { status } = response
    return { status, headers: response.headers, body: await response.json().catch(() => undefined) }
  }

export const makeVendor = async (
  server: TestServer,
  settings: Json = {},
  organization?: TestOrganization,
) => {
  const of = organization ?? (await server.makeOrganization())
  const { organizationId, pixelId } = of
  const ask = askAs(server, of)
  const body = { name: "RB2B", pixelId, preset: "rb2b", ...settings }
  const created = await ask("POST", "/v1/data/inbound", body)
  const { inbound, url } = created.body.data
  // The tests' servers have the public URL of the first one.
  let token = url.slice(url.lastIndexOf("/") + 1)
  const { id } = inbound
  const path = `/v1/data/inbound/${id}`
  const [{ domain }] = (await server.sql("select domain from pixel where id = $1", [
    pixelId,
  ])) as ReadonlyArray<{ domain: string }> as [{ domain: string }]

  const keeps = settings["status"] !== "paused"
  let expected = 0
  /** A busy server keeps a request on its disk first. */
  const settled = () =>
    vi.waitFor(
      async () => {
        const [row] = await server.sql(
          "select coalesce(sum(records), 0)::int as records from inbound_request where source_id = $1",
          [id],
        )
        if (Number(row!["records"]) < expected) throw new Error("records wait in the spool")
      },
      { timeout: 30_000, interval: 25 },
    )
  const post = sendTo(() => `${server.url}/in/${token}`)

  return {
    ...of,
    id,
    path,
    ask: async (...request: Parameters<typeof ask>) => {
      await settled()
      if (request[0] === "DELETE" && request[1] === path) expected = 0
      return ask(...request)
    },
    domain,
    created,
    get url() {
      return `${server.url}/in/${token}`
    },
    set token(value: string) {
      token = value
    },
    send: async (...request: Parameters<typeof post>) => {
      const reply = await post(...request)
      if (reply.status === 200 && keeps) expected += reply.body.data.accepted
      return reply
    },
    /** What became of the records, by outcome, over all requests. */
    outcomes: async () => {
      await settled()
      const { body: answer } = await ask("GET", `${path}/history`)
      const counts: Record<string, number> = {}
      for (const { outcomes } of answer.data) {
        for (const { outcome, records } of outcomes) {
          counts[outcome] = (counts[outcome] ?? 0) + records
        }
      }
      return counts
    },
    history: async () => {
      await settled()
      return (await ask("GET", `${path}/history`)).body.data
    },
    visitors: async () => {
      await settled()
      await server.drain()
      return (await ask("GET", "/v1/data?timeframe=all&limit=100")).body.data as ReadonlyArray<Json>
    },
    companies: async () => {
      await settled()
      await server.drain()
      return (await ask("GET", "/v1/data/companies?timeframe=all")).body.data as ReadonlyArray<Json>
    },
    events: async () => {
      await settled()
      await server.drain()
      return server.sql(
        `select type, url, occurred_at, payload from event
         where organization_id = $1 order by occurred_at, type`,
        [organizationId],
      )
    },
  }
}

/** A record of RB2B about a new person. */
export const person = (change: Json = {}): Json => ({
  "Business Email": `${randomUUID()}@harbor.example`,
  "First Name": "Jane",
  "Last Name": "Mercer",
  "Company Name": "Harbor Logistics",
  Website: "https://harbor.example",
  "Employee Count": "51-200",
  ...change,
})
