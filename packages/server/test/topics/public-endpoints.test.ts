// How the public endpoints about topics handle credentials, limits and caches (spec 1.4, 5.7, 10.1, 10.2 "what
// counts").
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { putTopics, topic } from "./topics.ts"

let server: TestServer
beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.0/8")
  server = await startServer({ rateLimits: true, workers: false })
  await putTopics(server, [topic(1, "Freight")])
})
afterAll(() => server.close())
// Every test counts from 0.
beforeEach(() => server.sql("truncate rate_limit"))

const path = "/v1/intent/topics"
type Headers = Readonly<Record<string, string>>
const get = (headers: Headers = {}, at = path) => fetch(server.url + at, { headers })
const from = (address: string): Headers => ({ "x-forwarded-for": address })
const keyed = (): Headers => ({ "x-api-key": server.apiKey })

const burst = async (count: number, send: (at: number) => Promise<Response>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => send(at)))
  const statuses = answers.map(({ status }) => status)
  return Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((s) => s === status).length]),
  )
}

describe("credentials are optional", () => {
  it("requests without credentials, with a key and with a token get the same response", async () => {
    const { accessToken } = await server.makeUser("viewer")
    const answers = await Promise.all(
      [{}, keyed(), { authorization: `Bearer ${accessToken}` }].map((headers) => get(headers)),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    for (const body of bodies) expect(body).toMatchObject({ data: [topic(1, "Freight")] })
  })

  it.each([
    ["a wrong key", { "x-api-key": `sk_${"0".repeat(43)}` }],
    ["an empty key", { "x-api-key": "" }],
    ["a wrong token", { authorization: "Bearer nonsense" }],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["no scheme", { authorization: "" }],
  ])("%s gets a 401 and is not treated as missing credentials", async (_, headers) => {
    const answer = await get(headers)

    expect(answer.status).toBe(401)
    expect(answer.headers.get("www-authenticate")).toBe("Bearer")
    expect(await answer.json()).toMatchObject({ error: { code: "AUTHENTICATION_ERROR" } })
  })

  it("if both are sent, the token counts, even if it is wrong", async () => {
    const { accessToken } = await server.makeUser("member")
    const wrongKey = { "x-api-key": "sk_wrong" }

    expect((await get({ ...keyed(), authorization: "Bearer nonsense" })).status).toBe(401)
    expect((await get({ ...wrongKey, authorization: `Bearer ${accessToken}` })).status).toBe(200)
  })

  it.each(["suspended", "expired"] as const)(
    "the key of an organization that is %s works like any other: the endpoint is public (5.3)",
    async (status) => {
      const { apiKey } = await server.makeOrganization(status)

      const answer = await get({ "x-api-key": apiKey })

      expect(answer.status).toBe(200)
      expect(answer.headers.get("ratelimit-limit")).toBe("120")
    },
  )

  it("a revoked key is rejected", async () => {
    const { apiKey, apiKeyId } = await server.makeOrganization()
    await server.sql("update api_key set revoked_at = now() where id = $1", [apiKeyId])

    expect((await get({ "x-api-key": apiKey })).status).toBe(401)
  })
})

describe("the limit", () => {
  it("is 60 per minute and address without credentials, shared by all GET endpoints", async () => {
    const paths = [path, `${path}/facets`, `${path}/search?q=freight`]

    expect(await burst(70, (at) => get({}, paths[at % 3]))).toEqual({ 200: 60, 429: 10 })
    const refused = await get()
    expect(refused.headers.get("ratelimit-limit")).toBe("60")
    expect(refused.headers.get("ratelimit-remaining")).toBe("0")
    expect(refused.headers.get("retry-after")).toBe(refused.headers.get("ratelimit-reset"))
    expect(await refused.json()).toMatchObject({ error: { code: "RATE_LIMITED" } })
  })

  it("counts each address separately, and the headers count down", async () => {
    await burst(60, () => get(from("203.0.113.1")))

    expect((await get(from("203.0.113.1"))).status).toBe(429)
    const other = await get(from("203.0.113.2"))
    expect(other.status).toBe(200)
    expect(other.headers.get("ratelimit-limit")).toBe("60")
    expect(other.headers.get("ratelimit-remaining")).toBe("59")
    expect(other.headers.get("ratelimit-reset")).toBe("60")
  })

  it("is 120 per minute and key or user, whatever the address has used", async () => {
    await burst(60, () => get())
    const { accessToken } = await server.makeUser("viewer")

    expect(await burst(130, () => get(keyed()))).toEqual({ 200: 120, 429: 10 })
    const other = await get({ authorization: `Bearer ${accessToken}` })
    expect(other.headers.get("ratelimit-limit")).toBe("120")
    expect(other.headers.get("ratelimit-remaining")).toBe("119")
    expect((await get()).status).toBe(429)
  })

  it("is exact across two servers", async () => {
    const beside = await startServer({ rateLimits: true, workers: false, beside: server })

    const counts = await burst(80, (at) => fetch((at % 2 === 0 ? server : beside).url + path))
    await beside.close()

    expect(counts).toEqual({ 200: 60, 429: 20 })
  })

  it("counts every response except 401, including 400", async () => {
    await burst(20, () => get({}, `${path}?page=0`))
    await burst(20, () => get({ "x-api-key": "sk_wrong" }))
    expect((await get()).headers.get("ratelimit-remaining")).toBe("39")

    await burst(20, () => get(keyed(), `${path}?page=0`))
    expect((await get(keyed())).headers.get("ratelimit-remaining")).toBe("99")
  })

  it("is checked after 401 and before 400", async () => {
    await burst(60, () => get())
    await burst(120, () => get(keyed()))

    expect((await get({ "x-api-key": "sk_wrong" })).status).toBe(401)
    expect((await get(keyed())).status).toBe(429)
    expect((await get({}, `${path}?page=0`)).status).toBe(429)
  })

  it("stores no address", async () => {
    await get(from("203.0.113.77"))

    const buckets = await server.sql("select bucket from rate_limit")
    expect(JSON.stringify(buckets)).not.toContain("203.0.113")
    expect(buckets).toHaveLength(1)
  })
})

describe("caches", () => {
  it("may keep a response for a minute; with credentials, only the client's own cache may", async () => {
    const open = await get()
    const own = await get(keyed())

    expect(open.headers.get("cache-control")).toBe("public, max-age=60")
    expect(own.headers.get("cache-control")).toBe("private, max-age=60")
    for (const answer of [open, own]) {
      expect(answer.headers.get("vary")).toBe("Authorization, X-API-Key, Accept-Encoding")
    }
  })

  it("do not keep error responses", async () => {
    for (const answer of [await get({}, `${path}?page=0`), await get({ "x-api-key": "" })]) {
      expect(answer.headers.get("cache-control")).toBe("no-store")
    }
  })
})

it("the OpenAPI document of the intent API says that credentials are optional", async () => {
  const { paths } = (await (await get({}, "/openapi-intent.json")).json()) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly security: unknown }>>>
    >
  }
  const optional = [{}, { apiKey: [] }, { bearer: [] }]

  for (const [method, at] of [
    ["get", path],
    ["get", `${path}/facets`],
    ["get", `${path}/search`],
    ["get", `${path}/{topicId}/trend`],
    ["post", `${path}/compare`],
    ["get", `${path}/movers`],
  ] as const) {
    expect(paths[at]?.[method]?.security).toEqual(optional)
  }
  expect(paths["/v1/intent/topic-lists"]?.["get"]?.security).toEqual([
    { apiKey: [] },
    { bearer: [] },
  ])
})
