// The names of built-in JavaScript properties, sent as every key and text that a stranger may choose, are handled like
// any other name. A custom trait or label begins with a letter, so `__proto__` is left out there, and no prototype ever
// changes.
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { startTestServer, type TestServer } from "../../src/app/testing.ts"
import "../support/database-setup.ts"

vi.stubEnv("TMPDIR", inject("temporaryDirectory"))
afterAll(() => void vi.unstubAllEnvs())

const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
  "then",
  "toJSON",
]
const stored = new Set(names.filter((name) => /^[A-Za-z]/.test(name)))
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"

/** As in JSON: `__proto__` is an ordinary member. */
const one = (name: string, value: unknown): object =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as object

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ domain: "tidewater.example" })
}, 120_000)
afterAll(() => server?.close())

/** Each a moment after the previous one. At the same time, the greater text would count. */
let moment = Date.now() - 60_000
const event = (type: string, more: object) => ({
  id: crypto.randomUUID(),
  type,
  time: new Date((moment += 10)).toISOString(),
  url: "https://tidewater.example/pricing",
  ...more,
})

const collect = async (events: ReadonlyArray<object>, more: object = {}) => {
  const answer = await fetch(`${server.url}/p/${server.pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": userAgent },
    body: JSON.stringify({
      v: 1,
      sentAt: new Date().toISOString(),
      anonymousId: crypto.randomUUID(),
      consent: "granted",
      events,
      ...more,
    }),
  })
  expect(answer.status).toBeLessThan(300)
}

/** With the API key, or the owner's token if a key isn't accepted. */
const call = async (method: string, path: string, body?: unknown, headers: object = {}) => {
  const isText = typeof body === "string"
  const send = (credential: object) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...credential,
        ...(body === undefined || isText ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
  const byKey = await send({ "x-api-key": server.apiKey })
  const answer =
    byKey.status === 401
      ? await send({ authorization: `Bearer ${server.owner.accessToken}` })
      : byKey
  return { status: answer.status, body: await answer.json() }
}

const visitorOf = async (email: string) => {
  const client = new Footfall({ baseUrl: server.url, apiKey: server.apiKey })
  return client.visitors.get({ email, timeframe: "all" })
}

describe("a name that every object inherits", () => {
  it("is an ordinary label of a visit, and `__proto__` is left out", async () => {
    for (const [place, name] of names.entries()) {
      await collect(
        [event("page", {}), event("identify", { email: `label${place}@acme.example` })],
        {
          attribution: one(name, "told"),
        },
      )
    }
    await server.identified()

    for (const [place, name] of names.entries()) {
      const { customAttribution } = await visitorOf(`label${place}@acme.example`)
      expect(customAttribution).toEqual(stored.has(name) ? one(name, "told") : {})
    }
  })

  it("is an ordinary custom trait, also twice in one session", async () => {
    for (const [place, name] of names.entries()) {
      const email = `trait${place}@acme.example`
      await collect([
        event("identify", { email, traits: { custom: one(name, "first"), ...one(name, "x") } }),
        event("track", { name, props: one(name, name) }),
        event("identify", { email, traits: { custom: one(name, name), firstName: name } }),
      ])
    }
    await server.identified()

    for (const [place, name] of names.entries()) {
      const visitor = await visitorOf(`trait${place}@acme.example`)
      expect(visitor.customAttribution).toEqual(stored.has(name) ? one(name, name) : {})
      expect(visitor).toMatchObject({ firstName: name })
    }
  })

  it("is not a content type, column or field of an import, but is plain text as a value", async () => {
    for (const name of names) {
      const types = await call("POST", "/v1/admin/import/people", "x", { "content-type": name })
      expect([name, types.status]).toEqual([name, 415])
      const kinds = await call("POST", `/v1/admin/import/${encodeURIComponent(name)}`, "x", {
        "content-type": "text/csv",
      })
      expect([name, kinds.status < 500, kinds.status >= 400]).toEqual([name, true, true])
      const column = await call("POST", "/v1/admin/import/people", `email,${name}\na@b.example,x`, {
        "content-type": "text/csv",
      })
      expect([name, column.status < 500]).toEqual([name, true])
      const member = await call(
        "POST",
        "/v1/admin/import/people",
        JSON.stringify({ ...one(name, "x"), email: "member@acme.example" }),
        { "content-type": "application/x-ndjson" },
      )
      expect(member).toMatchObject({
        status: 200,
        body: { data: { rejectedCount: 1, rejected: [{ reason: "unknown_field", field: name }] } },
      })
    }
    const rows = names.map((name, place) =>
      JSON.stringify({
        email: `label${place}@acme.example`,
        firstName: name,
        jobTitle: name,
        geo: { city: name },
      }),
    )
    const texts = await call("POST", "/v1/admin/import/people", rows.join("\n"), {
      "content-type": "application/x-ndjson",
    })
    expect(texts).toMatchObject({ status: 200, body: { data: { rejectedCount: 0 } } })
    for (const [place, name] of names.entries()) {
      const visitor = await visitorOf(`label${place}@acme.example`)
      expect(visitor).toMatchObject({ firstName: name, jobTitle: name, city: name })
    }
  })

  it("is rejected as a key, and accepted as text, by bodies and queries of the API", async () => {
    const bodies: ReadonlyArray<readonly [string, (name: string) => unknown]> = [
      ["/v1/data/suppression-rules", (name) => ({ rules: [{ type: name, value: name }] })],
      ["/v1/data/pixels", (name) => ({ domain: "x.example", ...one(name, 1) })],
      ["/v1/data/pixels", (name) => ({ domain: "x.example", settings: one(name, "x") })],
      ["/v1/data/segments", (name) => ({ name, rule: ruleOf(name, name) })],
      ["/v1/data/segments", (name) => ({ name, rule: one(name, name) })],
      ["/v1/data/query", (name) => ({ rule: ruleOf(name, "eq") })],
      ["/v1/data/webhooks", (name) => ({ url: "https://a.example/", trigger: name, name })],
      ["/v1/intent/audiences", (name) => ({ name, filters: one(name, [name]), topicIds: [1] })],
      [
        "/v1/intent/audiences/preview",
        (name) => ({ topicIds: [1], filters: { seniority: [name] } }),
      ],
    ]
    for (const name of names) {
      for (const [path, body] of bodies) {
        const { status } = await call("POST", path, body(name))
        expect([path, name, status]).toEqual([path, name, expect.toSatisfy(isHandled)])
      }
      const texts = ["/v1/data", "/v1/data/suppression-rules", "/v1/intent/topics"]
      for (const path of texts) {
        for (const query of [`${name}=1`, `q=${name}`, `timeframe=${name}`, `type=${name}`]) {
          const { status } = await call("GET", `${path}?${query}`)
          expect([path, query, status]).toEqual([path, query, expect.toSatisfy(isHandled)])
        }
      }
    }
  })

  it("has changed no prototype", () => {
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("x")
    expect(({} as Record<string, unknown>)["told"]).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

/** Neither a server error nor an error about the request's address or credentials. */
const isHandled = (status: number): boolean => status < 500 && ![401, 403, 404].includes(status)

const ruleOf = (field: string, operator: string) => ({
  version: 1,
  rule: { field, op: operator, value: field },
})
