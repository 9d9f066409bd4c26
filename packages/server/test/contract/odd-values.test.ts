// Values that were once mistaken for others or broke the server, each with its response (spec 1.4).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { putTopics, topic } from "../topics/topics.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let accessToken: string

beforeAll(async () => {
  server = await startServer({ workers: false })
  accessToken = (await server.makeUser("owner")).accessToken
  await putTopics(server, [topic(1, "Freight")])
})
afterAll(() => server.close())

interface Refused {
  readonly error: {
    readonly code: string
    readonly details: {
      readonly issues?: ReadonlyArray<{ readonly path: string; readonly code: string }>
    }
  }
}

const send = async (method: string, path: string, body?: string) => {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(path.startsWith("/v1/data")
        ? { "x-api-key": server.apiKey }
        : { authorization: `Bearer ${accessToken}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, body: (await response.json()) as Refused }
}

describe("a parameter that cannot be stored or is not a plain number is 400 and named in the error", () => {
  it.each([
    ["/v1/data/suppression-rules?q=%00", "/query/q", "format"],
    ["/v1/data/suppression-rules?q=a%00b", "/query/q", "format"],
    ["/v1/intent/topics?q=%00", "/query/q", "format"],
    ["/v1/data?page=1e3", "/query/page", "type"],
    ["/v1/data/suppression-rules?limit=1e1", "/query/limit", "type"],
    ["/v1/data/segments?offset=0x10", "/query/offset", "type"],
    ["/v1/data/segments?offset=-0", "/query/offset", "type"],
    ["/v1/data/segments?limit=%2B5", "/query/limit", "type"],
    ["/v1/data/segments?limit=%205", "/query/limit", "type"],
    ["/v1/data/segments?limit=5.0", "/query/limit", "type"],
    ["/v1/intent/topics/1e0/trend", "/path/topicId", "type"],
  ])("%s", async (path, pointer, code) => {
    const { body, status } = await send("GET", path)

    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"])
    expect(body.error.details.issues).toEqual([expect.objectContaining({ path: pointer, code })])
  })
})

it.each(["0001-01-01", "1969-12-31", "10000-01-01"])(
  "a trend up to %s is 400: dates are from 1970-01-01 to 9999-12-31",
  async (to) => {
    expect((await send("GET", `/v1/intent/topics/1/trend?to=${to}`)).status).toBe(400)
  },
)

it.each(["1970-01-01", "9999-12-31"])("a trend up to %s is returned", async (to) => {
  expect((await send("GET", `/v1/intent/topics/1/trend?to=${to}`)).status).toBe(200)
})

it.each(["10.0.0.0/08", "10.0.0.0/", "10.0.0.0/8/8", "::/00"])(
  "the excluded network %s is 400",
  async (network) => {
    const path = `/v1/organizations/${server.organizationId}`
    const body = JSON.stringify({ settings: { excludedIps: [network] } })

    expect((await send("PATCH", path, body)).status).toBe(400)
  },
)

describe("port 0, to which nothing can be sent, is 400", () => {
  const url = "https://acme.example:0/"

  it.each([
    ["/v1/data/webhooks", { name: "CRM", url }],
    ["/v1/intent/topics/analyze", { url }],
    ["/v1/intent/audiences", { name: "Buyers", config: { topicIds: [1], sourceUrl: url } }],
  ])("%s", async (path, body) => {
    expect((await send("POST", path, JSON.stringify(body))).status).toBe(400)
  })
})

it.each(["ftp://acme.example/", "javascript:alert(1)", "mailto:a@acme.example"])(
  "the source %s of an audience is 400: it is http or https",
  async (sourceUrl) => {
    const body = JSON.stringify({ name: "Buyers", config: { topicIds: [1], sourceUrl } })

    expect((await send("POST", "/v1/intent/audiences", body)).status).toBe(400)
  },
)

it("an API key stops working within a second of its expiry, however recently it was looked up", async () => {
  const { apiKey, apiKeyId } = await server.makeOrganization()
  const status = async () =>
    (await fetch(`${server.url}/v1/data/segments`, { headers: { "x-api-key": apiKey } })).status
  await server.sql("update api_key set expires_at = now() + interval '1 second' where id = $1", [
    apiKeyId,
  ])

  const before = await status()
  await server.sql(
    "select pg_sleep(extract(epoch from expires_at - now()) + 1) from api_key where id = $1",
    [apiKeyId],
  )

  expect([before, await status()]).toEqual([200, 401])
})

describe("a number too large for a double", () => {
  const rule = (value: string) =>
    `{"version":1,"rule":{"all":[{"field":"behavior.pageviews","op":"gte","value":${value}}]}}`

  it.each([
    ["/v1/data/query", (value: string) => `{"ruleAst":${rule(value)}}`],
    ["/v1/data/segments/preview", (value: string) => `{"ruleAst":${rule(value)}}`],
    ["/v1/data/segments", (value: string) => `{"name":"Many","ruleAst":${rule(value)}}`],
  ])("in a rule is INVALID_RULE, with a pointer to it: %s", async (path, body) => {
    const { body: refused, status } = await send("POST", path, body("1e999"))

    expect(status).toBe(400)
    expect(refused.error).toMatchObject({
      code: "INVALID_RULE",
      details: { path: "/rule/all/0/value", reason: "wrong_value_type" },
    })
  })
})
