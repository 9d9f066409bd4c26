// Every response is in the envelope, with an id, whatever the request (spec 1.3 and 1.4).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

/** The body of a response. The tests check its form. */
interface Body {
  readonly data?: unknown
  readonly error: {
    readonly message: string
    readonly details: { readonly issues: ReadonlyArray<Issue> }
  }
  readonly meta: { readonly request_id: string; readonly [name: string]: unknown }
}
interface Issue {
  readonly path: string
  readonly code: string
  readonly message: string
}
const bodyOf = async (response: Response) => (await response.json()) as Body

/** Checks what every error has, besides its own code, message and details. */
const expectRefusal = async (response: Response, status: number, code: string) => {
  const body = await bodyOf(response)
  expect({ status: response.status, ...body }).toEqual({
    status,
    error: expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].*\.$/) }),
    meta: {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
    },
  })
  expect(response.headers.get("x-request-id")).toBe(body.meta.request_id)
  expect(response.headers.get("content-type")).toMatch(/^application\/json/)
  expect(response.headers.get("x-content-type-options")).toBe("nosniff")
  expect(response.headers.get("access-control-allow-origin")).toBeNull()
  return body.error
}

const request = (method: string, path: string) => fetch(server.url + path, { method })

describe("an unknown path", () => {
  it.each([
    "/",
    "/v1",
    "/v2/data",
    "/v1/data/",
    "/V1/DATA",
    "//v1/data",
    "/v1//data",
    "/v1/data%00",
    "/p/a/b/c",
    "/favicon.ico",
    "/demo",
    "/v1/data/pixels/",
    "/v1/data/pixels//verify",
    "/v1/intent/audiences//runs",
  ])("is 404 NOT_FOUND, before credentials are checked: %s", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const error = await expectRefusal(await request(method, path), 404, "NOT_FOUND")
      expect(error).not.toHaveProperty("details")
    }
  })

  it("with broken escapes is 404 or 400, never 5xx", async () => {
    for (const path of ["/%", "/%zz", "/v1/data/%ff", "/p/%E0%A4%A.js", "/p/%/e"]) {
      const response = await fetch(server.url + path)
      expect([400, 404, 405], path).toContain(response.status)
      expect(response.headers.get("x-request-id")).toMatch(/^req_/)
    }
  })
})

describe("a known path with another method", () => {
  it.each([
    ["POST", "/v1/data", "GET, HEAD"],
    ["DELETE", "/v1/data/pixels", "GET, HEAD, POST"],
    ["POST", "/v1/data/suppression-rules/industries", "GET, HEAD"],
    // Literal names, not ids.
    ["DELETE", "/v1/data/suppression-rules/preview", "POST"],
    ["GET", "/v1/data/segments/preview", "POST"],
    ["GET", "/v1/intent/audiences/preview", "POST"],
    ["DELETE", "/v1/intent/audiences/validate", "POST"],
    ["PATCH", "/v1/intent/audiences/filters", "GET, HEAD"],
    ["OPTIONS", "/v1/data", "GET, HEAD"],
    ["PUT", "/healthz", "GET, HEAD"],
    ["POST", "/readyz", "GET, HEAD"],
    ["POST", "/openapi.json", "GET, HEAD"],
    ["POST", "/docs", "GET, HEAD"],
    ["POST", "/p/cdd19037-47fb-4e21-a054-2da787925aea.js", "GET, HEAD"],
    ["GET", "/p/cdd19037-47fb-4e21-a054-2da787925aea/e", "OPTIONS, POST"],
    ["PROPFIND", "/v1/data", "GET, HEAD"],
  ])("is 405 with `Allow`: %s %s", async (method, path, allow) => {
    const response = await request(method, path)

    const error = await expectRefusal(response, 405, "METHOD_NOT_ALLOWED")
    expect(response.headers.get("allow")).toBe(allow)
    expect(error.details).toEqual({ allowed: allow.split(", ") })
  })

  it("answers HEAD like GET, without a body", async () => {
    const head = await request("HEAD", "/healthz")

    expect(head.status).toBe(200)
    expect(head.headers.get("x-request-id")).toMatch(/^req_/)
    expect(await head.text()).toBe("")
    expect((await request("HEAD", "/v1/data")).status).toBe(401)
    expect((await request("HEAD", "/nowhere")).status).toBe(404)
  })
})

describe("missing credentials", () => {
  const valid = () => server.apiKey
  it.each([
    ["none", () => ({})],
    ["an empty key", () => ({ "x-api-key": "" })],
    ["a key in another format", () => ({ "x-api-key": "secret" })],
    [
      "a well-formed key no one has",
      () => ({ "x-api-key": "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO" }),
    ],
    ["the key as bearer token", () => ({ authorization: `Bearer ${valid()}` })],
    ["the key as basic password", () => ({ authorization: `Basic ${btoa(`:${valid()}`)}` })],
    ["the key in a cookie", () => ({ cookie: `x-api-key=${valid()}` })],
  ])("are 401 with WWW-Authenticate: %s", async (_, headers) => {
    const response = await fetch(`${server.url}/v1/data`, { headers: headers() })

    const error = await expectRefusal(response, 401, "AUTHENTICATION_ERROR")
    expect(response.headers.get("www-authenticate")).toBe("Bearer")
    expect(error).not.toHaveProperty("details")
  })

  it("a key in the URL is never accepted", async () => {
    for (const name of ["api_key", "apiKey", "x-api-key", "key"]) {
      const response = await fetch(`${server.url}/v1/data?${name}=${valid()}`)
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain(valid())
    }
  })

  it("every reason has the same 401: the body does not reveal which it was", async () => {
    const messages = await Promise.all(
      ["", "secret", "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"].map(async (key) => {
        const response = await fetch(`${server.url}/v1/data`, { headers: { "x-api-key": key } })
        return (await bodyOf(response)).error.message
      }),
    )

    expect(new Set(messages).size).toBe(1)
  })
})

describe("query parameters of the Data API", () => {
  const issuesOf = async (path: string) => {
    const error = await expectRefusal(await server.get(path), 400, "VALIDATION_ERROR")
    return error.details.issues
  }

  it.each(["/v1/data?colour=red", "/v1/data/pixels?colour=red", "/v1/data?Timeframe=7d"])(
    "that are unknown are 400: %s",
    async (path) => {
      const name = /[?](\w+)=/.exec(path)?.[1]

      expect(await issuesOf(path)).toEqual([
        {
          path: `/query/${name}`,
          code: "unknown_parameter",
          message: "Unknown parameter.",
        },
      ])
    },
  )

  it.each([
    "timeframe=7d&timeframe=7d",
    "page=1&page=2",
    "email=a@b.example&email=c@d.example",
    "pixelId=cdd19037-47fb-4e21-a054-2da787925aea&pixelId=x",
    "suppressed=only&suppressed=only",
  ])("that are repeated are 400: %s", async (query) => {
    expect(await issuesOf(`/v1/data?${query}`)).toEqual([
      {
        path: `/query/${query.split("=")[0]}`,
        code: "repeated_parameter",
        message: "Send this parameter only once.",
      },
    ])
  })

  it("that cannot be combined are 400", async () => {
    const both = `pixelId=${server.pixelId}&domain=tidewater.example`
    expect(await issuesOf(`/v1/data?${both}`)).toEqual([
      expect.objectContaining({ code: "mutually_exclusive" }),
    ])
    const cursor = `page=1&cursor=x`
    expect(await issuesOf(`/v1/data?${cursor}`)).toEqual([
      expect.objectContaining({ code: "mutually_exclusive" }),
    ])
  })

  it("that are invalid say what was expected and what was received", async () => {
    expect(await issuesOf("/v1/data?timeframe=8d")).toEqual([
      {
        path: "/query/timeframe",
        code: "enum",
        message: 'Expected one of 24h, 7d, 14d, 30d, 90d, all, received "8d".',
        allowed: ["24h", "7d", "14d", "30d", "90d", "all"],
      },
    ])
    const [page] = await issuesOf("/v1/data?page=0")
    expect(page).toMatchObject({ path: "/query/page", code: "min" })
    const [pixelId] = await issuesOf("/v1/data?pixelId=tidewater")
    expect(pixelId).toMatchObject({ path: "/query/pixelId", code: "format" })
    expect(pixelId?.message).toContain('received "tidewater"')
  })

  it("are all reported at once", async () => {
    const issues = await issuesOf("/v1/data?timeframe=8d&page=x&colour=red&pixelId=1&pixelId=2")

    expect(issues.map(({ path }) => path).toSorted()).toEqual([
      "/query/colour",
      "/query/page",
      "/query/pixelId",
      "/query/timeframe",
    ])
  })

  it.each(["%00", "%ff", "%ED%A0%80", "%", "\u{1F600}", "a".repeat(10_000)])(
    "with any bytes never make the server fail: %s",
    async (value) => {
      for (const name of ["email", "domain", "cursor", "pixelId"]) {
        const response = await server.get(`/v1/data?${name}=${value}`)
        expect([200, 400, 404, 431], `${name} ${await response.text()}`).toContain(response.status)
      }
    },
  )

  it("on other paths are ignored", async () => {
    expect((await fetch(`${server.url}/healthz?colour=red`)).status).toBe(200)
  })
})

describe("X-Request-Id", () => {
  it("is on every response, JSON or not", async () => {
    const script = `/p/${server.pixelId}.js`
    const etag = (await fetch(server.url + script)).headers.get("etag") ?? ""
    const answers = await Promise.all([
      fetch(`${server.url}/healthz`),
      fetch(`${server.url}/readyz`),
      fetch(`${server.url}/openapi.json`),
      fetch(`${server.url}/docs`),
      fetch(server.url + script),
      fetch(server.url + script, { headers: { "if-none-match": etag } }),
      fetch(`${server.url}/p/unknown.js`),
      server.collect({}),
      fetch(`${server.url}/p/${server.pixelId}/e`, { method: "OPTIONS" }),
      server.get("/v1/data"),
    ])

    const ids = answers.map(({ headers }) => headers.get("x-request-id"))
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 304, 404, 204, 204, 200,
    ])
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{26}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("of the request never becomes its id", async () => {
    const sent = `req_${"a".repeat(26)}`
    const response = await server.get("/v1/data/pixels", { "x-request-id": sent })

    expect(response.headers.get("x-request-id")).not.toBe(sent)
    expect((await bodyOf(response)).meta.request_id).not.toBe(sent)
  })
})

it("a success is {data, meta} with the id and the time, and reveals nothing about the server", async () => {
  const response = await server.get("/v1/data/pixels")
  const body = await bodyOf(response)

  expect(Object.keys(body).toSorted()).toEqual(["data", "meta"])
  expect(body.meta.request_id).toBe(response.headers.get("x-request-id"))
  expect(response.headers.get("x-content-type-options")).toBe("nosniff")
  expect(response.headers.get("access-control-allow-origin")).toBeNull()
  expect(response.headers.get("server")).toBeNull()
  expect(response.headers.get("x-powered-by")).toBeNull()
})

describe("the same through `fetch` of an embedding application", () => {
  it.each([
    ["GET", "/healthz", {}],
    ["GET", "/nowhere", {}],
    ["POST", "/v1/data", {}],
    ["GET", "/v1/data", {}],
    ["GET", "/v1/data?colour=red", { key: true }],
    ["GET", "/v1/data", { key: true }],
    ["GET", "/v1/data/pixels", { key: true }],
  ])("%s %s %j", async (method, path, { key }: { key?: boolean }) => {
    const init = { method, headers: key === true ? { "x-api-key": server.apiKey } : {} }
    const [socket, embedded] = await Promise.all([
      fetch(server.url + path, init),
      server.embedded.fetch(new Request(server.url + path, init)),
    ])

    const seen = async (response: Response) => {
      const { meta, ...body } = await bodyOf(response)
      const { request_id, timestamp: _, coverage: __, ...list } = meta
      expect(response.headers.get("x-request-id")).toBe(request_id)
      return {
        status: response.status,
        body,
        list,
        type: response.headers.get("content-type"),
        allow: response.headers.get("allow"),
        authenticate: response.headers.get("www-authenticate"),
      }
    }
    expect(await seen(embedded)).toEqual(await seen(socket))
  })
})
