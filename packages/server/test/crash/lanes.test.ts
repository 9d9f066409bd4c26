// Four processes with workers on one Postgres are ended in turn by kill -9 and started again while events of many
// organizations arrive. The result equals a slow recomputation of each organization's events in the order of their
// arrival. FOOTFALL_SOAK=1 for the full size.
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { setTimeout } from "node:timers/promises"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import { contradictions, sessions, visitors } from "../identification/identification-layer.ts"
import { random, recompute, traffic } from "../identification/simulation.ts"
import { isSoak } from "../soak/size.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"

const processes = 4
const kills = isSoak ? 40 : 4
const organizations = isSoak ? 60 : 24
const eventsOfTwo = isSoak ? 5_000 : 300
/** So few that most sessions have several events, and how they join depends on their order. */
const days = isSoak ? 3 : 0.25
const parts = kills * 4
const drainedWithinMs = 240_000

afterAll(killLeftServers)

test(
  "after kill -9 of any of four processes, each organization's events are counted once and in order",
  async () => {
    const database = await testDatabaseUrl()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const below = random(29)
    const events = eventsOfMany()
    await insertOrganizations(client, events)
    const secret = "a secret of four processes that share one database"
    const homes = await Promise.all(
      Array.from({ length: processes }, () =>
        makeServerHome({ DATABASE_URL: database.url, FOOTFALL_SECRET: secret, LOG_LEVEL: "error" }),
      ),
    )
    const start = (place: number) => ServerProcess.launch(homes[place]!, "--workers-only")
    const servers = homes.map((_, place) => start(place))
    await Promise.all(servers.map(({ ready }) => ready))

    const size = Math.ceil(events.length / parts)
    for (let part = 0; part < parts; part++) {
      await arrive(client, events.slice(part * size, (part + 1) * size))
      if (part % 4 !== 3) continue
      // At random, so that kills don't fall only between passes or always in the same one.
      await setTimeout(below(150))
      const place = below(processes)
      await servers[place]!.kill()
      servers[place] = start(place)
    }
    await untilEmpty(client)
    await Promise.all(servers.map((server) => server.kill()))
    const run = <A>(effect: Effect.Effect<A, unknown, SqlClient.SqlClient>) =>
      Effect.runPromise(
        Effect.provide(effect, PgClient.layer({ url: Redacted.make(database.url) })),
      )

    const expected = recompute(events)
    const [stored] = (await client.query("select count(*)::int as n from event")).rows
    expect(stored).toEqual({ n: events.length })
    expect((await run(sessions)).map((row) => ({ ...row })).toSorted(byText)).toEqual(
      expected.sessions.toSorted(byText),
    )
    const seen = (await run(visitors)).map((row) => [
      `${row.organizationId} ${row.email}`,
      row.firstSeen,
      row.lastSeen,
    ])
    expect(seen.toSorted()).toEqual(
      [...expected.visitors].map(([person, { first, last }]) => [person, first, last]).toSorted(),
    )
    expect(await run(contradictions)).toEqual([])
    await client.end()
    await database.drop()
  },
  drainedWithinMs * 2,
)

/** Pairs of organizations at the same times, over the last days. */
const eventsOfMany = (): ReadonlyArray<CollectedEvent> => {
  const pairs = Array.from({ length: organizations / 2 }, (_, pair) => {
    const all = traffic({ seed: 31 + pair, events: eventsOfTwo, browsers: 20, days })
    const ids = new Map(
      [...new Set(all.map(({ organizationId }) => organizationId))].map(
        (id) => [id, crypto.randomUUID()] as const,
      ),
    )
    const later = Date.now() - Math.max(...all.map(({ occurredAt }) => occurredAt)) - 60_000
    return all.map((event) => ({
      ...event,
      organizationId: ids.get(event.organizationId)!,
      occurredAt: Math.round(event.occurredAt + later),
      receivedAt: Math.round(event.receivedAt + later),
    }))
  })
  return Array.from({ length: eventsOfTwo }, (_, place) => pairs.map((pair) => pair[place]!)).flat()
}

const insertOrganizations = async (client: pg.Client, events: ReadonlyArray<CollectedEvent>) => {
  const ids = [...new Set(events.map(({ organizationId }) => organizationId))]
  await client.query(
    "insert into organization (id, name, slug) select id, 'Lane', id::text from unnest($1::uuid[]) as id",
    [ids],
  )
}

const arrive = (client: pg.Client, events: ReadonlyArray<CollectedEvent>) =>
  client.query(
    `insert into event_inbox (organization_id, pixel_id, id, received_at, anonymous_id, type, occurred_at, url, payload)
     select "organizationId", "pixelId", id, to_timestamp("receivedAt" / 1000), "anonymousId", type,
       to_timestamp("occurredAt" / 1000), url, payload
     from rows from (jsonb_to_recordset($1::jsonb) as (
       "organizationId" uuid, "pixelId" uuid, id uuid, "receivedAt" float8, "anonymousId" uuid, type text,
       "occurredAt" float8, url text, payload jsonb
     )) with ordinality as e ("organizationId", "pixelId", id, "receivedAt", "anonymousId", type,
       "occurredAt", url, payload, place)
     order by place`,
    [JSON.stringify(events)],
  )

const untilEmpty = async (client: pg.Client): Promise<void> => {
  const deadline = Date.now() + drainedWithinMs
  for (;;) {
    const { rows } = await client.query("select count(*)::int as n from event_inbox")
    if (rows[0].n === 0) return
    if (Date.now() > deadline) throw new Error(`${rows[0].n} events wait`)
    await setTimeout(100)
  }
}

const byText = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
