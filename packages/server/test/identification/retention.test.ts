// Data that is stored for a number of days (spec 1.8, 2.1): what is deleted, what stays, and that people's totals
// remain the sums of their sessions.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Retention, sessionsPerBatchMax } from "../../src/people/retention/retention.ts"
import { RetentionStore } from "../../src/people/retention/store.ts"
import {
  arrive,
  contradictions,
  drain,
  event,
  type EventChange,
  identify,
  minute,
  pixelVisits,
  sessions,
  testLayer,
  visitors,
} from "./identification-layer.ts"

const day = 24 * 60 * minute
const now = Date.now()
const retentionDays = 30
/** An event in the past, received when it happened. */
const ago = (ms: number, change: EventChange = {}): EventChange => ({
  ...change,
  occurredAt: now - ms,
  receivedAt: now - ms,
})
const visit = (ms: number, change: EventChange = {}) => event(0, ago(ms, change))
const visitOf = (ms: number, email: string, change: EventChange = {}) =>
  identify(0, email, ago(ms, change))
const browsers = () => ({ anonymousId: randomUUID() })

const retentionLayer = Layer.provideMerge(
  Retention.layer,
  Layer.provideMerge(RetentionStore.layer, testLayer),
)

/** A new organization after its events were processed, before anything is deleted. */
const tenant = Effect.fnUntraced(function* (days: number | null) {
  const sql = yield* SqlClient.SqlClient
  const organizationId = randomUUID()
  yield* sql`
    insert into organization (id, name, slug, retention_days)
    values (${organizationId}, 'Tidewater', ${organizationId}, ${days})`
  return { organizationId }
})
const apply = Effect.flatMap(Retention, (retention) => retention.apply)
const of =
  (organizationId: string) =>
  <Row extends { readonly organizationId: string }>(rows: ReadonlyArray<Row>) =>
    rows.filter((row) => row.organizationId === organizationId)

layer(retentionLayer, { excludeTestServices: true })("retention", (it) => {
  it.effect("decides by a session's last event: kept up to the limit, deleted a moment later", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* tenant(retentionDays)
      const edge = retentionDays * day
      const jane = { organizationId, ...browsers() }
      yield* arrive(
        visitOf(edge + minute, "jane@acme.example", { organizationId, ...browsers() }),
        visitOf(edge + 40 * minute, "tom@acme.example", { ...jane, ...browsers() }),
        // A session that began before the limit and ended after it stays whole.
        visitOf(edge + minute, "ann@acme.example", jane),
        visit(edge - 20 * minute, jane),
      )
      yield* drain

      yield* apply

      const left = of(organizationId)(yield* visitors)
      assert.deepStrictEqual(
        left.map(({ email, firstSeen, lastSeen }) => [email, firstSeen, lastSeen]),
        [["ann@acme.example", now - edge - minute, now - edge + 20 * minute]],
      )
      assert.deepStrictEqual(yield* contradictions, [])
    }),
  )

  it.effect(
    "recomputes first seen, last seen and custom attribution for the remaining people",
    () =>
      Effect.gen(function* () {
        const { organizationId } = yield* tenant(retentionDays)
        const browser = { organizationId, ...browsers() }
        const otherPixel = randomUUID()
        yield* arrive(
          visitOf(90 * day, "jane@acme.example", { ...browser, payload: { a: { plan: "trial" } } }),
          visit(80 * day, { ...browser, pixelId: otherPixel }),
          visitOf(20 * day, "jane@acme.example", { ...browser, payload: { a: { team: "sea" } } }),
          visit(2 * day, browser),
        )
        yield* drain

        yield* apply

        const [jane] = of(organizationId)(yield* visitors)
        assert.deepStrictEqual([jane?.firstSeen, jane?.lastSeen], [now - 20 * day, now - 2 * day])
        const places = of(organizationId)(yield* pixelVisits)
        assert.deepStrictEqual(
          places.map(({ attribution, firstSeen }) => [Object.keys(attribution), firstSeen]),
          [[["team"], now - 20 * day]],
        )
        assert.deepStrictEqual(yield* contradictions, [])
      }),
  )

  it.effect(
    "deletes the user ids and aliases of deleted people and browsers, and no imported link",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* tenant(retentionDays)
        const [gone, left] = [browsers(), browsers()]
        const ids = () => ({ y: randomUUID(), j: [randomUUID()] })
        yield* arrive(
          visitOf(40 * day, "jane@acme.example", { organizationId, ...gone, payload: ids() }),
          visitOf(2 * day, "tom@acme.example", { organizationId, ...left, payload: ids() }),
        )
        yield* drain
        yield* sql`
        insert into identity_link (organization_id, kind, value, email_hash, import_id)
        select organization_id, 'external_id', 'imported', email_hash, gen_random_uuid()
        from visitor where organization_id = ${organizationId} and email = 'jane@acme.example'`

        yield* apply

        const imported = yield* sql`
        select value from identity_link
        where organization_id = ${organizationId} and import_id is not null`
        assert.deepStrictEqual(imported, [{ value: "imported" }])
        const joins = yield* sql`
        select anonymous_id from browser_join where organization_id = ${organizationId}`
        assert.deepStrictEqual(joins, [{ anonymous_id: left.anonymousId }])
        const links = yield* sql`
        select v.email from identity_link l
        join visitor v on v.organization_id = l.organization_id and v.email_hash = l.email_hash
        where l.organization_id = ${organizationId}`
        assert.deepStrictEqual(links, [{ email: "tom@acme.example" }])
      }),
  )

  it.effect("deletes people without sessions: profile, addresses, credit and browser", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* tenant(retentionDays)
      const browser = { organizationId, ...browsers() }
      yield* sql`
        insert into person (organization_id, email_hash, email)
        values (${organizationId}, ${"ab".repeat(32)}, 'jane@acme.example')`
      yield* arrive(visitOf(40 * day, "jane@acme.example", browser), visit(40 * day, browser))
      yield* drain

      yield* apply

      const tables = [
        "visitor",
        "visitor_address",
        "visitor_pixel",
        "session",
        "browser",
        "credit",
        "event",
        "event_inbox",
      ]
      for (const table of tables) {
        const rows = yield* sql`select from ${sql(table)} where organization_id = ${organizationId}`
        assert.strictEqual(rows.length, 0, table)
      }
      const people = yield* sql`select from person where organization_id = ${organizationId}`
      assert.strictEqual(people.length, 1)
      const used = yield* sql<{ used: number }>`
        select used from credit_month where organization_id = ${organizationId}`
      assert.deepStrictEqual(used, [{ used: 1 }])
    }),
  )

  it.effect("a person who returns in the same browser is anonymous until identified again", () =>
    Effect.gen(function* () {
      const { organizationId } = yield* tenant(retentionDays)
      const browser = { organizationId, ...browsers() }
      yield* arrive(visitOf(40 * day, "jane@acme.example", browser))
      yield* drain
      yield* apply
      yield* arrive(visit(60 * minute, browser))
      yield* drain
      const before = of(organizationId)(yield* visitors)

      yield* arrive(visitOf(10 * minute, "jane@acme.example", browser))
      yield* drain

      const after = of(organizationId)(yield* visitors)
      assert.deepStrictEqual(before, [])
      // The earlier visit belongs to the person who is identified now.
      assert.deepStrictEqual(
        after.map(({ email, firstSeen }) => [email, firstSeen]),
        [["jane@acme.example", now - 60 * minute]],
      )
      assert.deepStrictEqual(yield* contradictions, [])
    }),
  )

  it.effect(
    "a browser of two people no longer refers to the deleted one, and stays with the other",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* tenant(retentionDays)
        const browser = { organizationId, ...browsers() }
        yield* arrive(
          visitOf(40 * day, "jane@acme.example", browser),
          visitOf(10 * day, "tom@acme.example", browser),
          visitOf(5 * day, "jane@acme.example", { organizationId, ...browsers() }),
        )
        yield* drain

        yield* apply
        yield* arrive(visit(minute, browser))
        yield* drain

        const [tom] = yield* sql<{ id: string }>`
        select id from visitor
        where organization_id = ${organizationId} and email = 'tom@acme.example'`
        const [found] = yield* sql<{ visitor: string; named: string }>`
        select visitor_id as visitor, identifications::text as named from browser
        where organization_id = ${organizationId} and anonymous_id = ${browser.anonymousId}`
        assert.strictEqual(found?.visitor, tom?.id)
        assert.match(found?.named ?? "", new RegExp(`^\\[\\[\\d+, "${tom?.id}"\\]\\]$`))
        const left = of(organizationId)(yield* visitors)
        assert.deepStrictEqual(
          left.map(({ email, lastSeen }) => [email, lastSeen]),
          [
            ["tom@acme.example", now - minute],
            ["jane@acme.example", now - 5 * day],
          ],
        )
        assert.deepStrictEqual(yield* contradictions, [])
      }),
  )

  it.effect("keeps data without a limit or with a longer one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const forGood = yield* tenant(null)
      const longer = yield* tenant(3650)
      for (const { organizationId } of [forGood, longer]) {
        yield* arrive(visitOf(400 * day, "jane@acme.example", { organizationId, ...browsers() }))
      }
      yield* drain

      yield* apply

      for (const { organizationId } of [forGood, longer]) {
        assert.strictEqual(of(organizationId)(yield* visitors).length, 1)
        const events = yield* sql`select from event where organization_id = ${organizationId}`
        assert.strictEqual(events.length, 1)
      }
    }),
  )

  it.effect("deletes events by the day of receipt, and drops days without remaining events", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* tenant(retentionDays)
      const other = yield* tenant(null)
      const days = [28, 29, 30, 31, 33, 34]
      yield* arrive(
        ...days.map((count) => visit(count * day, { organizationId, ...browsers() })),
        visit(34 * day, { ...other, ...browsers() }),
      )
      yield* drain
      // A day that another process may still write to stays, even if it has no events.
      yield* sql`
        delete from event where received_on = (now() at time zone 'utc')::date - 28`
      const partitions = Effect.map(
        sql<{ name: string }>`
          select inhrelid::regclass::text as name from pg_inherits
          where inhparent = 'event'::regclass`,
        (rows) => new Set(rows.map(({ name }) => name)),
      )
      const nameOf = (count: number) =>
        `event_${new Date(now - count * day).toISOString().slice(0, 10).replaceAll("-", "")}`

      yield* apply

      const left = yield* sql<{ age: number }>`
        select ((now() at time zone 'utc')::date - received_on)::int as age from event
        where organization_id = ${organizationId} order by age`
      assert.deepStrictEqual(
        left.map(({ age }) => age),
        [29, 30],
      )
      const found = yield* partitions
      assert.deepStrictEqual(
        days.map((count) => found.has(nameOf(count))),
        [true, true, true, false, false, true],
      )
    }),
  )

  it.effect(
    "deletes click ids after 90 days, even from data without a limit; their names stay",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { organizationId } = yield* tenant(null)
        const clicked = (ms: number, id: string) =>
          visit(ms, { organizationId, ...browsers(), payload: { c: { gclid: id } } })
        yield* arrive(clicked(92 * day, "old"), clicked(89 * day, "new"))
        yield* drain

        yield* apply

        const kept = yield* sql`
        select click_ids as "clickIds" from session
        where organization_id = ${organizationId} order by started_at`
        assert.deepStrictEqual(kept, [
          { clickIds: { gclid: [null, now - 92 * day] } },
          { clickIds: { gclid: ["new", now - 89 * day] } },
        ])
        const shown = yield* sql`
        select payload -> 'c' as "clickIds" from event
        where organization_id = ${organizationId} order by received_on`
        assert.deepStrictEqual(shown, [{ clickIds: null }, { clickIds: { gclid: "new" } }])
        const store = yield* RetentionStore
        assert.strictEqual(yield* store.emptySessionClickIds(organizationId, 1), 0)
        assert.strictEqual(yield* store.deleteEventClickIds(organizationId, 1), 0)
      }),
  )

  it.effect("continues until nothing is left, however many sessions there are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { organizationId } = yield* tenant(retentionDays)
      yield* arrive(
        visitOf(40 * day, "jane@acme.example", { organizationId, ...browsers() }),
        visitOf(day, "jane@acme.example", { organizationId, ...browsers() }),
      )
      yield* drain
      yield* sql`
        insert into session
        select (copy).* from (
          select jsonb_populate_record(s, jsonb_build_object(
            'id', gen_random_uuid(), 'anonymous_id', gen_random_uuid())) as copy
          from session s, generate_series(1, ${sessionsPerBatchMax + 1}::int)
          where organization_id = ${organizationId} and ended_at < now() - interval '39 days'
        ) as copies`

      yield* apply

      const left = of(organizationId)(yield* visitors)
      const [count] = yield* sql<{ sessions: number }>`
        select count(*)::int as sessions from session where organization_id = ${organizationId}`
      assert.strictEqual(count?.sessions, 1)
      assert.deepStrictEqual(
        left.map(({ firstSeen }) => firstSeen),
        [now - day],
      )
      assert.isAbove((yield* sessions).length, 0)
    }),
  )
})
