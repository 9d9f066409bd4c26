// Verification (spec 5.2): each result and each reason, with the site on a web server on this machine.
import { Footfall, NotFoundError } from "@footfall/sdk"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { lookupOf } from "../outbound/outbound-layer.ts"
import { startWebServer, type WebServer } from "../outbound/web-server.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { makeBatch, makeEvent } from "../visits/collect-layer.ts"
import { collect } from "./collect.ts"
import { startVerifyServer, type VerifyServer } from "./verify-server.ts"

/** The site's response to the path of this test. */
type Answer = Parameters<typeof startWebServer>[0]

let database: TestServer
let server: VerifyServer
let site: WebServer
let answer: Answer
let organization: TestOrganization
let sdk: Footfall

beforeAll(async () => {
  database = await startServer({ workers: false })
  site = await startWebServer((request, response) => answer(request, response))
  server = await start("on")
})
afterAll(async () => {
  await server.close()
  await site.close()
  await database.close()
})
beforeEach(async () => {
  organization = await database.makeOrganization()
  sdk = new Footfall({ baseUrl: database.url, apiKey: organization.apiKey, fetch: server.fetch })
  answer = page(`<script async src="${database.url}/p/${organization.pixelId}.js"></script>`)
})

const start = (allowPrivateWebhooks: "on" | "off") =>
  startVerifyServer(database, {
    allowPrivateWebhooks,
    siteAddress: () => `http://127.0.0.1:${site.port}/`,
  })

const page =
  (
    body: string,
    headers: Readonly<Record<string, string>> = { "content-type": "text/html" },
    status = 200,
  ): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

const verify = () => sdk.pixels.verify(organization.pixelId)
const reason = async () => (await verify()).reason
const visit = (url: string, more = {}) =>
  collect(
    database.url,
    organization.pixelId,
    makeBatch({ events: [makeEvent({ url })], ...more }),
    server.fetch,
  )

/** For a busy machine. */
const soon = { timeout: 30_000 }

/** The pixel is verified once the identification pass has processed the event. */
const untilVerified = () =>
  vi.waitFor(async () => expect((await verify()).verified).toBe(true), soon)

describe("verified", () => {
  it("when an event from the pixel's own host was accepted, without fetching the site", async () => {
    const before = site.connections()
    await visit("https://www.tidewater.example/pricing")
    answer = page("nothing here")
    await vi.waitFor(async () => {
      const [row] = await database.sql("select verified_at from pixel where id = $1", [
        organization.pixelId,
      ])
      expect(row?.["verified_at"]).not.toBeNull()
    }, soon)

    const pixel = await sdk.pixels.get(organization.pixelId)
    expect(await verify()).toEqual({
      verified: true,
      verifiedAt: pixel.verifiedAt,
      lastEventAt: pixel.lastEventAt,
      reason: null,
      findings: [],
    })
    expect(pixel.verifiedAt).not.toBeNull()
    expect(site.connections()).toBe(before)
  })

  it("remains verified if the pixel is paused later, or foreign hosts report to it", async () => {
    await visit("https://tidewater.example/")
    await untilVerified()

    await visit("https://copy.example/")
    await sdk.pixels.update(organization.pixelId, { status: "paused" })

    expect(await verify()).toMatchObject({ verified: true, reason: null })
  })
})

describe("the first reason that applies", () => {
  it("paused, before everything else, without fetching the site", async () => {
    const before = site.connections()
    await visit("https://copy.example/")
    await sdk.pixels.update(organization.pixelId, { status: "paused" })
    answer = page("nothing here")

    expect(await verify()).toEqual({
      verified: false,
      verifiedAt: null,
      lastEventAt: null,
      reason: "paused",
      findings: [],
    })
    expect(site.connections()).toBe(before)
  })

  it("domain_mismatch: events arrived, but only from other hosts", async () => {
    await visit("https://copy.example/")
    answer = page("nothing here")

    await vi.waitFor(async () => expect(await reason()).toBe("domain_mismatch"), soon)
  })

  it("domain_mismatch: from a developer's machine, without data-debug", async () => {
    await visit("http://localhost:3000/")

    await vi.waitFor(async () => expect(await reason()).toBe("domain_mismatch"), soon)
  })

  it("script_missing: the page was read and the tag is not in it", async () => {
    answer = page(`<script async src="${database.url}/p/${crypto.randomUUID()}.js"></script>`)

    expect(await reason()).toBe("script_missing")
  })

  it("no_events: the page has the tag and no event arrived", async () => {
    expect(await verify()).toEqual({
      verified: false,
      verifiedAt: null,
      lastEventAt: null,
      reason: "no_events",
      findings: [
        {
          code: "page_read",
          severity: "note",
          message: `Read http://127.0.0.1:${site.port}/, which responded with 200.`,
          values: [`http://127.0.0.1:${site.port}/`, "200"],
        },
      ],
    })
  })

  it("no_events: the page has the tag with the hash", async () => {
    answer = page((await sdk.pixels.get(organization.pixelId)).embed.immutable.code)

    expect(await reason()).toBe("no_events")
  })

  it("no_events: the tag is on the page behind at most three redirects", async () => {
    const tag = `<script src="/p/${organization.pixelId}.js"></script>`
    const after = (redirects: number): Answer => {
      let left = redirects
      return (request, response) =>
        left-- > 0
          ? void response.writeHead(302, { location: "/next" }).end()
          : page(left > -2 && redirects > 3 ? "" : tag)(request, response)
    }

    answer = after(3)
    expect(await reason()).toBe("no_events")
    const before = site.requests.length
    answer = after(4)
    expect(await reason()).toBe("no_events")
    expect(site.requests.length - before).toBe(4)
  })
})

describe("a site that cannot be read proves nothing about its tag: no_events", () => {
  const empty = "<html></html>"

  it.each([
    [
      "the control: a readable page without the tag is script_missing",
      page(empty),
      "script_missing",
    ],
    ["an error", page(empty, { "content-type": "text/html" }, 500), "no_events"],
    ["a page behind a log-in", page(empty, { "content-type": "text/html" }, 403), "no_events"],
    ["something other than HTML", page("{}", { "content-type": "application/json" }), "no_events"],
    [
      "an encoding that was not requested",
      page("x", { "content-type": "text/html", "content-encoding": "gzip" }),
      "no_events",
    ],
    ["more than 2 MiB", page("x".repeat(2 * 1024 * 1024 + 1)), "no_events"],
    ["2 MiB, which are read", page("x".repeat(2 * 1024 * 1024)), "script_missing"],
    [
      "a connection that closes early",
      ((_, response) => void response.destroy()) as Answer,
      "no_events",
    ],
    ["no type at all, which is read", page(empty, {}), "script_missing"],
  ] as const)("%s", async (_, served, expected) => {
    answer = served

    expect(await reason()).toBe(expected)
  })
})

describe("findings describe the page", () => {
  const html = { "content-type": "text/html" }
  const own = (attributes = "") =>
    `<script async src="${database.url}/p/${organization.pixelId}.js" ${attributes}></script>`
  /** Codes and values, without the finding that the page was read. */
  const found = async () =>
    (await verify()).findings
      .filter(({ code }) => code !== "page_read")
      .map(({ code, severity, values }) => [severity, code, ...values])

  it("tag_missing and other_pixel, with the reason script_missing", async () => {
    const other = crypto.randomUUID()
    answer = page(`<script src="${database.url}/p/${other}.js"></script>`.repeat(2))

    expect(await reason()).toBe("script_missing")
    expect(await found()).toEqual([
      ["problem", "tag_missing"],
      ["note", "other_pixel", other],
    ])
  })

  it("the policy in the header, with the directive that blocks", async () => {
    answer = page(own(), {
      ...html,
      "content-security-policy": "default-src 'self'; script-src 'self' cdn.example",
    })

    expect(await found()).toEqual([
      ["problem", "csp_blocks_script", "script-src 'self' cdn.example"],
      ["problem", "csp_blocks_connect", "default-src 'self'"],
    ])
  })

  it("the policy in the page itself", async () => {
    answer = page(
      `<meta http-equiv="content-security-policy" content="connect-src 'none'">${own()}`,
    )

    expect(await found()).toEqual([["problem", "csp_blocks_connect", "connect-src 'none'"]])
  })

  it("no finding for a policy with the lines of the pixel's embedding", async () => {
    const { contentSecurityPolicy, immutable } = (await sdk.pixels.get(organization.pixelId)).embed
    const { connectSrc, scriptSrc } = contentSecurityPolicy
    answer = page(immutable.code, {
      ...html,
      "content-security-policy": `default-src 'none'; script-src ${scriptSrc}; connect-src ${connectSrc}`,
    })

    expect(await found()).toEqual([])
  })

  it("a consent manager, and a tag that waits for it", async () => {
    answer = page(
      `<script src="https://consent.cookiebot.com/uc.js"></script>${own('type="text/plain" data-debug')}`,
    )

    expect(await found()).toEqual([
      ["problem", "tag_inert", "text/plain"],
      ["note", "tag_debug"],
      ["note", "consent_manager", "Cookiebot"],
    ])
  })

  it("consent settings of the pixel and of the tag", async () => {
    await sdk.pixels.update(organization.pixelId, { settings: { consent: "required" } })
    answer = page(own())
    expect(await found()).toEqual([["note", "consent_required"]])

    answer = page(own('data-consent="denied"'))
    expect(await found()).toEqual([["problem", "consent_denied"]])
  })

  it("a page that the path lists exclude", async () => {
    await sdk.pixels.update(organization.pixelId, { includedPaths: ["/shop"] })
    answer = page(own())

    expect(await found()).toEqual([["note", "page_excluded", "/"]])
  })

  it("also with domain_mismatch", async () => {
    await visit("https://copy.example/")
    answer = page("nothing here")

    await vi.waitFor(async () => expect(await reason()).toBe("domain_mismatch"), soon)
    expect(await found()).toEqual([["problem", "tag_missing"]])
  })

  it.each([
    ["an error", page("", html, 503), "it responded with 503"],
    ["not HTML", page("{}", { "content-type": "application/json" }), "it is not HTML"],
    [
      "compressed, unasked",
      page("x", { ...html, "content-encoding": "br" }),
      "the response is compressed, which was not requested",
    ],
    ["more than 2 MiB", page("x".repeat(2 * 1024 * 1024 + 1)), "it is larger than 2 MiB"],
    [
      "no answer",
      ((_, response) => void response.destroy()) as Answer,
      "the connection closed without a response",
    ],
    [
      "endless redirects",
      ((_, response) => void response.writeHead(302, { location: "/" }).end()) as Answer,
      "it redirects more than 3 times",
    ],
  ] as const)("why a page could not be read: %s", async (_, served, why) => {
    answer = served

    expect((await verify()).findings).toEqual([
      {
        code: "page_unreadable",
        severity: "problem",
        message: `The server could not read http://127.0.0.1:${site.port}/: ${why}.`,
        values: [`http://127.0.0.1:${site.port}/`, why],
      },
    ])
  })
})

describe("foreign events", () => {
  const notedAt = async () => {
    const [row] = await database.sql("select foreign_event_at from pixel where id = $1", [
      organization.pixelId,
    ])
    return row?.["foreign_event_at"]
  }

  it("are recorded once for many, and not again within a minute", async () => {
    await visit("https://copy.example/")
    await vi.waitFor(async () => expect(await notedAt()).not.toBeNull(), soon)
    const first = await notedAt()

    await Promise.all(Array.from({ length: 20 }, () => visit("https://copy.example/")))
    // The next one takes the same path and is later than all of them.
    await visit("https://tidewater.example/")

    expect(await notedAt()).toEqual(first)
    const [row] = await database.sql(
      "select updated_at = created_at as same from pixel where id = $1",
      [organization.pixelId],
    )
    expect(row).toEqual({ same: true })
  })

  it("next to the pixel's own events in a batch are not a mismatch", async () => {
    await collect(
      database.url,
      organization.pixelId,
      makeBatch({
        events: [
          makeEvent({ url: "https://copy.example/" }),
          makeEvent({ url: "https://tidewater.example/" }),
        ],
      }),
      server.fetch,
    )

    await untilVerified()
    expect(await notedAt()).toBeNull()
  })

  it("of a verified pixel are not recorded", async () => {
    await visit("https://tidewater.example/")
    await untilVerified()
    // After a change the pixel host reloads the pixel and sees that it is verified.
    await sdk.pixels.update(organization.pixelId, { name: "Tidewater" })
    const before = await verify()

    await visit("https://copy.example/")
    await visit("https://tidewater.example/")

    await vi.waitFor(
      async () => expect((await verify()).lastEventAt).not.toBe(before.lastEventAt),
      soon,
    )
    expect(await notedAt()).toBeNull()
  })

  it("that are dropped for another reason do not count", async () => {
    await sdk.pixels.update(organization.pixelId, { excludedPaths: ["/app"] })
    await visit("https://tidewater.example/app")

    expect(await reason()).toBe("no_events")
    expect(await notedAt()).toBeNull()
  })
})

it("accepts no body or an empty one, and rejects a field (1.4)", async () => {
  const send = (body?: string) =>
    server.fetch(
      new Request(`${database.url}/v1/data/pixels/${organization.pixelId}/verify`, {
        method: "POST",
        headers: { "x-api-key": organization.apiKey, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
      }),
    )

  expect((await send()).status).toBe(200)
  expect((await send("{}")).status).toBe(200)
  const refused = await send('{"force": true}')
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { details: { issues: [{ path: "/body/force", code: "unknown_field" }] } } },
  ])
})

it("an unknown pixel gets a 404", async () => {
  await expect(sdk.pixels.verify(crypto.randomUUID())).rejects.toBeInstanceOf(NotFoundError)
})

describe("a site that only its www. name serves", () => {
  const withTag = () => page(`<script async src="${database.url}/p/${organization.pixelId}.js">`)
  const findingsAt = async (names: Readonly<Record<string, ReadonlyArray<string>>>) => {
    const named = await startVerifyServer(database, {
      allowPrivateWebhooks: "on",
      siteAddress: (domain) => `http://${domain}:${site.port}/`,
      lookup: lookupOf(names),
    })
    const { findings } = await new Footfall({
      baseUrl: database.url,
      apiKey: organization.apiKey,
      fetch: named.fetch,
    }).pixels.verify(organization.pixelId)
    await named.close()
    return findings.map(({ code, values }) => [code, values[0]])
  }

  it("is read there if the domain has no address", async () => {
    answer = withTag()

    expect(await findingsAt({ "www.tidewater.example": ["127.0.0.1"] })).toEqual([
      ["page_read", `http://www.tidewater.example:${site.port}/`],
    ])
  })

  it("is read there if nothing listens at the domain, or it has no page", async () => {
    answer = withTag()
    const www = { "www.tidewater.example": ["127.0.0.1"] }

    expect(await findingsAt({ ...www, "tidewater.example": ["127.0.0.2"] })).toEqual([
      ["page_read", `http://www.tidewater.example:${site.port}/`],
    ])
    answer = (request, response) =>
      request.headers.host?.startsWith("www.")
        ? withTag()(request, response)
        : response.writeHead(404).end()
    expect(await findingsAt({ ...www, "tidewater.example": ["127.0.0.1"] })).toEqual([
      ["page_read", `http://www.tidewater.example:${site.port}/`],
    ])
  })

  it("is not asked for if the domain answers, and the domain is named if neither does", async () => {
    const asked: Array<string | undefined> = []
    answer = (request, response) => {
      asked.push(request.headers.host)
      response.writeHead(503).end()
    }
    const both = { "tidewater.example": ["127.0.0.1"], "www.tidewater.example": ["127.0.0.1"] }

    expect(await findingsAt(both)).toEqual([
      ["page_unreadable", `http://tidewater.example:${site.port}/`],
    ])
    expect(asked).toEqual([`tidewater.example:${site.port}`])
    expect(await findingsAt({})).toEqual([
      ["page_unreadable", `http://tidewater.example:${site.port}/`],
    ])
  })
})

it("without ALLOW_PRIVATE_WEBHOOKS the guard blocks the site: no request is sent, no_events", async () => {
  const guarded = await start("off")
  const before = site.connections()
  answer = page("nothing here")

  const { findings, reason: guardedReason } = await new Footfall({
    baseUrl: database.url,
    apiKey: organization.apiKey,
    fetch: guarded.fetch,
  }).pixels.verify(organization.pixelId)

  expect(guardedReason).toBe("no_events")
  expect(findings.map(({ values }) => values[1])).toEqual([
    "this server is not allowed to connect to that address",
  ])
  expect(site.connections()).toBe(before)
  await guarded.close()
})
