// POST /v1/data/link-tokens, and what a mail link does: a page view with a token identifies the browser as the person
// and attaches its earlier sessions (spec 5.1, 6.7, 10.2).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { sha256 } from "./people-layer.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const jane = "jane@harbor.example"

const create = async (body: object, apiKey = server.apiKey) => {
  const response = await fetch(`${server.url}/v1/data/link-tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify(body),
  })
  const json = (await response.json()) as {
    readonly data: {
      readonly tokens: ReadonlyArray<{ readonly emailHash: string; readonly token: string }>
      readonly expiresAt: string
    }
    readonly error: {
      readonly details: {
        readonly issues: ReadonlyArray<{ readonly path: string; readonly code: string }>
      }
    }
  }
  return { status: response.status, headers: response.headers, ...json }
}

const page = (anonymousId: string, fields: object = {}, batch: object = {}) =>
  server.collect({
    v: 1,
    sentAt: new Date().toISOString(),
    anonymousId,
    consent: "granted",
    events: [
      {
        id: randomUUID(),
        type: "page",
        time: new Date().toISOString(),
        url: "https://tidewater.example/offer",
        ...fields,
      },
    ],
    ...batch,
  })

/** The owners of a browser's sessions, by hash. */
const ownersOf = async (anonymousId: string) => {
  await server.drain()
  const found = await server.sql(
    `select v.email_hash from session s
     left join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
     where s.anonymous_id = $1 order by s.started_at`,
    [anonymousId],
  )
  return found.map((row) => row["email_hash"])
}

describe("link tokens", () => {
  it("are created for each person, in order, for 90 days by default", async () => {
    const before = Date.now()
    const { data, headers, status } = await create({
      people: [{ email: ` ${jane.toUpperCase()} ` }, { emailHash: "AB".repeat(32) }],
    })

    expect(status).toBe(201)
    expect(data.tokens.map(({ emailHash }) => emailHash)).toEqual([sha256(jane), "ab".repeat(32)])
    const madeAt = Date.parse(data.expiresAt) - 90 * 86_400_000
    // Whole seconds, as in the token.
    expect(madeAt % 1_000).toBe(0)
    expect(madeAt).toBeGreaterThan(before - 1_000)
    expect(madeAt).toBeLessThan(Date.now() + 1_000)
    expect(headers.get("x-request-id")).toMatch(/^req_/)
  })

  it("are created for 1 to 1,000 people and for 1 to 365 days", async () => {
    const people = (count: number) => Array.from({ length: count }, () => ({ email: jane }))
    const statuses = async (...bodies: ReadonlyArray<object>) =>
      Promise.all(bodies.map(async (body) => (await create(body)).status))

    expect(
      await statuses(
        { people: people(1_000), expiresInDays: 1 },
        { people: people(1), expiresInDays: 365 },
      ),
    ).toEqual([201, 201])
    expect(
      await statuses(
        { people: [] },
        { people: people(1_001) },
        { people: people(1), expiresInDays: 0 },
        { people: people(1), expiresInDays: 366 },
        { people: people(1), expiresInDays: 1.5 },
        { people: [{ email: "jane" }] },
        { people: [{ emailHash: "abc" }] },
        { people: [{ email: jane, emailHash: sha256(jane) }] },
        { people: [{}] },
        {},
      ),
    ).toEqual(Array.from({ length: 10 }, () => 400))
  })

  it("are rejected with the name of the invalid field", async () => {
    const faults = async (person: object) =>
      (await create({ people: [{ email: jane }, person] })).error.details.issues.map(
        ({ code, path }) => `${path} ${code}`,
      )

    expect(await faults({ emailHash: "abc" })).toEqual(["/body/people/1/emailHash format"])
    expect(await faults({ email: "jane" })).toEqual(["/body/people/1/email format"])
    expect(await faults({ email: jane, name: "Jane" })).toEqual([
      "/body/people/1/name unknown_field",
    ])
    expect(await faults({ email: jane, emailHash: sha256(jane) })).toHaveLength(1)
    expect(await faults({})).toHaveLength(1)
  })

  it("have a separate limit: 60 per minute and key", async () => {
    const limited = await startServer({ rateLimits: true, beside: server })
    try {
      const response = await fetch(`${limited.url}/v1/data/link-tokens`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": server.apiKey },
        body: JSON.stringify({ people: [{ email: jane }] }),
      })
      expect(response.headers.get("ratelimit-limit")).toBe("60")
      expect(response.headers.get("ratelimit-remaining")).toBe("59")
    } finally {
      await limited.close()
    }
  })
})

describe("a page view with a token", () => {
  it("identifies the browser with its earlier sessions, and does not count as a conversion", async () => {
    const browser = randomUUID()
    const [{ token } = { token: "" }] = (await create({ people: [{ email: jane }] })).data.tokens

    await page(browser)
    expect(await ownersOf(browser)).toEqual([null])
    await page(browser, { linkToken: token })

    expect(await ownersOf(browser)).toEqual([sha256(jane)])
    const [session] = await server.sql("select converted from session where anonymous_id = $1", [
      browser,
    ])
    expect(session).toEqual({ converted: false })
    const stored = await server.sql("select payload::text from event where anonymous_id = $1", [
      browser,
    ])
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  it("from another organization, or modified, identifies no one", async () => {
    const browser = randomUUID()
    const other = await server.makeOrganization()
    const [foreign] = (await create({ people: [{ email: jane }] }, other.apiKey)).data.tokens
    const [own] = (await create({ people: [{ email: jane }] })).data.tokens

    await page(browser, { linkToken: foreign!.token })
    await page(browser, { linkToken: `${own!.token.slice(0, -2)}AA` })
    await page(browser, { linkToken: "none" })

    expect(await ownersOf(browser)).toEqual([null])
  })

  it("under a privacy signal identifies no one", async () => {
    const browser = randomUUID()
    const [own] = (await create({ people: [{ email: "gpc@harbor.example" }] })).data.tokens
    await page(browser, { linkToken: own!.token }, { gpc: true })
    await server.drain()
    expect(
      await server.sql("select 1 from visitor where email_hash = $1", [own!.emailHash]),
    ).toEqual([])
  })
})
