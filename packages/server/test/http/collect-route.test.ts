// The collect route on the wire (spec 6.3): its two adapters, one for the socket and one in the router for embedding
// applications, return the same responses. test/visits tests what is stored.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const browser = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0"

const doors = [
  ["the socket", (path: string, init?: RequestInit) => fetch(server.url + path, init)],
  [
    "the embedded handler",
    (path: string, init?: RequestInit) =>
      server.embedded.fetch(new Request(server.url + path, init)),
  ],
] as const

const batch = (change: object = {}) => {
  const time = new Date().toISOString()
  return {
    v: 1,
    sentAt: time,
    anonymousId: randomUUID(),
    consent: "granted",
    events: [{ id: randomUUID(), type: "page", time, url: "https://tidewater.example/" }],
    ...change,
  }
}

const storedIds = async () => (await server.sql("select id from event_inbox")).map(({ id }) => id)

describe.each(doors)("through %s", (_, send) => {
  const path = (pixelId = server.pixelId) => `/p/${pixelId}/e`
  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    to = path(),
    headers: Record<string, string> = {},
  ) =>
    send(to, {
      method: "POST",
      headers: { "content-type": "text/plain", "user-agent": browser, ...headers },
      body,
    })

  const expectNoContent = async (response: Response) => {
    expect(response.status).toBe(204)
    expect(await response.text()).toBe("")
    const { "x-request-id": id, ...headers } = Object.fromEntries(response.headers)
    expect(id).toMatch(/^req_[0-9a-z]{26}$/)
    // A response without a body can't be sniffed, so one adapter leaves out the header.
    const unspecified = ["date", "connection", "keep-alive", "x-content-type-options"]
    for (const name of unspecified) delete headers[name]
    expect(headers).toEqual({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "retry-after",
      "cross-origin-resource-policy": "cross-origin",
    })
  }

  it.each(["text/plain", "text/plain;charset=UTF-8", "application/json"])(
    "stores a batch sent as %s and returns 204",
    async (type) => {
      const sent = batch()

      await expectNoContent(await post(JSON.stringify(sent), path(), { "content-type": type }))

      expect(await storedIds()).toContain(sent.events[0]?.id)
    },
  )

  it("returns the same 204 for batches dropped on purpose", async () => {
    const suspended = await server.makeOrganization("suspended")
    const before = await storedIds()

    await expectNoContent(await post(JSON.stringify(batch()), path(randomUUID())))
    await expectNoContent(await post(JSON.stringify(batch()), path("no-uuid")))
    await expectNoContent(await post(JSON.stringify(batch()), path(suspended.pixelId)))
    await expectNoContent(await post("{"))
    await expectNoContent(await post(""))
    await expectNoContent(await post("[".repeat(60_000)))
    await expectNoContent(await post(new Uint8Array([0xff, 0xfe])))
    await expectNoContent(await post(JSON.stringify(batch({ v: 2 }))))
    await expectNoContent(
      await post(JSON.stringify(batch()), path(), { "user-agent": "Googlebot" }),
    )

    expect(await storedIds()).toEqual(before)
  })

  it("accepts 65,536 bytes, and returns 413 in the envelope for one more", async () => {
    const sized = (bytes: number) => {
      const text = JSON.stringify(batch())
      return text + " ".repeat(bytes - text.length)
    }

    await expectNoContent(await post(sized(65_535)))
    await expectNoContent(await post(sized(65_536)))
    const response = await post(sized(65_537))
    expect(response.status).toBe(413)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(await response.json()).toMatchObject({
      error: { code: "PAYLOAD_TOO_LARGE", details: { limitBytes: 65_536 } },
      meta: { request_id: response.headers.get("x-request-id") },
    })
  })

  it("cuts a stream without a length at the same limit", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
    })
    const init: RequestInit & { readonly duplex: "half" } = { method: "POST", body, duplex: "half" }

    // A client may see the closed connection before it has read the response.
    const status = await send(path(), init).then(
      (response) => response.status,
      () => "closed",
    )

    expect([413, "closed"]).toContain(status)
  })

  it("answers OPTIONS with 204 and the headers a preflight needs", async () => {
    const response = await send(path(), { method: "OPTIONS" })

    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "86400",
      "x-request-id": expect.stringMatching(/^req_/),
    })
    expect(response.headers.get("access-control-allow-credentials")).toBeNull()
  })

  it.each(["GET", "PUT", "DELETE", "PATCH"])("answers %s with 405 and Allow", async (method) => {
    const response = await send(path(), { method })

    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toBe("OPTIONS, POST")
    expect(await response.json()).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } })
  })

  it("ignores a query, but treats a trailing slash as another path", async () => {
    await expectNoContent(await post(JSON.stringify(batch()), `${path()}?a=b`))
    expect((await post("{}", `${path()}/`)).status).toBe(404)
  })
})
