// A server that moves old events to ClickHouse is killed with kill -9 (spec 18.3.1): before a statement reaches
// ClickHouse, before the answer reaches the server, and while Postgres deletes. After each kill every event is stored
// somewhere exactly as it was, no answer changes, and in the end each event is in ClickHouse once. FOOTFALL_SOAK=1 for
// the full number of kills.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import { clickHouseAt } from "../../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary } from "../../src/platform/outbound/clickhouse/row-binary.ts"
import { linesInClickHouse, linesInPostgres } from "../identification/event-lines.ts"
import { random } from "../identification/simulation.ts"
import { sha256 } from "../people/people-layer.ts"
import { figure, sizeOf } from "../soak/size.ts"
import { clickHouseCluster, clickHouseDatabase } from "../support/clickhouse.ts"
import { ClickHouseProxy, type Moment } from "../support/clickhouse-proxy.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { domain, startServer, testSecret, type TestServer } from "../support/server.ts"
import { daysAgo } from "../topics/signals-layer.ts"

const kills = sizeOf("SOAK_KILLS", 3, 40)
const events = sizeOf("SOAK_EVENTS", 9_000, 150_000)
const emails = Array.from({ length: 12 }, (_, n) => `person${n}@acme.example`)
/** Oldest first. The people were identified on the second. */
const days = [103, 102, 101]

let clickhouseUrl: string
let server: TestServer
let proxy: ClickHouseProxy

afterAll(killLeftServers)

beforeAll(async () => {
  clickhouseUrl = await clickHouseDatabase()
  server = await startServer({ clickhouseUrl, clickhouseCluster: clickHouseCluster })
  proxy = await ClickHouseProxy.start(clickhouseUrl)
  return async () => {
    await proxy.close()
    await server.close()
  }
})

const time = () => new Date().toISOString()

/** People are identified, and a hundred days pass for them. */
const identifyLongAgo = async () => {
  for (const email of emails) {
    const identified = { id: randomUUID(), type: "identify", url: `https://${domain}/`, email }
    await server.collect({
      v: 1,
      sentAt: time(),
      anonymousId: randomUUID(),
      consent: "granted",
      events: [{ ...identified, time: time() }],
    })
  }
  await server.drain()
  const passed = `interval '${days[1]} days'`
  for (const day of days) {
    await server.sql(
      `create table event_${daysAgo(day).replaceAll("-", "")} partition of event
       for values from ('${daysAgo(day)}') to ('${daysAgo(day - 1)}')`,
    )
  }
  await server.sql(`
    with moved as (delete from event returning *)
    insert into event
    select organization_id, '${daysAgo(days[1]!)}', pixel_id, id, received_at - ${passed},
      anonymous_id, session_id, type, occurred_at - ${passed}, url, payload from moved`)
  await server.sql(
    `update session set started_at = started_at - ${passed}, ended_at = ended_at - ${passed}`,
  )
  await server.sql(`update visitor_address set first_seen_at = first_seen_at - ${passed}`)
}

const addPageViews = () =>
  server.sql(
    `insert into event (organization_id, received_on, pixel_id, id, received_at, anonymous_id,
       session_id, type, occurred_at, url, payload)
     select $1, day, $2, gen_random_uuid(), day::timestamptz + n * interval '1 millisecond',
       case when n % 2 = 0 then gen_random_uuid() end, case when n % 2 = 0 then gen_random_uuid() end,
       'page', day::timestamptz + n * interval '1 millisecond', 'https://${domain}/' || n,
       jsonb_build_object('k', 'granted', 'd', 'desktop', 't', 'Zoë ' || n)
     from unnest($3::date[]) as day, generate_series(1, $4::int / $5::int) as n`,
    [server.organizationId, server.pixelId, days.map(daysAgo), events, days.length],
  )

/** How each person's address was learned, as the API says it. */
const origins = () =>
  Promise.all(
    emails.map(async (email) => {
      const response = await server.get(`/v1/data/visitors/${sha256(email)}/origins`)
      return [response.status, ((await response.json()) as { data?: unknown }).data]
    }),
  )

const inPostgres = async () =>
  (await server.sql(linesInPostgres(server.organizationId))).map(({ line }) => String(line))

const inClickHouse = async () => {
  const client = clickHouseAt(clickhouseUrl)
  const bytes = await Effect.runPromise(client.query(linesInClickHouse(server.organizationId)))
  await Effect.runPromise(client.close)
  const lines: Array<string> = []
  for (const rows = new RowBinary(bytes); rows.hasMore;) lines.push(rows.utf8())
  return lines
}

/** The first lines that are more often on one side than on the other. */
const differences = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>) => {
  const counts = new Map<string, number>()
  for (const line of found) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of expected) counts.set(line, (counts.get(line) ?? 0) - 1)
  return [...counts].filter(([, count]) => count !== 0).slice(0, 5)
}

/** Resolves once nothing that the killed server began is in progress. Then ends its lease, which lasts five minutes. */
const settled = async () => {
  await proxy.settled()
  await expect
    .poll(
      () =>
        server.sql(
          `select from pg_stat_activity
           where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
             and query like '%event%' and query not like '%event_inbox%'`,
        ),
      { timeout: 60_000 },
    )
    .toEqual([])
  await server.sql("update event_archive set lease_ends_at = now() - interval '1 second'")
}

const moves = /insert into footfall_event |from footfall_event final/

it(
  "a move of old events that is killed at any moment loses and doubles no event, and changes no answer",
  async () => {
    await identifyLongAgo()
    await addPageViews()
    const before = await inPostgres()
    expect(before).toHaveLength(events + emails.length)
    const said = await origins()
    expect(said[0]).toMatchObject([200, { addresses: [{ way: "identify" }] }])
    const home = await makeServerHome({
      DATABASE_URL: server.databaseUrl,
      CLICKHOUSE_URL: proxy.address,
      ...(clickHouseCluster === undefined ? {} : { CLICKHOUSE_CLUSTER: clickHouseCluster }),
      EVENT_ARCHIVE_DAYS: "91",
      FOOTFALL_SECRET: testSecret,
      LOG_LEVEL: "error",
    })
    const below = random(41)
    const places: Record<string, number> = {}

    for (let kill = 0; kill < kills; kill++) {
      // Two kills of three are at an exact moment, the third shortly after one, while Postgres works.
      const isHeld = kill % 3 !== 2
      const reached = proxy.moment(moves, 1 + below(6), { isHeld })
      const mover = ServerProcess.launch(home, "--workers-only")
      const { of, statement }: Moment = await reached
      if (isHeld) expect(await origins()).toEqual(said)
      else await wait(below(30))
      await mover.kill()
      await settled()
      const place = `${/insert/.test(statement) ? "write" : "read"} ${isHeld ? of : "later"}`
      places[place] = (places[place] ?? 0) + 1

      const [left, moved] = [await inPostgres(), await inClickHouse()]
      expect(new Set(moved).size).toBe(moved.length)
      expect(differences([...new Set([...left, ...moved])], before)).toEqual([])
      expect(left).not.toEqual([])
      expect(await origins()).toEqual(said)
    }

    const mover = ServerProcess.launch(home, "--workers-only")
    await expect
      .poll(() => server.sql("select from event limit 1"), { timeout: 120_000, interval: 100 })
      .toEqual([])
    await mover.kill()

    expect(differences(await inClickHouse(), before)).toEqual([])
    expect(await origins()).toEqual(said)
    figure("moves of old events killed", { kills, events, places })
  },
  kills * 20_000 + 240_000,
)
