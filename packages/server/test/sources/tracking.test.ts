// The tracking contract over the socket (spec 15.2): what each message is stored as, and what counts once.
import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { basic, makeSource } from "./source.ts"

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  source = await makeSource(server)
})

const taken = { success: true, rejected: [] }

describe("people", () => {
  it("identify names the person in the browser, attaches earlier activity, and fills the profile", async () => {
    const anonymousId = randomUUID()
    await source.batch(source.page({ anonymousId }), {
      type: "identify",
      anonymousId,
      userId: "u_17",
      traits: {
        email: " Jane@Acme.example ",
        name: "Jane van Dyke",
        title: "Head of Freight",
        company: { name: "Acme", domain: "https://www.acme.example/" },
        plan: "pro",
        nested: { left: "out" },
      },
    })

    const [jane] = await source.visitors()
    expect(jane).toMatchObject({
      email: "jane@acme.example",
      firstName: "Jane",
      lastName: "van Dyke",
      jobTitle: "Head of Freight",
      companyName: "Acme",
      companyDomain: "acme.example",
      sessions: 1,
      pageviews: 1,
      pricingPageViews: 1,
      customAttribution: { external_id: "u_17", plan: "pro" },
    })
  })

  it("a user id that is an address identifies without traits, in each message that contains it", async () => {
    await source.batch({ type: "track", userId: "omar@acme.example", event: "Signed Up" })

    const visitors = await source.visitors()
    expect(visitors.map(({ email }) => email)).toEqual(["omar@acme.example"])
  })

  it("a user id that is the person's address, in whatever case, is no id of theirs", async () => {
    await source.batch({
      type: "identify",
      userId: "Omar@Acme.example",
      anonymousId: randomUUID(),
      traits: { plan: "pro" },
    })

    const [visitor] = await source.visitors()
    expect(visitor).toMatchObject({
      email: "omar@acme.example",
      customAttribution: { plan: "pro" },
    })
    expect(visitor?.customAttribution).not.toHaveProperty("external_id")
  })

  it("a user id set for a person leads to the person from other browsers and from the backend", async () => {
    const [laptop, phone] = [randomUUID(), randomUUID()]
    await source.batch({
      type: "identify",
      anonymousId: laptop,
      userId: "u_42",
      traits: { email: "ann@acme.example" },
    })
    await server.drain()
    await source.batch(
      { type: "identify", anonymousId: phone, userId: "u_42" },
      { type: "track", userId: "u_42", event: "Invoice Paid" },
    )

    const visitors = await source.visitors()
    expect(visitors.map(({ email, sessions }) => [email, sessions])).toEqual([
      ["ann@acme.example", 3],
    ])
  })

  it("a user id leads to the person that a server named last, in whatever browser", async () => {
    const person = (email: string) => ({ type: "identify", userId: "u_5", traits: { email } })
    await source.batch(person("first@acme.example"))
    await server.drain()
    await source.batch({ ...person("second@acme.example"), anonymousId: randomUUID() })
    await server.drain()

    await source.batch({ type: "identify", userId: "u_5", anonymousId: randomUUID() })

    const sessions = (await source.visitors()).map(({ email, sessions }) => [email, sessions])
    expect(sessions.toSorted()).toEqual([
      ["first@acme.example", 1],
      ["second@acme.example", 2],
    ])
  })

  it("group fills the company of the browser's person, and replaces nothing", async () => {
    const anonymousId = randomUUID()
    await source.batch(
      { type: "identify", anonymousId, traits: { email: "li@cargo.example" } },
      {
        type: "group",
        anonymousId,
        groupId: "g_1",
        traits: {
          name: "Cargo Ltd",
          website: "https://cargo.example",
          industry: "Maritime Transportation",
          employees: "250",
        },
      },
    )
    await server.drain()
    await source.batch({ type: "group", anonymousId, groupId: "g_2", traits: { name: "Other" } })

    const [li] = await source.visitors()
    expect(li).toMatchObject({
      companyName: "Cargo Ltd",
      companyDomain: "cargo.example",
      industry: "maritime transportation",
      companyEmployeeCount: 250,
    })
  })

  it("earlier aliases follow a second alias", async () => {
    await source.batch({ type: "identify", userId: "u_first", traits: { plan: "free" } })
    await source.batch({ type: "alias", previousId: "u_first", userId: "u_second" })
    await server.drain()
    await source.batch(
      { type: "alias", previousId: "u_second", userId: "u_third" },
      { type: "identify", userId: "u_third", traits: { email: "uma@acme.example" } },
    )
    await server.drain()

    await source.batch(source.page({ anonymousId: undefined, userId: "u_first" }))

    const visitors = await source.visitors()
    expect(visitors.map(({ email, pageviews }) => [email, pageviews])).toEqual([
      ["uma@acme.example", 1],
    ])
  })

  it("a user id whose link still names an erased person identifies no one", async () => {
    const traits = { email: "gone@acme.example" }
    await source.batch({ type: "identify", anonymousId: randomUUID(), userId: "u_gone", traits })
    await server.drain()
    const links = await server.sql(
      "select value, email_hash from identity_link where organization_id = $1",
      [source.organizationId],
    )
    const [gone] = await source.visitors()
    await source.sdk.visitors.erase(gone!.emailHash)
    // As a backup, or another process of an earlier version, may write it again.
    await server.sql(
      `insert into identity_link (organization_id, kind, value, email_hash)
       values ($1, 'anonymous_id', $2, $3)`,
      [source.organizationId, links[0]!["value"], links[0]!["email_hash"]],
    )

    await source.batch({ type: "identify", anonymousId: randomUUID(), userId: "u_gone" })

    expect(await source.visitors()).toEqual([])
  })

  it.each([
    ["in one batch", false],
    ["with identification between them", true],
  ])("a late group belongs to the person the browser had at the time, %s", async (_, isApart) => {
    const anonymousId = randomUUID()
    const at = (minutesAgo: number) => ({
      timestamp: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    })
    const messages = [
      { type: "identify", anonymousId, traits: { email: "first@acme.example" }, ...at(300) },
      source.page({ anonymousId, ...at(299) }),
      { type: "identify", anonymousId, traits: { email: "second@acme.example" }, ...at(100) },
      source.page({ anonymousId, ...at(99) }),
      { type: "group", anonymousId, traits: { name: "First Ltd" }, ...at(200) },
    ]
    if (isApart) {
      for (const message of messages) {
        await source.batch(message)
        await server.drain()
      }
    } else await source.batch(...messages)

    const visitors = await source.visitors()
    const seen = visitors.map(({ companyName, email, pageviews }) => [
      email,
      companyName,
      pageviews,
    ])
    expect(seen.toSorted()).toEqual([
      ["first@acme.example", "First Ltd", 1],
      ["second@acme.example", null, 1],
    ])
  })

  it("alias joins two user ids", async () => {
    await source.batch(
      { type: "identify", userId: "u_old", traits: { email: "pat@acme.example" } },
      { type: "alias", previousId: "u_old", userId: "u_new" },
      { type: "track", userId: "u_new", event: "Invoice Paid" },
    )

    const visitors = await source.visitors()
    expect(visitors.map(({ email, sessions }) => [email, sessions])).toEqual([
      ["pat@acme.example", 1],
    ])
  })

  it.each([
    ["in one batch", false],
    ["with identification between them", true],
  ])("alias joins two histories, %s", async (_, isApart) => {
    const anonymousId = randomUUID()
    const messages = [
      source.page({ anonymousId }),
      { type: "alias", previousId: anonymousId, userId: "u_7" },
      { type: "identify", userId: "u_7", traits: { email: "kim@acme.example" } },
      source.page({ anonymousId, context: { page: { url: `https://${source.domain}/demo` } } }),
    ]
    if (isApart) {
      for (const message of messages) {
        await source.batch(message)
        await server.drain()
      }
    } else await source.batch(...messages)

    const visitors = await source.visitors()
    expect(visitors.map(({ email, pageviews, sessions }) => [email, pageviews, sessions])).toEqual([
      ["kim@acme.example", 2, 1],
    ])
  })
})

describe("events", () => {
  it("a page is a page view with referrer, campaign and title", async () => {
    const anonymousId = randomUUID()
    await source.batch(
      source.page({
        anonymousId,
        name: "Prices",
        properties: { plan: "pro", list: ["left out"] },
        context: {
          page: {
            url: `https://www.${source.domain}/pricing?x=1`,
            referrer: "https://news.example/a?b=c",
          },
          campaign: { name: "spring", source: "letter", medium: "email" },
          userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148",
          ip: "203.0.113.77",
        },
      }),
      { type: "identify", anonymousId, traits: { email: "jo@acme.example" } },
    )

    const page = (await source.events()).find(({ type }) => type === "page")
    expect(page).toMatchObject({
      type: "page",
      url: `https://www.${source.domain}/pricing`,
      payload: {
        k: "granted",
        d: "mobile",
        i: "203.0.113.0",
        r: "https://news.example/a",
        t: "Prices",
        u: { campaign: "spring", source: "letter", medium: "email" },
        ch: "email",
        q: 1,
        o: { plan: "pro" },
      },
    })
  })

  it("the campaign in a page's address takes precedence over the one of its context, name by name", async () => {
    const anonymousId = randomUUID()
    await source.batch(
      source.page({
        anonymousId,
        context: {
          page: { url: `https://www.${source.domain}/pricing?utm_campaign=autumn` },
          campaign: { name: "spring", source: "letter" },
        },
      }),
      { type: "identify", anonymousId, traits: { email: "mo@acme.example" } },
    )

    const page = (await source.events()).find(({ type }) => type === "page")
    expect(page?.payload).toMatchObject({ u: { campaign: "autumn", source: "letter" } })
  })

  it("a page or screen without a URL is stored and counts as no page view", async () => {
    const anonymousId = randomUUID()
    await source.batch(
      { type: "identify", anonymousId, traits: { email: "ed@acme.example" } },
      { type: "screen", anonymousId, name: "Cart" },
      { type: "page", anonymousId },
      { type: "track", anonymousId, event: "Paid", properties: { amount: 12.5 } },
    )

    const [ed] = await source.visitors()
    expect([ed?.pageviews, ed?.sessions]).toEqual([0, 1])
    const events = await source.events()
    expect(events.map(({ payload, url }) => [(payload as { n?: string }).n, url])).toEqual(
      expect.arrayContaining([
        ["Cart", null],
        ["page", null],
        ["Paid", null],
      ]),
    )
  })

  it.each(["a1b2-not-a-uuid", randomUUID()])(
    "the same messageId counts once, at once and later: %s",
    async (messageId) => {
      const anonymousId = randomUUID()
      const messages = [
        source.page({ anonymousId, messageId }),
        { type: "identify", anonymousId, messageId: `${messageId}-2`, userId: "al@acme.example" },
      ]
      await Promise.all(Array.from({ length: 20 }, () => source.batch(...messages)))
      await server.drain()
      await source.batch(...messages)

      const [al] = await source.visitors()
      expect([al?.pageviews, al?.sessions]).toEqual([1, 1])
      expect(await source.events()).toHaveLength(2)
    },
  )

  it("a page with a very long address keeps its campaign, and loses its query and what the path has beyond the limit", async () => {
    const query = `?SAMLResponse=${"r".repeat(9_000)}&utm_source=partner-letter&gclid=g1`
    const path = `/sso/${"a".repeat(3_000)}`
    const { body } = await source.batch(
      source.page({ properties: { url: `https://${source.domain}/back${query}` } }),
      source.page({ properties: { url: `https://${source.domain}${path}${query}` } }),
    )

    expect(body).toEqual(taken)
    const events = await source.events()
    const urls = events.map(({ url }) => String(url)).toSorted((a, b) => a.length - b.length)
    expect(urls).toEqual([
      `https://${source.domain}/back`,
      `https://${source.domain}${path}`.slice(0, 2_048),
    ])
    for (const { payload } of events) {
      expect(payload).toMatchObject({ u: { source: "partner-letter" }, c: { gclid: "g1" } })
    }
  })

  it.each([
    "capacitor://localhost/home",
    "ionic://localhost/home",
    "file:///android_asset/www/index.html",
    "chrome-extension://abcdefghijklmnop/popup.html",
    "about:blank",
    "data:text/html,x",
    "javascript:alert(1)",
    "/settings?tab=2",
    "site.example/settings",
    "https://",
    2_026,
    { href: "x" },
  ])("every message from the address %j is kept, without a page", async (url) => {
    const anonymousId = randomUUID()
    const email = "app@acme.example"
    const context = { page: { url } }
    const messages = [
      { type: "identify", anonymousId, userId: "u_9", traits: { email }, context },
      { type: "track", anonymousId, event: "Opened", context },
      { type: "group", anonymousId, groupId: "g", traits: { name: "Acme" }, context },
      { type: "page", anonymousId, name: "Home", properties: { url }, context },
      { type: "screen", anonymousId, name: "Start", context },
    ]
    const replies = [await source.batch(...messages), await source.fromBrowser(...messages)]

    expect(replies.map(({ body }) => body)).toEqual([taken, taken])
    const [app] = await source.visitors()
    expect(app).toMatchObject({ email, companyName: "Acme", pageviews: 0 })
    const events = await source.events()
    expect(new Set(events.map((event) => event["url"]))).toEqual(new Set([null]))
    expect(events).toHaveLength(10)
  })

  it("a page whose own address is unusable has that of its context, and its filters", async () => {
    const url = `https://${source.domain}/docs`
    await source.sdk.pixels.update(source.pixelId, { excludedPaths: ["/private"] })
    await server.drain()
    const { body } = await source.batch(
      ...["/docs", 5, "capacitor://localhost/docs"].map((own) =>
        source.page({ properties: { url: own }, context: { page: { url } } }),
      ),
      source.page({
        properties: { url: "/private" },
        context: { page: { url: `https://${source.domain}/private?${"x".repeat(3_000)}` } },
      }),
    )

    expect(body.rejected).toMatchObject([{ index: 3, reason: "path_excluded" }])
    const events = await source.events()
    expect(events.map((event) => [event["type"], event["url"]])).toEqual(
      Array.from({ length: 3 }, () => ["page", url]),
    )
  })

  it("corrects the sender's clock by sentAt, and keeps a backlog of 30 days", async () => {
    const ahead = 3 * 60 * 60 * 1_000
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const day = 24 * 60 * 60 * 1_000
    const { body } = await source.post("batch", {
      sentAt: at(ahead),
      batch: [
        source.page({ originalTimestamp: at(ahead - 60_000), name: "wrong clock" }),
        source.page({ timestamp: at(ahead - 29 * day), name: "backlog" }),
        source.page({ timestamp: at(ahead - 31 * day) }),
        source.page({ timestamp: at(ahead + day), name: "future" }),
      ],
    })

    expect(body.rejected).toMatchObject([{ index: 2, reason: "too_old" }])
    const ages = (await source.events()).map(({ occurred_at, payload }) => [
      (payload as { t: string }).t,
      Math.round((Date.now() - (occurred_at as Date).getTime()) / 60_000),
    ])
    expect(ages).toEqual([
      ["backlog", 29 * 24 * 60],
      ["wrong clock", 1],
      ["future", 0],
    ])
  })

  it("an absent sentAt in a message leaves the batch's in force, and an empty time means now", async () => {
    const slow = -2 * 60 * 60 * 1_000
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const { body } = await source.post("batch", {
      sentAt: at(slow),
      batch: [
        source.page({ sentAt: null, timestamp: at(slow - 600_000), name: "null" }),
        source.page({ sentAt: "", timestamp: at(slow - 600_000), name: "empty" }),
        source.page({ timestamp: "", originalTimestamp: null, name: "no time" }),
        source.page({
          timestamp: null,
          originalTimestamp: Date.now() + slow - 60_000,
          name: "number",
        }),
      ],
    })

    expect(body).toEqual(taken)
    const ages = (await source.events()).map(({ occurred_at, payload }) => [
      (payload as { t: string }).t,
      Math.round((Date.now() - (occurred_at as Date).getTime()) / 60_000),
    ])
    expect(ages.toSorted()).toEqual([
      ["empty", 10],
      ["no time", 0],
      ["null", 10],
      ["number", 1],
    ])
  })

  it.each(["okhttp/4.12.0", "python-requests/2.32.3", "UnityPlayer/2022.3 (UnityWebRequest/1.0)"])(
    "a server key vouches for a person whose user agent is the HTTP library %s",
    async (userAgent) => {
      const { body } = await source.batch({
        type: "identify",
        userId: "app-7",
        traits: { email: "ada@engines.example" },
        context: { userAgent },
      })

      expect(body).toEqual(taken)
      expect((await source.events()).map(({ payload }) => payload)).toMatchObject([
        { d: "unknown", e: "ada@engines.example" },
      ])
    },
  )

  it("an import accepts events of any age, at their own time", async () => {
    const { body } = await source.post("import", {
      batch: [source.page({ timestamp: "2025-02-03T04:05:06.000Z" })],
      // A clock only corrects what is sent as it happens.
      sentAt: "2025-02-04T00:00:00.000Z",
    })

    expect(body).toEqual(taken)
    const [event] = await source.events()
    expect(event?.["occurred_at"]).toEqual(new Date("2025-02-03T04:05:06.000Z"))
  })

  it.each([
    ["track", "t", { event: "Paid" }, "track"],
    ["identify", "i", { traits: { email: "z@acme.example" } }, "identify"],
    ["page", "p", {}, "track"],
    ["screen", "s", {}, "track"],
    ["group", "g", { traits: {} }, "heartbeat"],
    ["alias", "a", { userId: "u", previousId: "v" }, "heartbeat"],
  ])("/v1/%s and /v1/%s accept one message", async (long, short, message, type) => {
    for (const path of [long, short]) {
      expect((await source.post(path, { anonymousId: "x", ...message })).body).toEqual(taken)
    }
    expect((await source.events()).map((event) => event["type"])).toEqual([type, type])
  })

  it("accepts any content type, and gzip", async () => {
    const body = JSON.stringify({ batch: [source.page()] })
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
      expect((await source.post("b", body, { "content-type": type })).body).toEqual(taken)
    }
    const zipped = await source.post("b", gzipSync(body), { "content-encoding": "gzip" })

    expect(zipped.body).toEqual(taken)
  })
})

describe("consent", () => {
  it.each([
    { consent: { categoryPreferences: { advertising: false, functional: true } } },
    { consent: { categoryPreferences: { C0004: false } } },
    { consent: { categoryPreferences: { Advertising: false } } },
    { consent: { performance: "Denied" } },
    { consentManagement: { deniedConsentIds: ["analytics"] } },
  ])("counts the page without an id if consent is denied: %j", async (context) => {
    const anonymousId = randomUUID()
    const page = { page: { url: `https://${source.domain}/` }, ip: "203.0.113.77" }
    const { body } = await source.batch(
      source.page({ anonymousId, context: { ...page, ...context } }),
      { type: "identify", anonymousId, context, traits: { email: "no@acme.example" } },
    )

    expect(body.rejected).toMatchObject([{ index: 1, reason: "consent" }])
    expect(await source.visitors()).toEqual([])
    const [event] = await source.events()
    expect(event?.["anonymous_id"]).toBeNull()
    expect(JSON.stringify(event)).not.toContain("203.0.113")
  })

  it("honors Sec-GPC, and a pixel whose consent is denied", async () => {
    const identify = { type: "identify", anonymousId: "x", traits: { email: "no@acme.example" } }
    const gpc = await source.post("batch", { batch: [identify] }, { "sec-gpc": "1" })
    await source.sdk.pixels.update(source.pixelId, { settings: { consent: "denied" } })
    const denied = await source.batch(source.page(), identify)

    expect(gpc.body.rejected).toMatchObject([{ index: 0, reason: "consent" }])
    expect(denied.body.rejected).toMatchObject([
      { index: 0, reason: "consent" },
      { index: 1, reason: "consent" },
    ])
    expect(await source.visitors()).toEqual([])
  })
})

describe("keys", () => {
  it.each([
    ["no key", {}],
    ["a wrong key", { authorization: basic(`wk_${"0".repeat(43)}`) }],
    ["an API key", { authorization: basic(`sk_${"0".repeat(43)}`) }],
    ["a bearer", { authorization: "Bearer x" }],
  ])("%s is 401 in our envelope", async (_, headers) => {
    const { body, status } = await source.post(
      "track",
      { userId: "x", event: "x" },
      { authorization: "", ...headers },
    )

    expect([status, body.error?.code]).toEqual([401, "AUTHENTICATION_ERROR"])
  })

  it("a revoked key is rejected soon, and works during a grace period", async () => {
    const track = { userId: "x", event: "x" }
    expect((await source.post("t", track)).status).toBe(200)

    await source.sdk.pixels.writeKeys.revoke(source.pixelId, source.key.id, { graceHours: 1 })
    expect((await source.post("t", track)).status).toBe(200)
    await source.sdk.pixels.writeKeys.revoke(source.pixelId, source.key.id)
    await expect.poll(async () => (await source.post("t", track)).status).toBe(401)
  })

  it.each(["server", "browser"] as const)(
    "a replaced %s key that was not used lately works until its grace period ends, and not after it",
    async (kind) => {
      const { writeKeys } = source.sdk.pixels
      const { key, writeKey } = await writeKeys.create(source.pixelId, { name: "old", kind })
      await writeKeys.revoke(source.pixelId, key.id, { graceHours: 1 })
      const send = async () => {
        const message = { anonymousId: randomUUID(), event: "x" }
        return (await source.post("t", message, { authorization: basic(writeKey) })).status
      }
      expect(await send()).toBe(200)

      await server.sql("update write_key set expires_at = now() where id = $1", [key.id])

      await expect.poll(send, { timeout: 5_000 }).toBe(401)
    },
  )

  it("a deleted pixel's key is rejected, a paused pixel accepts and drops", async () => {
    await source.sdk.pixels.update(source.pixelId, { status: "paused" })
    expect((await source.batch(source.page())).body).toEqual(taken)
    expect(await source.events()).toEqual([])

    const other = await makeSource(server)
    await other.sdk.pixels.delete(other.pixelId)
    expect((await other.batch(other.page())).status).toBe(401)
  })

  it("shows when a key was last used", async () => {
    await source.batch(source.page())

    const keys = await source.sdk.pixels.writeKeys.list(source.pixelId)
    expect(keys.find(({ id }) => id === source.key.id)?.lastUsedAt).not.toBeNull()
  })

  it("a browser key sends only pages of the pixel's own site, and no one else's address", async () => {
    const anonymousId = randomUUID()
    const { body } = await source.fromBrowser(
      source.page({ anonymousId, context: { page: { url: "https://evil.example/" } } }),
      source.page({
        anonymousId,
        context: { page: { url: `https://${source.domain}/` }, ip: "203.0.113.77" },
      }),
    )

    expect(body.rejected).toMatchObject([{ index: 0, reason: "foreign_host" }])
    expect(await source.events()).toMatchObject([{ payload: { i: "127.0.0.0" } }])
  })

  it("a server key may send pages of other hosts", async () => {
    const context = { page: { url: "https://shop.other.example/cart" } }

    expect((await source.batch(source.page({ context }))).body).toEqual(taken)
    expect((await source.events()).map(({ url }) => url)).toEqual([
      "https://shop.other.example/cart",
    ])
  })
})

describe("browsers", () => {
  it("answers a preflight, and lets a browser key read the response, but not a server key", async () => {
    const preflight = await fetch(`${server.url}/v1/t`, { method: "OPTIONS" })
    const byBrowser = await source.fromBrowser(source.page())
    const byServer = await source.batch(source.page())

    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization")
    expect(byBrowser.headers.get("access-control-allow-origin")).toBe("*")
    expect(byServer.headers.get("access-control-allow-origin")).toBeNull()
  })

  it("may read why a browser key's batch was rejected, but not a server key's", async () => {
    const refusedBy = async (key: string) => {
      const { headers, status } = await source.post("batch", "{", { authorization: basic(key) })
      return [status, headers.get("access-control-allow-origin")]
    }

    expect(await refusedBy(source.browserKey)).toEqual([400, "*"])
    expect(await refusedBy(source.writeKey)).toEqual([400, null])
    expect(await refusedBy("wk_wrong")).toEqual([401, "*"])
    const inBody = { writeKey: source.writeKey, batch: "none" }
    const { headers } = await source.post("batch", inBody, { authorization: "" })
    expect(headers.get("access-control-allow-origin")).toBeNull()
  })

  it("returns settings for a browser key, and 404 for any other text", async () => {
    const ask = (key: string) => fetch(`${server.url}/v1/projects/${key}/settings`)

    const found = await ask(source.browserKey)
    const { integrations } = (await found.json()) as { integrations: Record<string, unknown> }
    expect(integrations["Segment.io"]).toMatchObject({
      apiKey: source.browserKey,
      apiHost: `${new URL(server.url).host}/v1`,
      protocol: "http",
    })
    expect((await ask(source.writeKey)).status).toBe(404)
    expect((await ask("x")).status).toBe(404)
  })

  it("drops the client's own metrics", async () => {
    expect(await source.post("m", { series: [] })).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })
})
