// A server with CLICKHOUSE_URL (spec 18.2): previews and runs include imported signals but no erased people, a
// command moves signals between the stores, and a server without the URL does not start on its database. Old
// events move there (spec 18.3).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { clickHouseCluster, clickHouseDatabase } from "../../support/clickhouse.ts"
import { domain, startServer, testSecret, type TestServer } from "../../support/server.ts"
import { run } from "../../commands/command.ts"
import { sha256 } from "../../people/people-layer.ts"
import { daysAgo, topic } from "../signals-layer.ts"

let server: TestServer
let clickhouseUrl: string
let owner: string

const today = daysAgo(0)
const people = ["jane", "tom", "ann"].map((name) => `${name}@acme.example`)

const send = async (kind: string, records: ReadonlyArray<object>) => {
  const response = await fetch(`${server.url}/v1/admin/import/${kind}`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner}`, "content-type": "application/x-ndjson" },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  })
  expect(response.status).toBe(200)
}

const config = { topicIds: [1, 2], minScore: 50, minTopicOverlap: 2 }

const found = async () => {
  const { totalCount } = await server.sdk.audiences.preview(config)
  return totalCount
}

beforeAll(async () => {
  clickhouseUrl = await clickHouseDatabase()
  server = await startServer({ clickhouseUrl, clickhouseCluster: clickHouseCluster })
  owner = (await server.makeUser("owner")).accessToken
  await server.sql("update organization set is_operator = true where id = $1", [
    server.organizationId,
  ])
  await send("topics", [topic(1), topic(2)])
  await server.sql("update organization set is_operator = false")
})
afterAll(() => server.close())

it("counts imported signals, which are not in Postgres, and leaves out erased people", async () => {
  const signals = people.flatMap((email, place) =>
    [1, 2].map((topicId) => ({
      topicId,
      emailHash: sha256(email),
      score: 60 + 10 * place,
      date: today,
    })),
  )
  await send("signals", signals)
  expect(await server.sql("select from signal")).toEqual([])
  expect(await found()).toBe(3)

  await server.sdk.visitors.erase(sha256(people[0]!))

  expect(await found()).toBe(2)
})

it("moves its signals to Postgres and back with a command, and returns the same results", async () => {
  const copy = (to: string, args: ReadonlyArray<string> = []) =>
    run(["signals", "copy", "--to", to, ...args], {
      DATABASE_URL: server.databaseUrl,
      CLICKHOUSE_URL: clickhouseUrl,
      CLICKHOUSE_CLUSTER: clickHouseCluster ?? "",
      FOOTFALL_SECRET: testSecret,
    })

  const there = await copy("postgres", ["--json"])
  expect(there).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(there.stdout)).toEqual({ to: "postgres", dates: 1, signals: 4 })
  expect(await server.sql("select from signal")).not.toEqual([])
  expect(await found()).toBe(2)

  const back = await copy("clickhouse")
  expect(back.stdout).toBe(
    "Moved 1 date with 4 signals to ClickHouse. SIGNAL_STORE decides where new dates are stored.\n",
  )
  expect(back.stderr).toContain(`${today}  4 signals of organization `)
  expect(await server.sql("select from signal")).toEqual([])
  expect(await found()).toBe(2)
  expect((await copy("clickhouse")).stdout).toBe(
    "All imported signals are already in ClickHouse.\n",
  )

  const wrong = await copy("sqlite")
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain("Allowed choices are clickhouse, postgres.")
})

it("starts while its ClickHouse does not respond, and rejects requests that need signals until it does", async () => {
  const beside = await startServer({ beside: server, clickhouseUrl: "http://127.0.0.1:9/none" })
  const config = { topicIds: [1], minScore: 51 }

  await expect(beside.sdk.audiences.preview(config)).rejects.toMatchObject({ status: 503 })
  expect((await beside.get("/v1/data")).status).toBe(200)

  await beside.close()
  expect((await server.sdk.audiences.preview(config)).totalCount).toBe(2)
})

it("does not start without the URL of the ClickHouse that has its signals", async () => {
  await expect(startServer({ databaseUrl: server.databaseUrl })).rejects.toThrow(
    "CLICKHOUSE_URL: it is required, because signals of this database are in ClickHouse.",
  )
})

it("moves events that are old enough, still says how an address was learned, and needs its ClickHouse from then on", async () => {
  const first = await startServer()
  const email = "jane@acme.example"
  await first.collect({
    v: 1,
    sentAt: new Date().toISOString(),
    anonymousId: randomUUID(),
    consent: "granted",
    events: [
      {
        id: randomUUID(),
        time: new Date().toISOString(),
        type: "identify",
        url: `https://${domain}/`,
        email,
      },
    ],
  })
  await first.drain()
  const origins = async (of: TestServer) => {
    const response = await of.get(`/v1/data/visitors/${sha256(email)}/origins`)
    return [response.status, ((await response.json()) as { data?: unknown }).data]
  }
  // A hundred days pass for it.
  const then = daysAgo(100)
  await first.sql(
    `create table event_${then.replaceAll("-", "")} partition of event
     for values from ('${then}') to ('${daysAgo(99)}')`,
  )
  await first.sql(`
    with moved as (delete from event returning *)
    insert into event
    select organization_id, received_on - 100, pixel_id, id, received_at - interval '100 days',
      anonymous_id, session_id, type, occurred_at - interval '100 days', url, payload from moved`)
  await first.sql(`
    update session set started_at = started_at - interval '100 days', ended_at = ended_at - interval '100 days'`)
  await first.sql("update visitor_address set first_seen_at = first_seen_at - interval '100 days'")
  const before = await origins(first)
  expect(before).toMatchObject([200, { addresses: [{ way: "identify" }] }])

  const mover = await startServer({ beside: first, clickhouseUrl, eventArchiveDays: 91 })

  await expect.poll(() => first.sql("select from event"), { timeout: 30_000 }).toEqual([])
  expect(await origins(mover)).toEqual(before)
  const away = await startServer({ beside: first, clickhouseUrl: "http://127.0.0.1:9/none" })
  expect((await origins(away))[0]).toBe(503)
  await away.close()
  await mover.close()
  await expect(startServer({ databaseUrl: first.databaseUrl })).rejects.toThrow(
    "CLICKHOUSE_URL: it is required, because events of this database are in ClickHouse.",
  )
  await first.close()
})
