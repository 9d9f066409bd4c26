// A pixel with a write key, and messages sent to it in the contract's form.
import { Footfall } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import type { TestOrganization, TestServer } from "../support/server.ts"

export type Json = Readonly<Record<string, unknown>>

export interface TrackingReply {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly success?: true
    readonly rejected?: ReadonlyArray<{ readonly index: number; readonly reason: string }>
    readonly error?: { readonly code: string; readonly message: string; readonly details?: Json }
  }
}

export const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`

export const makeSource = async (server: TestServer, organization?: TestOrganization) => {
  const of = organization ?? (await server.makeOrganization())
  const { apiKey, organizationId, pixelId } = of
  const sdk = new Footfall({ baseUrl: server.url, apiKey })
  const keyOf = (kind: "server" | "browser") =>
    sdk.pixels.writeKeys.create(pixelId, { name: kind, kind })
  const { key, writeKey } = await keyOf("server")
  const browser = await keyOf("browser")
  const { domain } = await sdk.pixels.get(pixelId)

  const post = async (
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TrackingReply> => {
    const isRaw = typeof body === "string" || body instanceof Uint8Array
    const response = await fetch(`${server.url}/v1/${path}`, {
      method: "POST",
      headers: { authorization: basic(writeKey), "content-type": "application/json", ...headers },
      body: isRaw ? (body as string) : JSON.stringify(body),
    })
    // The calling test checks the shape.
    const read = (await response.json()) as TrackingReply["body"]
    return { status: response.status, headers: response.headers, body: read }
  }

  return {
    ...of,
    domain,
    sdk,
    key,
    writeKey,
    browserKey: browser.writeKey,
    /** Sends with the server key, unless the headers contain another. */
    post,
    batch: (...messages: ReadonlyArray<unknown>) => post("batch", { batch: messages }),
    /** Sends with the browser key in the body, as the browser's client does. */
    fromBrowser: (...messages: ReadonlyArray<unknown>) =>
      post(
        "batch",
        { batch: messages, writeKey: browser.writeKey },
        { authorization: "", "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/145.0" },
      ),
    page: (change: Json = {}): Json => ({
      type: "page",
      anonymousId: randomUUID(),
      messageId: randomUUID(),
      context: { page: { url: `https://${domain}/pricing` } },
      ...change,
    }),
    visitors: async () => {
      await server.drain()
      return (await sdk.visitors.list({ timeframe: "all" })).data
    },
    events: async () => {
      await server.drain()
      return server.sql(
        `select id, type, anonymous_id, url, occurred_at, payload from event
         where organization_id = $1 order by occurred_at, id`,
        [organizationId],
      )
    },
  }
}
