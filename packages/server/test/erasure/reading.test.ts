// How the rows of a person are read (spec 5.1.12, 2.26): an erasure counts, and an archive reads, each of them once and none
// of others, however many there are.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { randomUUID } from "node:crypto"
import { pagesOf } from "../../src/people/erasure/archive-file.ts"
import { ErasureStore } from "../../src/people/erasure/store.ts"
import { Partitions } from "../../src/platform/database/partitions.ts"
import { TestDatabase } from "../support/database.ts"

const organizationId = randomUUID()
const visitorId = randomUUID()
const person = {
  organizationId,
  visitorId,
  addresses: [{ emailHash: "a".repeat(64), email: null }],
}
/** More than two pages. */
const notes = 2_500

const kindOf = (wanted: string) =>
  Effect.map(ErasureStore, (store) => store.kept(person).find(({ kind }) => kind === wanted)!)

/** 2,000 sessions of one day with ten events each, two of them the person's. */
const withTraffic = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { ensure } = yield* Partitions
  yield* ensure(["2026-05-03"])
  yield* sql`
    insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at, ended_at,
      pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times, channel,
      device_type, converted)
    select ${organizationId}::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
      case when place <= 2 then ${visitorId}::uuid else gen_random_uuid() end, at, at,
      1, 1, 0, 0, '{}', '{}', 'direct', 'desktop', false
    from generate_series(1, 2000) as place
    cross join lateral (select timestamptz '2026-05-03 08:00Z' + make_interval(secs => place) as at) as began`
  yield* sql`
    insert into event (organization_id, received_on, pixel_id, id, received_at, session_id,
      anonymous_id, type, occurred_at, url, payload)
    select organization_id, (started_at at time zone 'utc')::date, pixel_id, gen_random_uuid(), started_at, id,
      anonymous_id, 'page', started_at, 'https://tidewater.example/', '{}'
    from session
    cross join generate_series(1, 10)`
  yield* sql`vacuum analyze session, event`
})

const storeLayer = ErasureStore.layer.pipe(
  Layer.provideMerge(Partitions.layer),
  Layer.provideMerge(TestDatabase.layer),
)

layer(storeLayer, { excludeTestServices: true })("the rows of a person", (it) => {
  it.effect("are read once each for an archive, however many pages they are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ErasureStore
      yield* sql`
        insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at)
        values (${organizationId}, ${visitorId}, ${"a".repeat(64)}, now(), now())`
      yield* sql`
        insert into visitor_note (organization_id, id, visitor_id, text, author_kind, author_id)
        select ${organizationId}::uuid, gen_random_uuid(), ${visitorId}::uuid, 'Note ' || place, 'member',
          gen_random_uuid()
        from generate_series(1, ${notes}::int) as place`
      const statements: Array<string> = []
      const reading = Effect.gen(function* () {
        const next = pagesOf(store.next)
        const read: Array<unknown> = []
        let page = yield* next()
        while (page.length > 0) {
          read.push(...page.map(({ text }) => text))
          page = yield* next()
        }
        return read
      }).pipe(
        Effect.provideService(Statement.CurrentTransformer, (statement) => {
          statements.push(statement.compile()[0].trim())
          return Effect.succeed(statement)
        }),
      )

      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* store.beginReading
          yield* store.open(yield* kindOf("notes"))
          const read = yield* reading
          yield* store.close
          return read
        }),
      )

      assert.strictEqual(read.length, notes)
      assert.strictEqual(new Set(read).size, notes)
      // Postgres goes on where it stopped. A query for each page would read all of them again.
      const fetched = "fetch forward 1000 from kept_row"
      assert.deepStrictEqual(statements, [fetched, fetched, fetched])
    }),
  )

  it.effect("are counted by an index of events, without those of others", () =>
    Effect.gen(function* () {
      yield* withTraffic
      const sql = yield* SqlClient.SqlClient
      const store = yield* ErasureStore
      const events = yield* kindOf("events")
      const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []

      const counted = yield* Effect.provideService(
        store.count([events]),
        Statement.CurrentTransformer,
        (statement) => {
          statements.push(statement.compile())
          return Effect.succeed(statement)
        },
      )

      const [text, values] = statements[0]!
      const rows = yield* sql.unsafe<Record<string, string>>(`explain (costs off) ${text}`, values)
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
      assert.deepStrictEqual(counted, [{ kind: "events", count: 20 }])
      assert.notMatch(plan, /Seq Scan on event/)
    }),
  )
})
