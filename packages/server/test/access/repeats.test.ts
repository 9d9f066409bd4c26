// Creating with an Idempotency-Key (spec 1.7): whatever happens to a response, a repeated request creates nothing
// twice.
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Footfall } from "@footfall/sdk"
import { RepeatStore } from "../../src/access/repeats/store.ts"
import { Tenant } from "../isolation/world.ts"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { putTopics, topic } from "../topics/topics.ts"

let smtp: SmtpReceiver
let server: TestServer
let ours: Tenant

beforeAll(async () => {
  smtp = await startSmtp()
  server = await startServer({ workers: false, rateLimits: false, smtpUrl: smtp.url })
  ours = await Tenant.make(server)
  await putTopics(server, [topic(1, "Freight")])
})

afterAll(async () => {
  await server.close()
  await smtp.close()
})

interface Create {
  readonly path: string
  readonly table: string
  /** A body that no other request used. */
  readonly body: () => object
  readonly credentials?: Readonly<Record<string, string>>
}

const withKey = (tenant = ours) => ({ "x-api-key": tenant.organization.apiKey })
const withToken = (tenant = ours) => ({ authorization: `Bearer ${tenant.owner.accessToken}` })

const post = async (
  { credentials = withKey(), path }: Pick<Create, "credentials" | "path">,
  key: string | undefined,
  body: object,
  signal?: AbortSignal,
) => {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...credentials,
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  const { data, error } = (await response.json()) as {
    data: unknown
    error?: { code: string; message: string }
  }
  return {
    status: response.status,
    isReplay: response.headers.get("idempotent-replayed") === "true",
    retryAfter: response.headers.get("retry-after"),
    data,
    error,
  }
}

const rowsOf = async (table: string): Promise<number> => {
  const [row] = await server.sql(`select count(*)::int as n from ${table}`)
  return row!["n"] as number
}

const hook = "https://hooks.acme.example/hook"
const pixelOf = (domain = `${randomUUID()}.example`) => ({ domain, name: "Shop" })
const pixels: Create = { path: "/v1/data/pixels", table: "pixel", body: pixelOf }

const creates = async (): Promise<Readonly<Record<string, Create>>> => {
  const { organizationId, pixelId } = ours.organization
  const audienceId = await ours.audience()
  const credentials = withToken()
  return {
    "a pixel": pixels,
    "a write key": {
      path: `/v1/data/pixels/${pixelId}/write-keys`,
      table: "write_key",
      body: () => ({ name: randomUUID() }),
    },
    "a segment": {
      path: "/v1/data/segments",
      table: "segment",
      body: () => ({
        name: randomUUID(),
        ruleAst: { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } },
      }),
    },
    "a webhook": {
      path: "/v1/data/webhooks",
      table: "webhook",
      body: () => ({ name: randomUUID(), url: hook, trigger: "first_match" }),
    },
    "a link token": {
      path: "/v1/data/link-tokens",
      table: "repeatable_request",
      body: () => ({ people: [{ email: `${randomUUID()}@acme.example` }] }),
    },
    "a topic list": {
      path: "/v1/intent/topic-lists",
      table: "topic_list",
      body: () => ({ name: randomUUID(), topicIds: [1] }),
      credentials,
    },
    "an audience": {
      path: "/v1/intent/audiences",
      table: "audience",
      body: () => ({ name: randomUUID(), config: { topicIds: [1] } }),
      credentials,
    },
    "a destination": {
      path: `/v1/intent/audiences/${audienceId}/destinations`,
      table: "destination",
      body: () => ({
        destinationType: "webhook",
        name: randomUUID(),
        url: hook,
        eventTypes: ["intent.audience.contact.upserted"],
      }),
      credentials,
    },
    "an API key": {
      path: "/v1/api-keys",
      table: "api_key",
      body: () => ({ name: randomUUID() }),
      credentials,
    },
    "a member": {
      path: `/v1/organizations/${organizationId}/members`,
      table: "member",
      body: () => ({ email: `${randomUUID()}@acme.example`, role: "viewer" }),
      credentials,
    },
    "an organization": {
      path: "/v1/organizations",
      table: "organization",
      body: () => ({ name: "Acme", slug: `acme-${randomUUID()}` }),
      credentials,
    },
  }
}

describe("a request with an Idempotency-Key", () => {
  it("for every create operation gets the first response again, and creates one record", async () => {
    for (const [name, create] of Object.entries(await creates())) {
      const key = `make ${name}`
      const body = create.body()
      const before = await rowsOf(create.table)

      const first = await post(create, key, body)
      const again = await post(create, key, body)

      expect(first, name).toMatchObject({ status: 201, isReplay: false })
      expect(again, name).toEqual({ ...first, isReplay: true })
      expect(await rowsOf(create.table), name).toBe(before + 1)
    }
  })

  it("for 1,000 link tokens stores less than a kilobyte, and returns the same tokens again", async () => {
    const create = { path: "/v1/data/link-tokens" }
    const people = Array.from({ length: 1_000 }, () => ({ email: `${randomUUID()}@acme.example` }))

    const first = await post(create, "many", { people })
    // Expiry counts whole seconds.
    await sleep(1_100)
    const again = await post(create, "many", { people })
    const other = await post(create, "many more", { people })

    expect(again).toEqual({ ...first, isReplay: true })
    const tokensOf = ({ data }: typeof first) =>
      (data as { tokens: ReadonlyArray<{ token: string }> }).tokens.map(({ token }) => token)
    const tokens = [...tokensOf(first), ...tokensOf(other)]
    // Two tokens with the same nonce would reveal what they encrypt.
    const nonces = tokens.map((token) => Buffer.from(token, "base64url").toString("hex", 0, 12))
    expect(new Set(nonces).size).toBe(2_000)
    const [row] = await server.sql(
      "select length(answer) as bytes from repeatable_request where key = 'many'",
    )
    expect(row!["bytes"]).toBeLessThan(1_000)
  })

  it("with another body is rejected, and creates nothing", async () => {
    await post(pixels, "one body", pixelOf())
    const before = await rowsOf("pixel")

    const other = await post(pixels, "one body", pixelOf())

    expect(other).toMatchObject({ status: 409, error: { code: "IDEMPOTENCY_MISMATCH" } })
    expect(await rowsOf("pixel")).toBe(before)
  })

  it("during the first one gets a conflict for a second, or its response", async () => {
    const body = pixelOf()

    const answers = await Promise.all(
      Array.from({ length: 12 }, () => post(pixels, "twelve", body)),
    )

    const made = answers.filter(({ isReplay, status }) => status === 201 && !isReplay)
    const conflicts = answers.filter(({ status }) => status === 409)
    expect(made).toHaveLength(1)
    for (const { error, retryAfter } of conflicts)
      expect([error?.code, retryAfter]).toEqual(["CONFLICT", "1"])
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect((await server.sql("select from pixel where domain = $1", [body.domain])).length).toBe(1)
  })

  it("gets a conflict with Retry-After while another request holds its key", async () => {
    const body = pixelOf()
    const { release } = await heldKey("POST /v1/data/pixels", "held")

    const refused = await post(pixels, "held", body)
    await release()
    const passed = await post(pixels, "held", body)

    expect(refused).toMatchObject({ status: 409, error: { code: "CONFLICT" }, retryAfter: "1" })
    expect(passed).toMatchObject({ status: 201, isReplay: false })
  })

  it("that was rejected can be sent again with the same key, even with another body", async () => {
    const taken = pixelOf()
    await post(pixels, undefined, taken)

    const refused = await post(pixels, "after a refusal", taken)
    const passed = await post(pixels, "after a refusal", pixelOf())

    expect([refused.status, passed.status]).toEqual([409, 201])
    expect(passed.isReplay).toBe(false)
  })

  it("belongs to its organization and path, with key or token alike", async () => {
    const theirs = await Tenant.make(server)
    const body = { text: "Call on Monday." }
    const pathOf = (domain: string) => `/v1/data/companies/${domain}/notes`
    const path = pathOf(await ours.company())
    const lists = { path: "/v1/intent/topic-lists" }
    const list = { name: "Watched", topicIds: [1] }

    const first = await post({ path }, "one", body)
    const byToken = await post({ path, credentials: withToken() }, "one", body)
    const elsewhere = await post({ path: pathOf(await ours.company()) }, "one", body)
    const mine = await post({ ...lists, credentials: withToken() }, "one", list)
    const foreign = await post({ ...lists, credentials: withToken(theirs) }, "one", list)

    expect(byToken).toEqual({ ...first, isReplay: true })
    for (const other of [elsewhere, mine, foreign])
      expect(other).toMatchObject({ status: 201, isReplay: false })
    expect(foreign.data).not.toEqual(mine.data)
  })

  it("is forgotten after 24 hours", async () => {
    const create = { path: "/v1/intent/topic-lists", credentials: withToken() }
    const body = { name: "Watched", topicIds: [1] }
    const first = await post(create, "yesterday", body)
    const age = (interval: string) =>
      server.sql("update repeatable_request set created_at = now() - $1::interval where key = $2", [
        interval,
        "yesterday",
      ])

    await age("23 hours 59 minutes")
    const inTime = await post(create, "yesterday", body)
    await age("24 hours")
    const tooLate = await post(create, "yesterday", body)

    expect(inTime).toEqual({ ...first, isReplay: true })
    expect(tooLate).toMatchObject({ status: 201, isReplay: false })
    expect(tooLate.data).not.toEqual(first.data)
    expect(await post(create, "yesterday", body)).toEqual({ ...tooLate, isReplay: true })
  })

  it("sends a mail once", async () => {
    const email = `${randomUUID()}@acme.example`
    const create = {
      path: `/v1/organizations/${ours.organization.organizationId}/members`,
      credentials: withToken(),
    }
    const mails = () => smtp.mails.filter(({ to }) => to?.[0]?.address === email)

    await post(create, "invite", { email, role: "viewer" })
    await expect.poll(() => mails().length).toBe(1)
    await post(create, "invite", { email, role: "viewer" })
    await sleep(200)

    expect(mails()).toHaveLength(1)
  })

  it.each(["", "k".repeat(121), "na\u00efve"])(
    "with an invalid key is rejected: %j",
    async (key) => {
      const refused = await post(pixels, key, pixelOf())

      expect(refused).toMatchObject({ status: 400, error: { code: "VALIDATION_ERROR" } })
    },
  )

  it("stores no secret in plain text", async () => {
    const create = { path: "/v1/api-keys", credentials: withToken() }
    const { data } = await post(create, "secret", { name: "Backend" })
    const { secret } = data as { secret: string }

    const rows = await server.sql("select encode(answer, 'escape') as kept from repeatable_request")

    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ kept }) => String(kept).includes(secret.slice(4)))).toBe(false)
  })

  it("whose responses are lost repeatedly creates each record once", async () => {
    const bodies = Array.from({ length: 40 }, () => pixelOf(`${randomUUID()}.lost.example`))
    const untilAnswered = async (body: object, place: number): Promise<void> => {
      for (let tries = 0; ; tries++) {
        // The first attempts are aborted at random moments of the request.
        const signal = AbortSignal.timeout(tries < 6 ? 1 + ((place * 7 + tries * 5) % 40) : 30_000)
        const answer = await post(pixels, `lost ${place}`, body, signal).catch(() => undefined)
        if (answer?.status === 201) return
        expect([undefined, 409, 503]).toContain(answer?.status)
        await sleep(20)
      }
    }

    await Promise.all(bodies.map(untilAnswered))

    const rows = await server.sql("select domain from pixel where domain like '%.lost.example'")
    expect(rows.map(({ domain }) => domain).toSorted()).toEqual(
      bodies.map(({ domain }) => domain).toSorted(),
    )
  })

  it("is sent by the SDK for every create operation, and its retries create nothing twice", async () => {
    let lost = 0
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (lost++ % 3 === 2) return response
      await response.arrayBuffer()
      throw new TypeError("fetch failed")
    }
    const { organizationId, pixelId } = ours.organization
    const options = { baseUrl: server.url, fetch: losing, maxRetries: 5 }
    const byKey = new Footfall({ ...options, apiKey: ours.organization.apiKey })
    const byToken = new Footfall({ ...options, accessToken: ours.owner.accessToken })
    const tables = ["pixel", "write_key", "segment", "webhook", "topic_list", "audience"]
    const others = ["destination", "api_key", "member", "organization"]
    const counts = () => Promise.all([...tables, ...others].map(rowsOf))
    const before = await counts()

    const audience = await byKey.audiences.create({ name: "SDK", config: { topicIds: [1] } })
    const email = `${randomUUID()}@acme.example`
    await byKey.pixels.create(pixelOf())
    await byKey.pixels.writeKeys.create(pixelId, { name: "SDK" })
    await byKey.segments.create({
      name: "SDK",
      ruleAst: { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } },
    })
    await byKey.webhooks.create({ name: "SDK", url: hook, trigger: "first_match" })
    await byKey.topicLists.create({ name: "SDK", topicIds: [1] })
    await byKey.linkTokens.create({ people: [{ email }] })
    await byKey.destinations.create(audience.id, {
      destinationType: "webhook",
      name: "SDK",
      url: hook,
      eventTypes: ["intent.audience.contact.upserted"],
    })
    await byToken.apiKeys.create({ name: "SDK" })
    await byToken.members.add(organizationId, { email, role: "viewer" })
    await byToken.organizations.create({ name: "SDK", slug: `sdk-${randomUUID()}` })

    // The creator of an organization becomes its member.
    const expected = [1, 1, 1, 1, 1, 1, 1, 1, 2, 1]
    const after = await counts()
    expect(after.map((count, place) => count - before[place]!)).toEqual(expected)
  })

  it("leaves nothing behind after a day", async () => {
    await post(pixels, "old", pixelOf())
    await server.sql("update repeatable_request set created_at = now() - interval '25 hours'")
    await post(pixels, "new", pixelOf())

    const exit = await Effect.runPromiseExit(
      Effect.flatMap(RepeatStore, ({ deleteOld }) => deleteOld).pipe(
        Effect.provide(RepeatStore.layer),
        Effect.provide(
          PgClient.layer({ url: Redacted.make(server.databaseUrl), maxConnections: 1 }),
        ),
      ),
    )

    expect(Exit.isSuccess(exit)).toBe(true)
    expect(await server.sql("select key from repeatable_request")).toEqual([{ key: "new" }])
  })
})

/** Holds the key like a request that is still running. */
const heldKey = async (operation: string, key: string) => {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query("begin")
  const name = `${ours.organization.organizationId} ${operation} ${key}`
  await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [name])
  return {
    release: async () => {
      await client.query("rollback")
      await client.end()
    },
  }
}
