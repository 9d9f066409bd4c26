// The rate limits of spec 10: exact across all servers of a database.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ rateLimits: true, workers: false })
})
afterAll(() => server.close())
// Every test counts from 0.
beforeEach(() => server.sql("truncate rate_limit"))

const path = "/v1/data/pixels"

/** Sends concurrent requests. Returns the number of responses per status. */
const burst = async (count: number, send: (index: number) => Promise<Response>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)))
  const statuses = answers.map(({ status }) => status)
  return Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((s) => s === status).length]),
  )
}

const numberOf = (response: Response, name: string) => Number(response.headers.get(name) ?? NaN)

/** Ends the current windows, as if 60 seconds had passed. */
const endWindows = () => server.sql("update rate_limit set window_ends_at = now()")

describe("60 requests per minute and key", () => {
  it("the 60th is accepted, the 61st is rejected with Retry-After", async () => {
    expect(await burst(59, () => server.get(path))).toEqual({ 200: 59 })

    const last = await server.get(path)
    const refused = await server.get(path)

    expect(last.status).toBe(200)
    expect(last.headers.get("ratelimit-limit")).toBe("60")
    expect(last.headers.get("ratelimit-remaining")).toBe("0")
    expect(last.headers.get("retry-after")).toBeNull()
    const retryAfterSeconds = numberOf(refused, "retry-after")
    expect(await refused.json()).toMatchObject({
      error: { code: "RATE_LIMITED", details: { retryAfterSeconds } },
      meta: { request_id: refused.headers.get("x-request-id") },
    })
    expect(refused.status).toBe(429)
    expect(refused.headers.get("ratelimit-limit")).toBe("60")
    expect(refused.headers.get("ratelimit-remaining")).toBe("0")
    expect(numberOf(refused, "ratelimit-reset")).toBe(retryAfterSeconds)
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
    expect(retryAfterSeconds).toBeLessThanOrEqual(60)
  })

  it("counts down, and says when the window ends", async () => {
    const first = await server.get(path)
    const second = await server.get(path)

    expect(numberOf(first, "ratelimit-remaining")).toBe(59)
    expect(numberOf(first, "ratelimit-reset")).toBe(60)
    expect(numberOf(second, "ratelimit-remaining")).toBe(58)
    expect(numberOf(second, "ratelimit-reset")).toBeLessThanOrEqual(60)
  })

  it("names the limit, its window and what is left in the fields of the IETF draft", async () => {
    const first = await server.get(path)
    await burst(59, () => server.get(path))
    const refused = await server.get(path)

    expect(first.headers.get("ratelimit-policy")).toBe('"pixels";q=60;w=60')
    expect(first.headers.get("ratelimit")).toBe('"pixels";r=59;t=60')
    expect(refused.status).toBe(429)
    expect(refused.headers.get("ratelimit-policy")).toBe('"pixels";q=60;w=60')
    expect(refused.headers.get("ratelimit")).toMatch(/^"pixels";r=0;t=[1-9]\d?$/)
  })

  it("names only the limit closer to its end if two apply, so that it tells nothing about an account", async () => {
    const answer = await fetch(`${server.url}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "no-one@tidewater.example", password: "wrong password" }),
    })

    expect(answer.status).toBe(401)
    expect(answer.headers.get("ratelimit-policy")).toBe('"auth-account";q=5;w=60')
    expect(answer.headers.get("ratelimit")).toBe('"auth-account";r=4;t=60')
  })

  it("a rejected request does not count and does not extend the window", async () => {
    await burst(60, () => server.get(path))
    const [before] = await server.sql("select used, window_ends_at from rate_limit")
    await burst(10, () => server.get(path))
    const [after] = await server.sql("select used, window_ends_at from rate_limit")

    expect(after?.["window_ends_at"]).toEqual(before?.["window_ends_at"])
    expect(after?.["used"]).toBe(61)
    await endWindows()
    expect(await burst(61, () => server.get(path))).toEqual({ 200: 60, 429: 1 })
  })

  it("is exact with 150 concurrent requests to two servers", async () => {
    const other = await startServer({ rateLimits: true, workers: false, beside: server })

    const counts = await burst(150, (index) => (index % 2 === 0 ? server : other).get(path))
    await other.close()

    expect(counts).toEqual({ 200: 60, 429: 90 })
  })

  it("are separate for each group and each key", async () => {
    await burst(60, () => server.get(path))
    const other = await server.makeOrganization()

    expect((await server.get(path)).status).toBe(429)
    expect((await server.get("/v1/data")).status).toBe(200)
    expect((await server.get(path, { "x-api-key": other.apiKey })).status).toBe(200)
  })

  it("every response except 401 counts", async () => {
    await burst(30, () => server.get(`${path}?colour=red`))
    await burst(30, () => server.get(path, { "x-api-key": "secret" }))

    expect(numberOf(await server.get(path), "ratelimit-remaining")).toBe(29)
  })

  it("a forwarded address cannot evade it", async () => {
    const counts = await burst(70, (index) =>
      server.get(path, {
        "x-forwarded-for": `203.0.113.${index}`,
        forwarded: `for=198.51.100.${index}`,
      }),
    )

    expect(counts).toEqual({ 200: 60, 429: 10 })
  })
})

describe("the order of checks (spec 1.4)", () => {
  it("404 and 405 before 401", async () => {
    expect((await fetch(`${server.url}/v1/nowhere`)).status).toBe(404)
    expect((await fetch(`${server.url}${path}`, { method: "PUT" })).status).toBe(405)
  })

  it("401 before the limits per key, before 400", async () => {
    const response = await server.get(`${path}?colour=red`, { "x-api-key": "secret" })

    expect(response.status).toBe(401)
    expect(response.headers.get("ratelimit-limit")).toBeNull()
  })

  it("429 before 403, 403 before 400", async () => {
    const suspended = await server.makeOrganization("suspended")
    const get = (at: string) => server.get(at, { "x-api-key": suspended.apiKey })

    expect((await get(`${path}?colour=red`)).status).toBe(403)
    await burst(59, () => get(path))
    expect((await get(path)).status).toBe(429)
  })

  it("400 before 404", async () => {
    const unknown = "88ac470a-224f-4bdb-a28b-577d65372edd"

    expect((await server.get(`/v1/data?pixelId=${unknown}&page=0`)).status).toBe(400)
    expect((await server.get(`/v1/data?pixelId=${unknown}`)).status).toBe(404)
  })
})

describe("when the counters are unavailable", () => {
  it("the request is accepted: the limits must not take the service down", async () => {
    await server.sql("alter table rate_limit rename to lost")

    expect((await server.get(path)).status).toBe(200)
    await server.sql("alter table lost rename to rate_limit")
  })
})

it("RATE_LIMITS=off: no limits, no headers", async () => {
  const other = await startServer({ rateLimits: false, workers: false, beside: server })

  const counts = await burst(70, () => other.get(path))
  const response = await other.get(path)
  await other.close()

  expect(counts).toEqual({ 200: 70 })
  expect([...response.headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([])
})
