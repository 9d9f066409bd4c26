// Reads that a client keeps and asks about again (spec 1.3.10), problem details (1.3.11), and files at fixed paths
// (5.15.7), on a running server.
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { Api } from "../../src/app/api.ts"
import { revalidatedRoutes } from "../../src/platform/http/revalidation.ts"
import { putRun } from "../runs/exports/support.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let bearer: string
const paths: Array<string> = []
beforeAll(async () => {
  vi.stubEnv("SECURITY_CONTACT", "security@tidewater.example")
  server = await startServer({ workers: false })
  bearer = `Bearer ${(await server.makeUser("owner")).accessToken}`
  const { audienceId, runId } = await putRun(server, server)
  const { webhook } = await server.sdk.webhooks.create({
    name: "Sales",
    url: "https://crm.example/hook",
  })
  const audience = `/v1/intent/audiences/${audienceId}`
  paths.push(
    "/v1/data",
    "/v1/data/companies",
    "/v1/data/overview",
    "/v1/data/pixels",
    `/v1/data/pixels/${server.pixelId}`,
    "/v1/data/webhooks",
    `/v1/data/webhooks/${webhook.id}`,
    `${audience}/runs`,
    `${audience}/runs/${runId}`,
    `${audience}/deliveries`,
  )
})
afterAll(async () => {
  await server.close()
  vi.unstubAllEnvs()
})

const credentials = (path: string): Readonly<Record<string, string>> =>
  path.endsWith("/deliveries") ? { authorization: bearer } : { "x-api-key": server.apiKey }
const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(server.url + path, { headers: { ...credentials(path), ...headers } })

const vary = "Authorization, X-API-Key, Cookie, Accept-Encoding"

describe("a read that the console repeats", () => {
  it("is one of the API's", () => {
    const routes = Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ method, path }) => `${method} ${path}`),
    )
    for (const route of revalidatedRoutes) expect(routes).toContain(`GET ${route}`)
  })

  it("has a tag, and returns 304 without a body while nothing has changed", async () => {
    for (const path of paths) {
      const first = await read(path)
      const etag = first.headers.get("etag") ?? ""
      const second = await read(path, { "if-none-match": `"other", ${etag}` })

      expect([first.status, etag], path).toEqual([200, expect.stringMatching(/^W\/"[\w-]{22}"$/)])
      expect([second.status, await second.text()], path).toEqual([304, ""])
      for (const { headers } of [first, second]) {
        expect(headers.get("cache-control"), path).toBe("private, no-cache")
        expect(headers.get("vary"), path).toBe(vary)
        expect(headers.get("etag"), path).toBe(etag)
        expect(headers.get("x-request-id"), path).toMatch(/^req_/)
      }
    }
  })

  it("returns the whole response once something has changed", async () => {
    const etag = (await read("/v1/data/pixels")).headers.get("etag") ?? ""
    await server.sdk.pixels.update(server.pixelId, { name: "Renamed" })
    const changed = await read("/v1/data/pixels", { "if-none-match": etag })

    expect(changed.status).toBe(200)
    expect(changed.headers.get("etag")).not.toBe(etag)
  })

  it("is refused without credentials, whatever tag the request names, and nothing may keep the refusal", async () => {
    for (const tag of ["*", (await read("/v1/data")).headers.get("etag") ?? ""]) {
      const refused = await fetch(`${server.url}/v1/data`, { headers: { "if-none-match": tag } })

      expect(refused.status).toBe(401)
      expect(refused.headers.get("cache-control")).toBe("no-store")
      expect(refused.headers.get("etag")).toBeNull()
    }
  })

  it("has the same tag when it is compressed", async () => {
    const etags = await Promise.all(
      ["identity", "gzip", "br"].map(async (coding) =>
        (await read("/v1/data/pixels", { "accept-encoding": coding })).headers.get("etag"),
      ),
    )
    expect(new Set(etags).size).toBe(1)
  })

  it("is not any other read, which nothing may keep", async () => {
    const account = await read("/v1/data/account")

    expect(account.headers.get("cache-control")).toBe("no-store")
    expect(account.headers.get("etag")).toBeNull()
  })
})

/** `fetch` would send its own Accept if there were none. */
const refused = (
  path: string,
  headers: Readonly<Record<string, string | ReadonlyArray<string>>>,
  { body, method = "GET" }: { readonly body?: string; readonly method?: string } = {},
): Promise<{ status: number; type: string | undefined; body: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const sending = request(
      server.url + path,
      // Node accepts a list for a header that is repeated.
      { method, headers: headers as Record<string, string> },
      (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (piece: string) => (text += piece))
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"],
            body: JSON.parse(text),
          }),
        )
      },
    )
    sending.on("error", reject)
    sending.end(body)
  })

const accept = "application/problem+json"

describe("an error as problem details", () => {
  it("has the members of RFC 9457, and the code and the details of the envelope", async () => {
    const { body, status, type } = await refused("/v1/data?limit=0", {
      accept: "application/json;q=0.5, application/problem+json",
      "x-api-key": server.apiKey,
    })

    expect([status, type]).toEqual([400, "application/problem+json"])
    expect(body).toEqual({
      type: "about:blank",
      title: "Bad Request",
      status: 400,
      detail: expect.stringContaining("/query/limit"),
      instance: expect.stringMatching(/^req_[0-9a-z]{26}$/),
      code: "VALIDATION_ERROR",
      details: { issues: [expect.objectContaining({ path: "/query/limit" })] },
    })
  })

  it.each([
    ["an unknown path", "/v1/nothing", {}, {}, 404],
    ["an unknown method", "/v1/data", {}, { method: "DELETE" }, 405],
    ["missing credentials", "/v1/data", {}, {}, 401],
    [
      "another media type",
      "/v1/auth/login",
      { "content-type": "text/plain" },
      { method: "POST", body: "x" },
      415,
    ],
    [
      "unreadable JSON",
      "/v1/auth/login",
      { "content-type": "application/json" },
      { method: "POST", body: "{" },
      400,
    ],
    [
      "a body that is too large",
      "/v1/auth/login",
      { "content-type": "application/json" },
      { method: "POST", body: `"${"x".repeat(1_100_000)}"` },
      413,
    ],
  ] as const)("is sent for %s", async (_, path, headers, options, status) => {
    const answered = await refused(path, { accept, ...headers }, options)

    expect([answered.status, answered.type]).toEqual([status, "application/problem+json"])
    expect(answered.body).toMatchObject({ type: "about:blank", status, code: expect.any(String) })
  })

  it("is sent by the pixel host, which answers before the router", async () => {
    const answered = await refused(
      `/p/${server.pixelId}/e`,
      { accept },
      { method: "POST", body: "x".repeat(70_000) },
    )

    expect([answered.status, answered.body["code"]]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(answered.type).toBe("application/problem+json")
  })

  it.each([
    "application/json",
    "*/*",
    "application/problem+json, application/json",
    "application/problem+json;q=0.5, application/json",
    "application/problem+json, */*",
    "application/problem+json;q=0",
    "text/html",
    "application/problem+jsonx",
    "",
  ])("is not sent for Accept %j", async (header) => {
    const { body, type } = await refused("/v1/nothing", { accept: header })

    expect(type).toBe("application/json")
    expect(body).toMatchObject({ error: { code: "NOT_FOUND" } })
  })

  it("is sent by an embedded server too", async () => {
    const answered = await server.embedded.fetch(
      new Request(`${server.url}/v1/nothing`, { headers: { accept } }),
    )

    expect([answered.status, answered.headers.get("content-type")]).toEqual([
      404,
      "application/problem+json",
    ])
  })
})

describe("/.well-known/security.txt", () => {
  it("names the contact, and expires in less than a year", async () => {
    const answered = await fetch(`${server.url}/.well-known/security.txt`)
    const [contact, expires = "", canonical] = (await answered.text()).split("\n")
    const at = Date.parse(expires.replace("Expires: ", ""))

    expect(answered.headers.get("content-type")).toBe("text/plain; charset=utf-8")
    expect(contact).toBe("Contact: mailto:security@tidewater.example")
    expect(canonical).toBe(`Canonical: ${server.url}/.well-known/security.txt`)
    expect(at).toBeGreaterThan(Date.now() + 170 * 86_400_000)
    expect(at).toBeLessThan(Date.now() + 365 * 86_400_000)
  })

  it("is not found without SECURITY_CONTACT", async () => {
    vi.stubEnv("SECURITY_CONTACT", "")
    const other = await startServer({ workers: false, beside: server })
    const { status } = await fetch(`${other.url}/.well-known/security.txt`)
    await other.close()

    expect(status).toBe(404)
  })

  it.each(["not a contact", "http://tidewater.example", "a@b\nContact: x"])(
    "stops the start if the contact is %j",
    async (contact) => {
      vi.stubEnv("SECURITY_CONTACT", contact)
      await expect(startServer({ workers: false, beside: server })).rejects.toThrow(
        /SECURITY_CONTACT/,
      )
    },
  )
})

it("/robots.txt disallows everything", async () => {
  expect(await (await fetch(`${server.url}/robots.txt`)).text()).toBe(
    "User-agent: *\nDisallow: /\n",
  )
})
