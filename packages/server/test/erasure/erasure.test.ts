// DELETE /v1/data/visitors/{visitorId} (spec 5.1): afterwards the database contains nothing about the person except a
// keyed hash, other people are unchanged, and no visit brings the person back.
import { randomUUID } from "node:crypto"
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { makeSource } from "../sources/source.ts"
import { domain, startServer, type TestServer } from "../support/server.ts"
import { dump, findings } from "./dump.ts"
import {
  ann,
  batch,
  identify,
  jane,
  janesTexts,
  page,
  populate,
  sharedBrowser,
  tom,
} from "./people-of-the-site.ts"

const sha = (email: string) => hashEmail(email).sha256

let server: TestServer
const listed = async () =>
  [...(await server.sdk.visitors.list({ timeframe: "all" })).data]
    .map(({ email, sessions, pageviews }) => [email, sessions, pageviews])
    .toSorted()

const found = async (q: string) =>
  [...(await server.sdk.visitors.list({ timeframe: "all", q })).data].map(({ email }) => email)

/** Lets a server with workers process what was collected. Until then everything waits. */
const drain = async () => {
  const workers = await startServer({ beside: server })
  await workers.drain()
  await workers.close()
}

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

describe("a person known in every way", () => {
  let before: Awaited<ReturnType<typeof dump>>

  it("is one person, and the dump contains all of their texts", async () => {
    await populate(server, drain)

    expect(await listed()).toEqual([
      [ann, 1, 1],
      [jane.work, 3, 3],
      [tom, 1, 2],
    ])
    const found = new Set((await findings(server.sql, janesTexts)).map(({ text }) => text))
    expect(janesTexts.filter((text) => !found.has(text))).toEqual(["/waiting-page-of-jane"])
    before = await dump(server.sql)
  })

  it("is found by any part of the name and of every address, merged ones too (5.1.9)", async () => {
    for (const q of ["janelle quill", "QUILLF", ...Object.values(jane).slice(0, 2)]) {
      expect(await found(q.slice(0, -1)), q).toEqual([jane.work])
    }
    for (const q of [jane.imported, jane.hidden, sha(jane.hidden)])
      expect(await found(q), q).toEqual([jane.work])
  })

  it("is erased by any address, including waiting events", async () => {
    await server.collect(batch(sharedBrowser, identify({ email: jane.home }, 650)))
    await server.collect(batch(sharedBrowser, page("/waiting-page-of-jane", 640)))
    await server.collect(batch(sharedBrowser, page("/waiting-page-of-ann", 440)))

    expect(await server.sdk.visitors.erase(sha(jane.hidden))).toEqual({
      deleted: true,
      receipt: expect.objectContaining({ destinations: [], completedAt: expect.any(String) }),
    })

    expect(await server.sql("select url from event_inbox")).toEqual([
      { url: `https://${domain}/waiting-page-of-ann` },
    ])
  })

  it("is no longer found by any text", async () => {
    for (const q of [...Object.values(jane), "janelle", "quillfeather"]) {
      expect(await found(q), q).toEqual([])
    }
  })

  it("leaves nothing in a dump of every table, whether plain, hashed, base64 or hex", async () => {
    expect(await findings(server.sql, janesTexts)).toEqual([])
  })

  it("leaves a tombstone for each address and an audit entry that names no one", async () => {
    const [left] = await server.sql("select count(*)::int as tombstones from tombstone")
    const entries = await server.sql(
      "select organization_id, actor_type, actor_id, action, target_id, request_id from audit_entry",
    )

    expect(left).toEqual({ tombstones: 5 })
    expect(entries).toEqual([
      {
        organization_id: server.organizationId,
        actor_type: "api_key",
        actor_id: server.apiKeyId,
        action: "visitor.erased",
        target_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        request_id: expect.stringMatching(/^req_/),
      },
    ])
  })

  it("leaves the rows of other people unchanged", async () => {
    const [audited] = await server.sql("select target_id as id from audit_entry")
    const sessions = before.get("session")?.filter((line) => line.includes(String(audited?.["id"])))
    const sessionIds = sessions?.map((line) => line.split(",")[1] ?? "") ?? []
    const janes = [String(audited?.["id"]), ...sessionIds]
    const isOfOthers = (line: string) =>
      ![...janes, "/set-aside-page-of-jane", "/set-aside-identify"].some((id) => line.includes(id))
    // These are checked one by one, below and above, or change with every request.
    const changed = new Set([
      "browser",
      "person",
      "person_address",
      "identity_link",
      "company",
      "company_pixel",
      "overview_day",
      "overview_stale",
    ])
    const own = new Set([
      // What the erasure did: receipts.test.ts.
      "erasure",
      "tombstone",
      "audit_entry",
      "event_inbox",
      "api_key",
      "data_version",
      "people_version",
      "signal_alias_change",
      "list_version",
      // The erased people are no longer counted.
      "people_per_day",
      // Their companies are scored again.
      "score_stale_company",
      // Where the worker is.
      "visitor_topic_round",
    ])

    const after = await dump(server.sql)

    expect(sessionIds).toHaveLength(3)
    for (const [table, lines] of before) {
      if (changed.has(table) || own.has(table)) continue
      expect([table, after.get(table)]).toEqual([table, lines.filter(isOfOthers)])
    }
  })

  it("recounts the person's company without them", async () => {
    const companies = await server.sql("select domain, sessions from company order by domain")

    expect(companies).toEqual([
      { domain: "harbor-logistics.example", sessions: 1 },
      { domain: "tidewater-guests.example", sessions: 1 },
    ])
  })

  it("leaves other people the browsers they share, and their imports without the address", async () => {
    const browsers = await server.sql(
      `select anonymous_id, array(
         select (select email from visitor where id::text = one ->> 1)
         from jsonb_array_elements(identifications) as one
       ) as people, (select email from visitor where id = visitor_id) as person from browser`,
    )
    const people = await server.sql(
      "select email, emails, business_email, personal_email, phones from person",
    )
    const addresses = await server.sql("select email_hash from person_address")

    expect(browsers).toEqual([
      { anonymous_id: sharedBrowser, people: [tom, null, ann], person: ann },
    ])
    expect(people).toEqual([
      {
        email: tom,
        emails: [tom],
        business_email: tom,
        personal_email: null,
        phones: ["+14155550199"],
      },
    ])
    expect(addresses).toEqual([{ email_hash: sha(tom) }])
    expect(await server.sql("select value from identity_link")).toEqual([])
    await drain()
    expect(await listed()).toEqual([
      [ann, 2, 2],
      [tom, 1, 2],
    ])
  })

  it("is not found, not listed, has no sessions, and cannot be erased again", async () => {
    for (const email of Object.values(jane)) {
      const answers = [
        await server.get(`/v1/data?email=${encodeURIComponent(email)}`),
        await server.get(`/v1/data/visitors/${sha(email)}/sessions`),
        await erase(server, sha(email)),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
  })

  it.each([
    [
      "an identify by address",
      () => identify({ email: jane.work }, 5, { lastName: "Quillfeather" }),
    ],
    ["an identify by hash", () => identify({ emailHash: sha(jane.hidden) }, 5)],
    [
      "an identify by an address known only from the import",
      () => identify({ email: jane.imported }, 5),
    ],
    [
      "an identify by an address linked after the visits",
      () => identify({ email: jane.linked }, 5),
    ],
    [
      "a captured email",
      () => ({ ...identify({ email: jane.home }, 5), type: "capture", traits: undefined }),
    ],
  ])("is not added again by %s", async (_, hit) => {
    const people = await listed()

    await server.collect(batch(randomUUID(), page("/again", 6), hit(), page("/again", 4)))
    await drain()

    expect(await listed()).toEqual(people)
    expect(await findings(server.sql, [...Object.values(jane), "Quillfeather"])).toEqual([])
    const [session] = await server.sql(
      `select visitor_id, pageviews from session order by started_at desc, id limit 1`,
    )
    expect(session).toEqual({ visitor_id: null, pageviews: 2 })
  })

  it("lets another visitor's address that was linked to theirs identify that visitor", async () => {
    const people = await listed()

    await server.collect(batch(randomUUID(), identify({ email: ann }, 3)))
    await drain()

    const anns = people.find(([email]) => email === ann) ?? []
    expect(await listed()).toContainEqual([ann, Number(anns[1]) + 1, anns[2]])
  })

  it("makes later visits in another person's browser anonymous", async () => {
    const browser = randomUUID()
    await server.collect(batch(browser, identify({ email: tom }, 30), page("/toms-again", 29)))
    await drain()
    const people = await listed()

    await server.collect(batch(browser, identify({ email: jane.home }, 20), page("/not-toms", 19)))
    await server.collect(batch(browser, page("/not-toms-either", 18)))
    await drain()

    expect(await listed()).toEqual(people)
    await server.collect(batch(browser, identify({ email: tom }, 10)))
    await drain()
    const toms = (await listed()).find(([email]) => email === tom)
    // The earlier session continues: it is Tom's, and contains nothing from in between.
    expect(toms).toEqual([tom, 2, 3])
  })

  it("Jane's browsers stay anonymous, even in a browser she shared", async () => {
    const people = await listed()

    await server.collect(batch(sharedBrowser, page("/late-page-of-jane", 645)))
    await drain()

    expect(await listed()).toEqual(people)
  })
})

it("a shared record imported later gives none of the person's data to another address", async () => {
  const shared = "00000000-0000-0000-0000-000000000000"
  await server.sql(
    `insert into person (organization_id, email_hash, email, emails, first_name, last_name)
     values ($1, $2, $3, array[$3, 'unheard-of@a.example'], 'Janelle', 'Quillfeather')`,
    [shared, sha(jane.work), jane.work],
  )
  await server.sql(
    "insert into person_address (organization_id, email_hash, person_hash) values ($1, $2, $3)",
    [shared, sha("unheard-of@a.example"), sha(jane.work)],
  )

  await server.collect(batch(randomUUID(), identify({ email: "unheard-of@a.example" }, 5)))
  await drain()

  const found = await server.sdk.visitors.get({ email: "unheard-of@a.example" })
  expect([found.emails, found.firstName, found.lastName]).toEqual([
    ["unheard-of@a.example"],
    null,
    null,
  ])
  await server.sql("delete from person where organization_id = $1", [shared])
  await server.sql("delete from person_address where organization_id = $1", [shared])
})

it("events waiting under an id that an alias joined to the person's browser are deleted too, and so is the alias", async () => {
  const source = await makeSource(server, await server.makeOrganization())
  const anonymousId = randomUUID()
  await source.batch(
    source.page({ anonymousId }),
    { type: "alias", previousId: anonymousId, userId: "u_8" },
    { type: "identify", userId: "u_8", traits: { email: "gone@acme.example" } },
  )
  await drain()
  await source.batch(source.page({ anonymousId }))

  await source.sdk.visitors.erase(sha("gone@acme.example"))

  for (const table of ["event_inbox", "browser_join", "browser", "session", "user_id_use"]) {
    const rows = await server.sql(`select from ${table} where organization_id = $1`, [
      source.organizationId,
    ])
    expect([table, rows.length]).toEqual([table, 0])
  }
})

it("a user id that strangers share stays shared: it is no one's", async () => {
  const source = await makeSource(server, await server.makeOrganization())
  const { organizationId } = source
  await source.batch(
    ...["u_9", "warehouse-team"].map((user) => ({
      type: "identify",
      userId: user,
      traits: { email: "kay@acme.example" },
    })),
  )
  await drain()
  const uses = () =>
    server.sql("select user_id as id from user_id_use where organization_id = $1", [organizationId])
  const [shared, own] = await uses()
  expect(own).toBeDefined()
  await server.sql("update user_id_use set shared_at = now() where user_id = $1", [shared?.["id"]])

  await source.sdk.visitors.erase(sha("kay@acme.example"))

  expect(await uses()).toEqual([shared])
})

describe("who can be erased, and how", () => {
  const identifyOne = async (email: string) => {
    await server.collect(batch(randomUUID(), identify({ email }, 5)))
    await drain()
  }

  it("an unknown person, or one known only to another organization: 404, and nothing is recorded", async () => {
    const other = await server.makeOrganization()
    await identifyOne("elsewhere@a.example")
    const [recorded] = await server.sql("select count(*)::int as n from audit_entry")
    const foreign = new Footfall({ baseUrl: server.url, apiKey: other.apiKey })

    await expect(foreign.visitors.erase(sha("elsewhere@a.example"))).rejects.toMatchObject({
      status: 404,
    })
    await expect(server.sdk.visitors.erase(sha("nobody@a.example"))).rejects.toMatchObject({
      status: 404,
    })
    expect(await server.sql("select count(*)::int as n from audit_entry")).toEqual([recorded])
    expect(await listed()).toContainEqual(["elsewhere@a.example", 1, 0])
  })

  it("people held back are erased like any others", async () => {
    await server.sql("update organization set credit_limit = 0 where id = $1", [
      server.organizationId,
    ])
    await identifyOne("held@a.example")
    expect((await server.sdk.account.get()).credits.heldBack).toBe(1)

    expect(await server.sdk.visitors.erase(sha("held@a.example"))).toMatchObject({ deleted: true })

    expect((await server.sdk.account.get()).credits.heldBack).toBe(0)
    await server.sql("update organization set credit_limit = null where id = $1", [
      server.organizationId,
    ])
    expect(await findings(server.sql, ["held@a.example"])).toEqual([])
  })

  it("a used credit is not refunded", async () => {
    await identifyOne("charged@a.example")
    const { used } = (await server.sdk.account.get()).credits

    await server.sdk.visitors.erase(sha("charged@a.example"))

    expect((await server.sdk.account.get()).credits.used).toBe(used)
  })

  it("with suppress, every fully known address becomes an email rule", async () => {
    await server.collect(batch(randomUUID(), identify({ email: "rule@a.example" }, 5)))
    await drain()
    await server.sql(
      `insert into visitor_address (organization_id, email_hash, visitor_id, email, first_seen_at)
       select organization_id, h, visitor_id, e, now()
       from visitor_address, (values ($1, 'second@a.example'), ($2, null)) as more (h, e)
       where email_hash = $3`,
      [sha("second@a.example"), sha("unsaid@a.example"), sha("rule@a.example")],
    )

    await server.sdk.visitors.erase(sha("second@a.example"), { suppress: true })

    const rules = await server.sql(
      "select type, value from suppression_rule where organization_id = $1 order by value",
      [server.organizationId],
    )
    expect(rules).toEqual([
      { type: "email", value: "rule@a.example" },
      { type: "email", value: "second@a.example" },
    ])
  })

  it("without suppress, or with suppress=false, no rule is created", async () => {
    const [before] = await server.sql("select count(*)::int as n from suppression_rule")
    await identifyOne("norule@a.example")

    expect((await erase(server, sha("norule@a.example"), "?suppress=false")).status).toBe(200)

    expect(await server.sql("select count(*)::int as n from suppression_rule")).toEqual([before])
  })

  it.each([
    ["an id that is not a lowercase SHA-256", "not-a-hash", ""],
    ["an upper-case id", sha("a@a.example").toUpperCase(), ""],
    ["another value of suppress", sha("a@a.example"), "?suppress=yes"],
    ["an unknown parameter", sha("a@a.example"), "?force=true"],
  ])("%s gets a 400", async (_, id, query) => {
    expect((await erase(server, id, query)).status).toBe(400)
  })

  it("of two concurrent requests one erases and the other finds no one", async () => {
    await identifyOne("twice@a.example")

    const answers = await Promise.all([
      erase(server, sha("twice@a.example")),
      erase(server, sha("twice@a.example")),
    ])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })

  it("a failed erasure leaves the person unchanged, and no tombstone", async () => {
    await identifyOne("whole@a.example")
    const before = await dump(server.sql)
    await server.sql(
      `create function break_off() returns trigger language plpgsql as
       $$ begin raise exception 'lost'; end $$`,
    )
    await server.sql(
      "create trigger break_off before insert on audit_entry for each row execute function break_off()",
    )

    const { status } = await erase(server, sha("whole@a.example"))
    await server.sql("drop function break_off cascade")

    expect(status).toBe(500)
    expect(withoutApiKeys(await dump(server.sql))).toEqual(withoutApiKeys(before))
    expect((await erase(server, sha("whole@a.example"))).status).toBe(200)
  })

  it("60 requests per minute and key, in a separate group", async () => {
    const limited = await startServer({ workers: false, rateLimits: true, beside: server })
    const { apiKey } = await server.makeOrganization()
    const request = () => erase(limited, sha("nobody@a.example"), "", apiKey)

    // A few at a time, because each waits 2 seconds at most for one of the server's connections.
    const answers: Array<Response> = []
    while (answers.length < 61) {
      const length = Math.min(8, 61 - answers.length)
      answers.push(...(await Promise.all(Array.from({ length }, request))))
    }
    const other = await limited.get("/v1/data", { "x-api-key": apiKey })
    await limited.close()

    expect(answers.filter(({ status }) => status === 404)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(other.status).toBe(200)
  })
})

const erase = ({ url, apiKey }: TestServer, id: string, query = "", key = apiKey) =>
  fetch(`${url}/v1/data/visitors/${id}${query}`, {
    method: "DELETE",
    headers: { "x-api-key": key },
  })

/** The time a key was last used changes with every request. */
const withoutApiKeys = (tables: Awaited<ReturnType<typeof dump>>) =>
  [...tables].filter(([table]) => table !== "api_key")
