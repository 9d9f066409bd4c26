// Erasure and signals (spec 5.1): a dump of every table, what others keep, and what a running import still adds.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findings } from "../erasure/dump.ts"
import { sha256 } from "../people/people-layer.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { batch, identify, jane } from "../erasure/people-of-the-site.ts"
import { daysAgo, topic } from "./signals-layer.ts"

let server: TestServer
let owner: string
let otherId: string
let otherOwner: string

const today = daysAgo(0)
const tom = "tom@acme.example"

const send = async (kind: string, records: ReadonlyArray<object>, token = owner) => {
  const response = await fetch(`${server.url}/v1/admin/import/${kind}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  })
  const { data } = (await response.json()) as {
    data: { inserted: number; unchanged: number; rejectedCount: number }
  }
  return data
}
const signal = (email: string, score: number, topicId = 1) => ({
  topicId,
  emailHash: sha256(email),
  score,
  date: today,
})
const setOperator = (isOperator: boolean) =>
  server.sql("update organization set is_operator = $2 where id = $1", [
    server.organizationId,
    isOperator,
  ])
const identifyJane = async (browser: string) => {
  await server.collect(batch(browser, identify({ email: jane.work }, 10)))
  await server.drain()
}
const browsers = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
] as const

/** Which numbers map to which, and the map's bits for them, by their hashes. */
const aliasesOf = (sql: TestServer["sql"]) => {
  const number = (place: string) =>
    `(select id from signal_person where email_hash = decode(${place}, 'hex'))`
  return {
    put: async (organizationId: string, pairs: ReadonlyArray<readonly [string, string]>) => {
      await sql(
        `insert into signal_alias_map (organization_id, bits, made_at)
         values ($1, decode(repeat('00', 100), 'hex'), now())
         on conflict (organization_id) do update set bits = excluded.bits`,
        [organizationId],
      )
      for (const [one, other] of pairs) {
        await sql(
          `insert into signal_alias select $1, ${number("$2::text")}, ${number("$3::text")}`,
          [organizationId, sha256(one), sha256(other)],
        )
        await sql(
          `update signal_alias_map set bits = set_bit(bits, ${number("$2::text")}, 1)
           where organization_id = $1`,
          [organizationId, sha256(one)],
        )
      }
    },
    of: async (organizationId: string) => {
      const hash = "encode(email_hash, 'hex')"
      const aliases = await sql(
        `select (select ${hash} from signal_person where id = person) as one,
           (select ${hash} from signal_person where id = leads_to) as other
         from signal_alias where organization_id = $1 order by one`,
        [organizationId],
      )
      const bits = await sql(
        `select ${hash} as one from signal_person, signal_alias_map
         where organization_id = $1 and get_bit(bits, id) = 1 order by one`,
        [organizationId],
      )
      return {
        aliases: aliases.map(({ one, other }) => [one, other]),
        bits: bits.map(({ one }) => one),
      }
    },
  }
}

beforeAll(async () => {
  server = await startServer()
  owner = (await server.makeUser("owner")).accessToken
  otherId = (await server.makeOrganization()).organizationId
  otherOwner = (await server.makeUser("owner", otherId)).accessToken
  await setOperator(true)
  await send("topics", [topic(1), topic(2)])
})
afterAll(() => server.close())

describe("an erasure by an organization", () => {
  it("deletes its own signals of the person, from imports and pixels, and keeps those of others", async () => {
    await send("signals", [signal(jane.work, 95), signal(tom, 95)])
    await send("signals", [signal(jane.work, 80), signal(jane.home, 80)], otherOwner)
    await setOperator(false)
    await send("signals", [signal(jane.work, 70), signal(tom, 70), signal(jane.work, 60, 2)])
    await identifyJane(browsers[0])

    await server.sdk.visitors.erase(sha256(jane.work))

    const left = await server.sql(
      `select organization_id, topic_id, score, array(
         select encode(p.email_hash, 'hex') from signal_person p where p.id = any (people)
       ) as people from signal where organization_id <> $1 order by organization_id`,
      [otherId],
    )
    expect(left).toEqual([
      {
        organization_id: "00000000-0000-0000-0000-000000000000",
        topic_id: 1,
        score: 95,
        people: expect.arrayContaining([sha256(jane.work), sha256(tom)]),
      },
      { organization_id: server.organizationId, topic_id: 1, score: 70, people: [sha256(tom)] },
    ])
    const dates = await server.sql(
      "select signals::int as signals from signal_date where organization_id = $1",
      [server.organizationId],
    )
    expect(dates).toEqual([{ signals: 1 }])
    const [person] = await server.sql(
      "select organization_ids from signal_person where email_hash = decode($1, 'hex')",
      [sha256(jane.work)],
    )
    expect(person?.["organization_ids"]).toHaveLength(2)
    expect(person?.["organization_ids"]).not.toContain(server.organizationId)
  })

  it("deletes aliases from and to the person's number, and keeps other aliases", async () => {
    const { of, put } = aliasesOf(server.sql)
    await send("signals", [signal("ann@acme.example", 50, 2)], otherOwner)
    await server.sql("delete from tombstone")
    await identifyJane("33333333-3333-4333-8333-333333333333")
    await put(server.organizationId, [
      [jane.home, jane.work],
      [jane.work, tom],
      ["ann@acme.example", tom],
    ])
    await put(otherId, [[jane.work, tom]])

    await server.sdk.visitors.erase(sha256(jane.work))

    expect(await of(server.organizationId)).toEqual({
      aliases: [["ann@acme.example", tom].map(sha256)],
      bits: [sha256("ann@acme.example")],
    })
    expect(await of(otherId)).toEqual({
      aliases: [[jane.work, tom].map(sha256)],
      bits: [sha256(jane.work)],
    })
  })

  it("keeps the person out of later imports", async () => {
    expect(await send("signals", [signal(jane.work, 70), signal(tom, 71)])).toMatchObject({
      inserted: 0,
      updated: 1,
      unchanged: 0,
      rejectedCount: 1,
      rejected: [{ row: 1, field: null, reason: "erased" }],
    })
  })
})

describe("an erasure by the operator organization", () => {
  it("also deletes the shared signals, and corrects the figures that counted them", async () => {
    await setOperator(true)
    await server.sql("delete from tombstone")
    await server.sql("delete from signal_staged")
    await identifyJane(browsers[1])

    await server.sdk.visitors.erase(sha256(jane.work))

    const days = await server.sql(
      `select topic_id, unique_audience, total_signals, score_sum::int as score_sum, high_audience,
         medium_audience, low_audience from topic_day`,
    )
    expect(days).toEqual([
      {
        topic_id: 1,
        unique_audience: 1,
        total_signals: 1,
        score_sum: 95,
        high_audience: 1,
        medium_audience: 0,
        low_audience: 0,
      },
    ])
    await server.sql("delete from signal where organization_id = $1", [otherId])
  })

  it("leaves nothing in a dump of every table if no one else names the person", async () => {
    await server.sql("delete from signal_person where organization_ids = array[$1::uuid]", [
      otherId,
    ])
    const found = await findings(server.sql, [jane.work, jane.home])
    expect(found.filter(({ table }) => table.startsWith("signal"))).toEqual([])
  })
})
