// What no real client sends: bombs, floods of messages, wrong types and names of prototypes (spec 15.2.8). None of it
// causes a 500, and the valid message beside it is stored.
import { randomUUID } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { basic, makeSource } from "./source.ts"

const sessionsOf = async (own: Awaited<ReturnType<typeof makeSource>>) =>
  (await own.visitors()).map(({ email, sessions }) => [email, sessions]).toSorted()

/** Outside the event loop: while a test blocks it, the server closes the connections that the client has kept. */
const compress = promisify(gzip)

let server: TestServer
let source: Awaited<ReturnType<typeof makeSource>>
beforeAll(async () => {
  server = await startServer()
  source = await makeSource(server)
})
afterAll(() => server.close())

describe("bodies", () => {
  const zipped = { "content-encoding": "gzip" }

  it("a gzip bomb is 413 and is never inflated beyond 5 MB", async () => {
    const bomb = await compress(Buffer.alloc(100 * 1024 * 1024, " "))
    expect(bomb.length).toBeLessThan(500_000)

    const { body, status } = await source.post("batch", bomb, zipped)
    expect([status, body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
  })

  it("a compressed body is not decompressed for a wrong key", async () => {
    const bomb = await compress(Buffer.alloc(6 * 1024 * 1024, " "))

    const { status } = await source.post("batch", bomb, { ...zipped, authorization: "" })
    expect(status).toBe(401)
  })

  it.each([
    ["more than 500 KB", `{"batch":["${"x".repeat(512_000)}"]}`, {}, 413],
    ["more than 2,500 messages", `{"batch":[${"{},".repeat(2_500)}{}]}`, {}, 413],
    ["no gzip", "not gzip", zipped, 400],
    ["an encoding of another kind", "x", { "content-encoding": "br" }, 415],
    ["no JSON", "{", {}, 400],
    ["nothing", "", {}, 400],
    ["a list", "[]", {}, 400],
    ["no batch", "{}", {}, 400],
    ["a batch that is not a list", `{"batch":{"length":3}}`, {}, 400],
    ["a deep one", `{"batch":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, {}, 400],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), {}, 400],
  ])("%s is rejected in our envelope", async (_, body, headers, status) => {
    const answer = await source.post("batch", body, headers)

    expect(answer.status).toBe(status)
    expect(answer.body.error?.message).toMatch(/\.$/)
  })
})

describe("with a browser key", () => {
  it("a batch has at most 100 messages", async () => {
    const messages = Array.from({ length: 101 }, () => source.page())
    const most = await source.fromBrowser(...messages.slice(1))
    const more = await source.fromBrowser(...messages)

    expect(most.status).toBe(200)
    expect([more.status, more.body.error?.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect((await source.batch(...messages)).status).toBe(200)
  })

  it("a batch is at most 64 KB, inflated or not, with the key in the body or in the header", async () => {
    const body = JSON.stringify({ batch: [], writeKey: source.browserKey, pad: "x".repeat(65_536) })
    const authorization = basic(source.browserKey)
    const answers = [
      await source.post("batch", body, { authorization: "" }),
      await source.post("batch", body, { authorization }),
      await source.post("batch", await compress(body), {
        authorization,
        "content-encoding": "gzip",
      }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([413, 413, 413])
  })

  it("an address may send 600 messages a minute, in however many batches", async () => {
    const limited = await startServer({ rateLimits: true })
    const own = await makeSource(limited)
    const statuses: Array<number> = []
    for (let batch = 0; batch < 7; batch++) {
      const messages = Array.from({ length: 90 }, () => own.page())
      statuses.push((await own.fromBrowser(...messages)).status)
    }

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    await limited.close()
  })
})

it("a request counts before its body is read", async () => {
  const limited = await startServer({ rateLimits: true })
  const own = await makeSource(limited)
  const broken = () => own.post("batch", "not gzip", { "content-encoding": "gzip" })
  expect((await broken()).status).toBe(400)
  await limited.sql(`update rate_limit set used = 600 where bucket like 'sources:%'`)

  expect((await broken()).status).toBe(429)
  const { body, status } = await own.post("batch", "{", { authorization: "" })
  expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"])
  await limited.sql(`update rate_limit set used = 600 where bucket like 'sources:%'`)
  expect((await own.post("batch", "{", { authorization: "" })).status).toBe(429)
  await limited.close()
})

it("a server key in the body has the limit of its key, whatever address sends it", async () => {
  const limited = await startServer({ rateLimits: true })
  const own = await makeSource(limited)
  const send = () =>
    own.post("batch", { batch: [own.page()], writeKey: own.writeKey }, { authorization: "" })
  expect((await send()).status).toBe(200)
  await limited.sql("update rate_limit set used = 600 where bucket = $1", [`sources:${own.key.id}`])

  expect((await send()).status).toBe(429)
  await limited.close()
})

describe("messages", () => {
  const good = () => source.page()

  it.each([
    [null, "invalid_message"],
    ["x", "invalid_message"],
    [[], "invalid_message"],
    [{ type: "track", event: "x" }, "missing_id"],
    [{ type: "identify", anonymousId: "" }, "missing_id"],
    [{ type: "alias", userId: "x" }, "missing_id"],
    [{ type: "constructor", userId: "x" }, "unknown_type"],
    [{ type: ["track"], userId: "x", event: "x" }, "unknown_type"],
    [{ userId: "x", event: "x" }, "unknown_type"],
    [{ type: "track", userId: { $ne: 1 }, event: "x" }, "invalid_id"],
    [{ type: "track", anonymousId: "x".repeat(256), event: "x" }, "invalid_id"],
    [{ type: "track", userId: "x", messageId: [], event: "x" }, "invalid_id"],
    [{ type: "track", userId: "x" }, "invalid_event"],
    [{ type: "track", userId: "x", event: 5 }, "invalid_event"],
    [{ type: "track", userId: "x", event: "x".repeat(65) }, "invalid_event"],
    [{ type: "track", userId: "x", event: "x", timestamp: "yesterday" }, "invalid_time"],
    [{ type: "track", userId: "x", event: "x", timestamp: "0000-01-01T00:00:00Z" }, "invalid_time"],
    [
      { type: "track", userId: "x", event: "x", timestamp: "1969-12-31T23:59:59.999Z" },
      "invalid_time",
    ],
    [{ type: "identify", userId: "x", traits: { email: ["a@b.example"] } }, "invalid_email"],
    [{ type: "identify", userId: "x", traits: { email: "nobody" } }, "invalid_email"],
    [{ type: "track", userId: "x", event: "a\u0000b" }, "invalid_text"],
    [
      { type: "track", userId: "x", event: "x", properties: { a: "x".repeat(33_000) } },
      "too_large",
    ],
    [{ type: "page", userId: "x", context: { userAgent: "Googlebot/2.1", page: 5 } }, "bot"],
  ])("%j is rejected, and the message beside it is stored", async (message, reason) => {
    const before = (await source.events()).length
    const { body, status } = await source.batch(message, good())

    expect(status).toBe(200)
    expect(body.rejected).toEqual([{ index: 0, reason, message: expect.stringMatching(/\.$/) }])
    expect((await source.events()).length).toBe(before + 1)
  })

  it("an unreadable sentAt rejects nothing: the clock is not corrected", async () => {
    const other = await makeSource(server)
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    const { body } = await other.post("batch", {
      sentAt: "soon",
      batch: [{}, { sentAt: true }, { sentAt: "2026-99-99T00:00:00Z" }, { sentAt: "" }].map((one) =>
        other.page({ ...one, timestamp }),
      ),
    })

    expect(body.rejected).toEqual([])
    const times = (await other.events()).map(({ occurred_at }) =>
      (occurred_at as Date).toISOString(),
    )
    expect(times).toEqual([timestamp, timestamp, timestamp, timestamp])
  })

  it("ignores optional members of the wrong type", async () => {
    const { body } = await source.batch({
      type: "identify",
      anonymousId: 17,
      userId: 5,
      context: "x",
      traits: { email: null, firstName: 5, company: ["x"], phone: {}, custom: "x", name: [] },
      integrations: 5,
    })

    expect(body.rejected).toEqual([])
  })

  it("handles names that every object inherits like any other", async () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"]
    const all = (value: unknown) =>
      JSON.parse(
        `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
      ) as object
    const anonymousId = randomUUID()
    const other = await makeSource(server)
    const { body } = await other.batch(
      {
        type: "identify",
        anonymousId,
        traits: { ...all("x"), email: "proto@acme.example", company: all("x"), custom: all("y") },
        context: { ...all({}), consent: { categoryPreferences: all(false) } },
      },
      { type: "track", anonymousId, event: "constructor", properties: all(1) },
      { type: "group", anonymousId, traits: all({ polluted: true }) },
    )

    expect(body.rejected).toEqual([])
    const [visitor] = await other.visitors()
    expect(Object.keys(visitor?.customAttribution ?? {}).toSorted()).toEqual([
      "constructor",
      "hasOwnProperty",
      "toString",
      "valueOf",
    ])
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it("from a browser key can't speak for users that a server named", async () => {
    const own = await makeSource(server)
    const anonymousId = randomUUID()
    const victim = { type: "identify", userId: "1", traits: { email: "victim@acme.example" } }
    const mine = { email: "attacker@evil.example" }
    await own.batch(victim, { type: "track", userId: "1", event: "Before" })
    await server.drain()

    const { body } = await own.fromBrowser(
      { type: "identify", anonymousId, userId: "1", traits: mine },
      { type: "identify", anonymousId: "1", traits: mine },
      { type: "identify", userId: "1", traits: mine },
      { type: "alias", anonymousId, previousId: "1", userId: "2" },
      { type: "alias", anonymousId, previousId: anonymousId, userId: "1" },
    )
    await server.drain()
    await own.batch({ type: "track", userId: "1", event: "After" })

    expect(body.rejected?.map(({ index, reason }) => [index, reason])).toEqual([
      [2, "missing_id"],
      [3, "server_key_needed"],
      [4, "server_key_needed"],
    ])
    await own.visitors()
    const events = await server.sql(
      `select e.payload ->> 'n' as name, v.email from event e
       join session s on s.organization_id = e.organization_id and s.id = e.session_id
       join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
       where e.organization_id = $1 and e.type = 'track' order by name`,
      [own.organizationId],
    )
    expect(events).toEqual([
      { name: "After", email: "victim@acme.example" },
      { name: "Before", email: "victim@acme.example" },
    ])
    // In another browser the id still leads to the person that the server set.
    await own.fromBrowser({ type: "identify", anonymousId: randomUUID(), userId: "1" })
    const sessions = (await own.visitors()).map(({ email, sessions }) => [email, sessions])
    expect(sessions.toSorted()).toEqual([
      ["attacker@evil.example", 2],
      ["victim@acme.example", 2],
    ])
  })

  it("from a browser key name a user id that no server has named, until one does", async () => {
    const own = await makeSource(server)
    const told = (email: string) => ({ type: "identify", userId: "7", traits: { email } })
    await own.fromBrowser({ ...told("old@acme.example"), anonymousId: randomUUID() })
    await server.drain()
    await own.fromBrowser({ ...told("new@acme.example"), anonymousId: randomUUID() })
    await server.drain()
    await own.fromBrowser({ type: "identify", anonymousId: randomUUID(), userId: "7" })

    const sessions = (await own.visitors()).map(({ email, sessions }) => [email, sessions])
    expect(sessions.toSorted()).toEqual([
      ["new@acme.example", 2],
      ["old@acme.example", 1],
    ])
  })

  it("from a browser key never name the person of a server key's message", async () => {
    const own = await makeSource(server)
    const mine = { type: "identify", userId: "c-77", traits: { email: "mallory@evil.example" } }
    await own.fromBrowser({ ...mine, anonymousId: randomUUID() })
    await server.drain()

    await own.batch(
      own.page({ anonymousId: undefined, userId: "c-77" }),
      { type: "identify", userId: "c-77", traits: { plan: "pro" } },
      { type: "identify", userId: "c-77", anonymousId: randomUUID(), traits: { plan: "pro" } },
    )
    expect(await sessionsOf(own)).toEqual([["mallory@evil.example", 1]])

    await own.batch({ type: "identify", userId: "c-77", traits: { email: "carol@acme.example" } })
    expect(await sessionsOf(own)).toEqual([
      ["carol@acme.example", 1],
      ["mallory@evil.example", 1],
    ])
    await own.batch({ type: "identify", userId: "c-77", anonymousId: randomUUID() })
    expect(await sessionsOf(own)).toEqual([
      ["carol@acme.example", 2],
      ["mallory@evil.example", 1],
    ])
  })

  it.each([
    ["in one batch", false],
    ["identified before", true],
  ])(
    "from a browser key mislead no one for good: a server's link moves it back, %s",
    async (_, isApart) => {
      const own = await makeSource(server)
      const settled = () => (isApart ? server.drain() : Promise.resolve())
      const mine = { type: "identify", userId: "c-78", traits: { email: "mallory@evil.example" } }
      await own.fromBrowser({ ...mine, anonymousId: randomUUID() })
      await settled()
      const phone = randomUUID()
      await own.fromBrowser(own.page({ anonymousId: phone }))
      await own.fromBrowser({ type: "identify", anonymousId: phone, userId: "c-78" })
      await settled()
      if (isApart) {
        expect(await sessionsOf(own)).toEqual([["mallory@evil.example", 2]])
      }

      await own.batch({ type: "identify", userId: "c-78", traits: { email: "carol@acme.example" } })
      expect(await sessionsOf(own)).toEqual([
        ["carol@acme.example", 2],
        ["mallory@evil.example", 1],
      ])
      await own.fromBrowser(own.page({ anonymousId: phone }))
      const pages = (await own.visitors()).map(({ email, pageviews }) => [email, pageviews])
      expect(pages.toSorted()).toEqual([
        ["carol@acme.example", 2],
        ["mallory@evil.example", 0],
      ])
      const claims = await server.sql("select from user_id_claim where organization_id = $1", [
        own.organizationId,
      ])
      expect(claims).toEqual([])
    },
  )

  it.each([
    ["in order", [3, 1], true],
    ["late", [1, 3], true],
    ["in one batch", [3, 1], false],
  ] as const)(
    "from a browser key are moved back from the first claim on, and nothing else: claims that arrive %s",
    async (_, hours, isApart) => {
      const own = await makeSource(server)
      // One clock: a page a millisecond before its claim would be of the time before it.
      const now = Date.now()
      const at = (ago: number) => new Date(now - ago * 3_600_000).toISOString()
      const traits = { email: "mallory@evil.example" }
      const phone = randomUUID()
      await own.fromBrowser(
        { type: "identify", userId: "c-79", traits, anonymousId: randomUUID(), timestamp: at(6) },
        { type: "identify", traits, anonymousId: phone, timestamp: at(5) },
        own.page({ anonymousId: phone, timestamp: at(4) }),
        {
          type: "identify",
          traits: { email: "dan@acme.example" },
          anonymousId: phone,
          timestamp: at(2),
        },
      )
      await server.drain()
      const claims = hours.map((ago) => [
        own.page({ anonymousId: phone, timestamp: at(ago) }),
        { type: "identify", userId: "c-79", anonymousId: phone, timestamp: at(ago) },
      ])
      for (const messages of isApart ? claims : [claims.flat()]) {
        await own.fromBrowser(...messages)
        await server.drain()
      }

      await own.batch({ type: "identify", userId: "c-79", traits: { email: "carol@acme.example" } })

      const visits = (await own.visitors()).map((one) => [one.email, one.sessions, one.pageviews])
      expect(visits.toSorted()).toEqual([
        ["carol@acme.example", 3, 2],
        ["dan@acme.example", 1, 0],
        ["mallory@evil.example", 3, 1],
      ])
    },
  )

  it("from a browser key name no one in a server's message, even if they once owned the user id's own browser", async () => {
    const own = await makeSource(server)
    const traits = { email: "mallory@evil.example" }
    await own.fromBrowser({ type: "identify", userId: "c-80", traits, anonymousId: randomUUID() })
    await server.drain()
    // As earlier versions left it.
    await server.sql(
      `insert into browser (organization_id, anonymous_id, visitor_id, identifications)
       select v.organization_id, l.value::uuid, v.id, jsonb_build_array(jsonb_build_array(0, v.id))
       from visitor v
       join identity_link l on l.organization_id = v.organization_id and l.is_of_browser_key
       where v.organization_id = $1`,
      [own.organizationId],
    )

    await own.batch({ type: "identify", userId: "c-80", anonymousId: randomUUID() })

    expect(await sessionsOf(own)).toEqual([["mallory@evil.example", 1]])
  })

  it("from a browser key with two user ids in one browser are both moved back, also in one batch", async () => {
    const own = await makeSource(server)
    for (const userId of ["c-81", "c-82"]) {
      const traits = { email: `${userId}@evil.example` }
      await own.fromBrowser({ type: "identify", userId, traits, anonymousId: randomUUID() })
    }
    const phone = randomUUID()
    await own.fromBrowser(own.page({ anonymousId: phone }))
    await own.fromBrowser({ type: "identify", anonymousId: phone, userId: "c-81" })
    await own.fromBrowser({ type: "identify", anonymousId: phone, userId: "c-82" })
    await server.drain()

    await own.batch(
      { type: "identify", userId: "c-81", traits: { email: "dora@acme.example" } },
      { type: "identify", userId: "c-82", traits: { email: "emil@acme.example" } },
    )
    await server.drain()
    await own.batch({ type: "track", userId: "c-82", event: "Paid" })

    const pages = (await own.visitors()).map(({ email, pageviews }) => [email, pageviews])
    const ofStrangers = pages.filter(([email]) => String(email).endsWith("@evil.example"))
    expect(ofStrangers.map(([, count]) => count)).toEqual([0, 0])
    expect(pages.map(([email]) => email)).toEqual(
      expect.arrayContaining(["dora@acme.example", "emil@acme.example"]),
    )
  })

  it("lists the first 100 of many rejected ones", async () => {
    const { body } = await source.batch(...Array.from({ length: 2_500 }, () => 0))

    expect(body.rejected).toHaveLength(100)
  })

  it("stores no user id or address that was sent as a user id", async () => {
    const other = await makeSource(server)
    await other.batch(
      { type: "track", userId: "canary-user", anonymousId: "canary-browser", event: "x" },
      { type: "track", userId: "canary@acme.example", event: "x" },
    )
    const stored = JSON.stringify(await other.events())

    expect(stored).not.toContain("canary-")
    const [canary] = await other.visitors()
    expect(canary?.email).toBe("canary@acme.example")
    await other.sdk.visitors.erase(canary!.emailHash)
    expect(JSON.stringify(await other.events())).not.toContain("canary")
  })
})
