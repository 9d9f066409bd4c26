// The script route of the pixel host (spec 6.1), both through the socket and through `fetch` of an embedding
// application.
import { type IncomingHttpHeaders, request } from "node:http"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const doors = [
  ["the socket", (path: string, init?: RequestInit) => fetch(server.url + path, init)],
  [
    "the embedded handler",
    (path: string, init?: RequestInit) =>
      server.embedded.fetch(new Request(server.url + path, init)),
  ],
] as const

const headersOf = (response: Response) => {
  const { "x-request-id": id, ...headers } = Object.fromEntries(response.headers)
  expect(id).toMatch(/^req_/)
  for (const name of ["date", "connection", "keep-alive", "content-length", "content-encoding"])
    delete headers[name]
  return headers
}

const scriptHeaders = {
  "content-type": "text/javascript; charset=utf-8",
  "cache-control": "public, max-age=300",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
  etag: expect.stringMatching(/^W\/"[A-Za-z0-9_-]{22}"$/),
  // A browser that opted out gets another script; see opt-out.test.ts.
  vary: "cookie, Accept-Encoding",
}

describe.each(doors)("through %s", (_, get) => {
  const path = () => `/p/${server.pixelId}.js`

  it("a script returns 200 with exactly the documented headers", async () => {
    const response = await get(path())

    expect(response.status).toBe(200)
    expect(headersOf(response)).toEqual(scriptHeaders)
    const body = await response.text()
    expect(body).toContain(`{"id":"${server.pixelId}"`)
    expect(body).not.toContain("__FOOTFALL_SETTINGS__")
  })

  it("the query of its URL changes nothing", async () => {
    expect(await (await get(`${path()}?utm_source=a`)).text()).toBe(
      await (await get(path())).text(),
    )
  })

  it("a known ETag gets a 304 without a body", async () => {
    const etag = (await get(path())).headers.get("etag") ?? ""
    for (const header of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const response = await get(path(), { headers: { "if-none-match": header } })
      expect(response.status, header).toBe(304)
      expect(await response.text()).toBe("")
      const { "content-type": type, ...present } = scriptHeaders
      expect(headersOf(response)).toMatchObject({ ...present, etag })
      expect(type).toBeDefined()
    }
  })

  it("another ETag gets a 200", async () => {
    for (const header of ['"other"', "", "x"]) {
      expect((await get(path(), { headers: { "if-none-match": header } })).status).toBe(200)
    }
  })

  it.each([
    "/p/88ac470a-224f-4bdb-a28b-577d65372edd.js",
    "/p/no-uuid.js",
    "/p/.js",
    `/p/${"a".repeat(400)}.js`,
    "/p/%00.js",
  ])("an unknown id gets a 404 whose body is a script and not cacheable: %s", async (unknown) => {
    const response = await get(unknown)

    expect(response.status).toBe(404)
    expect(await response.text()).toBe("// Pixel not found")
    expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
  })

  it.each(["/p/88ac470a-224f-4bdb-a28b-577d65372edd", "/p/x.css", "/p/x.js.map"])(
    "any other path is not found, in the envelope (1.3): %s",
    async (unknown) => {
      const response = await get(unknown)

      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        error: { code: "NOT_FOUND" },
        meta: { request_id: response.headers.get("x-request-id") },
      })
    },
  )

  it("another method gets a 405 in the envelope", async () => {
    const response = await get(path(), { method: "POST" })

    expect(response.status).toBe(405)
    expect(response.headers.get("allow")).toBe("GET, HEAD")
    expect(await response.json()).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } })
  })
})

describe("H5: an id that is an attack", () => {
  /** The exact path: `fetch` would normalize it. */
  const raw = (path: string) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>(
      (resolve, reject) => {
        const { hostname, port } = new URL(server.url)
        request({ hostname, port, path }, (response) => {
          let body = ""
          response.setEncoding("utf8")
          response.on("data", (chunk: string) => (body += chunk))
          const { headers, statusCode = 0 } = response
          response.on("end", () => resolve({ status: statusCode, headers, body }))
        })
          .on("error", reject)
          .end()
      },
    )

  it.each([
    "/p/../../etc/passwd.js",
    "/p/..%2f..%2fetc%2fpasswd.js",
    "/p/%2e%2e/passwd.js",
    `/p/"onload=passwd.js`,
    "/p/'+passwd+'.js",
    "/p/%22%3E%3Cscript%3Epasswd%3C/script%3E.js",
    "/p/%3C%2Fscript%3Epasswd.js",
    "/p/</script>passwd.js",
    "/p/passwd%00.js",
    "/p/passwd%0d%0aset-cookie:passwd.js",
    "/p/%ff%fepasswd.js",
    "/p/passwd%.js",
    `/p/${"passwd".repeat(1_700)}.js`,
  ])("is not found and not echoed: %.40s", async (path) => {
    const { body, headers, status } = await raw(path)

    expect([400, 404]).toContain(status)
    expect(JSON.stringify([body, headers])).not.toContain("passwd")
    expect(headers["x-content-type-options"]).toBe("nosniff")
    const type = headers["content-type"] ?? ""
    expect(type).toMatch(/^(?:text\/javascript; charset=utf-8|application\/json)$/)
    if (type.startsWith("text/javascript")) {
      expect([body, headers["cache-control"]]).toEqual(["// Pixel not found", "no-store"])
    }
  })
})

describe("the state of the pixel", () => {
  /** spec 5.2 allows 5 seconds. The rest is for a busy machine. */
  const soon = { timeout: 30_000, interval: 100 }

  const bodyOf = async ({ pixelId }: TestOrganization) =>
    (await fetch(`${server.url}/p/${pixelId}.js`)).text()

  it("paused: a no-op that logs the reason", async () => {
    const organization = await server.makeOrganization()
    await server.sql("update pixel set status = 'paused', paused_reason = 'manual' where id = $1", [
      organization.pixelId,
    ])

    expect(await bodyOf(organization)).toBe('console.debug("footfall: the pixel is paused")\n')
  })

  it.each(["suspended", "expired"] as const)("%s organization: a no-op", async (status) => {
    expect(await bodyOf(await server.makeOrganization(status))).toBe(
      'console.debug("footfall: the organization is not active")\n',
    )
  })

  it("a change of settings is served within 5 seconds, with another ETag", async () => {
    const organization = await server.makeOrganization()
    const before = await bodyOf(organization)
    await server.sql(`update pixel set settings = '{"consent":"required"}' where id = $1`, [
      organization.pixelId,
    ])

    await vi.waitFor(
      async () => expect(await bodyOf(organization)).toContain('"consent":"required"'),
      soon,
    )
    expect(before).not.toContain('"consent":"required"')
  })

  it("deleted: 404 within 5 seconds", async () => {
    const organization = await server.makeOrganization()
    await bodyOf(organization)
    await server.sql("update pixel set deleted_at = now() where id = $1", [organization.pixelId])

    await vi.waitFor(
      async () => expect(await bodyOf(organization)).toBe("// Pixel not found"),
      soon,
    )
  })

  it("created after it was requested: found immediately or within 5 seconds", async () => {
    const { organizationId } = await server.makeOrganization()
    const pixelId = "cdd19037-47fb-4e21-a054-2da787925aea"
    const organization = { ...server, pixelId }
    expect(await bodyOf(organization)).toBe("// Pixel not found")
    await server.sql(
      "insert into pixel (organization_id, id, domain, name) values ($1, $2, 'new.example', 'New')",
      [organizationId, pixelId],
    )

    await vi.waitFor(async () => expect(await bodyOf(organization)).toContain(pixelId), soon)
  })
})

describe("GET /v1/data/pixels (spec 2.3, 5.2)", () => {
  it("lists the pixels that are not deleted, newest first, with every field", async () => {
    const { apiKey, organizationId, pixelId } = await server.makeOrganization()
    await server.sql(
      `insert into pixel (organization_id, id, domain, name, status, paused_reason, excluded_paths, settings, created_at, deleted_at)
       values
         ($1, gen_random_uuid(), 'older.example', 'Older', 'paused', 'manual', '{/app}',
           '{"consent":"required"}', now() - interval '1 day', null),
         ($1, gen_random_uuid(), 'deleted.example', 'Deleted', 'active', null, null, '{}', now(), now())`,
      [organizationId],
    )

    const response = await server.get("/v1/data/pixels", { "x-api-key": apiKey })
    const unset = {
      consent: null,
      spa: null,
      emailCapture: null,
      cookies: null,
      cookieDomain: null,
      respectDnt: null,
      pricingPaths: null,
      demoPaths: null,
      ignoredReferrers: null,
      topicRules: [],
      keyPages: [],
    }
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await response.json()).toEqual({
      data: [
        {
          id: pixelId,
          domain: "tidewater.example",
          name: "tidewater.example",
          status: "active",
          pausedReason: null,
          excludedPaths: null,
          includedPaths: null,
          settings: unset,
          verifiedAt: null,
          lastEventAt: null,
          createdAt: timestamp,
          updatedAt: timestamp,
        },
        expect.objectContaining({
          domain: "older.example",
          status: "paused",
          pausedReason: "manual",
          excludedPaths: ["/app"],
          settings: { ...unset, consent: "required" },
        }),
      ],
      meta: { timestamp, request_id: response.headers.get("x-request-id") },
    })
  })
})
