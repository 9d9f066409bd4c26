// Compares a load's ledger with the database: every acknowledged event is stored once, every counter is the sum of the
// events, and every acknowledged rule exists or was deleted.
import { expect, vi } from "vitest"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import { recount } from "../crash/recount.ts"
import type { MixedLoad } from "./mixed-load.ts"

/** A database that can be queried directly. */
interface Asked {
  sql<Row extends object>(
    statement: string,
    values?: ReadonlyArray<unknown>,
  ): Promise<ReadonlyArray<Row>>
}

/** Resolves once identification has counted every event. */
export const drained = (cluster: Asked, timeout = 300_000): Promise<void> =>
  vi.waitFor(
    async () => {
      const [inbox] = await cluster.sql<{ waiting: number }>(
        "select count(*)::int as waiting from event_inbox",
      )
      if (inbox?.waiting !== 0) throw new Error(`${inbox?.waiting} events wait`)
    },
    { timeout, interval: 200 },
  )

/** Everything acknowledged is stored. */
export const expectKept = async (cluster: Asked, load: MixedLoad) => {
  const stored = await cluster.sql<{ id: string; times: number }>(
    "select id, count(*)::int as times from event group by id",
  )
  const ids = new Set(stored.map(({ id }) => id))
  const lost = load.events.filter((id) => !ids.has(id))
  expect(lost).toEqual([])
  expect(stored.filter(({ times }) => times > 1)).toEqual([])

  const rules = await cluster.sql<{ value: string }>(
    "select value from suppression_rule where removed_at is null",
  )
  const values = new Set(rules.map(({ value }) => value))
  const wrong = [...load.rules].filter(
    ([value, isPresent]) => isPresent !== undefined && values.has(value) !== isPresent,
  )
  expect(wrong).toEqual([])
  return { events: load.events.length, rules: load.rules.size }
}

/** Sessions and page views, recomputed from the stored events. */
export const expectExactCounters = async (cluster: Asked): Promise<void> => {
  const events = await cluster.sql<CollectedEvent>(
    `select organization_id as "organizationId", pixel_id as "pixelId", id,
       round(extract(epoch from received_at) * 1000)::float8 as "receivedAt",
       anonymous_id as "anonymousId", type,
       round(extract(epoch from occurred_at) * 1000)::float8 as "occurredAt", url, payload
     from event order by occurred_at, id`,
  )
  const { sessions } = recount(events)
  const [counted] = await cluster.sql(
    `select count(*)::int as sessions, sum(pageviews)::int as pageviews,
       sum(active_seconds)::int as seconds,
       (select count(*)::int from event where session_id is null) as "setAside"
     from session`,
  )
  expect(counted).toEqual({
    sessions: sessions.length,
    pageviews: sessions.reduce((sum, { pageviews }) => sum + pageviews, 0),
    seconds: sessions.reduce((sum, { active }) => sum + (active ?? 0), 0),
    setAside: 0,
  })
}
