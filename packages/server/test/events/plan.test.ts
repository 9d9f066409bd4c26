// How Postgres finds a session and its events: by an index, in the partitions of the days on which the events can have been
// received, however many others there are (spec 5.1.10).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Partitions } from "../../src/platform/database/partitions.ts"
import { SessionEventStore } from "../../src/people/events/store.ts"
import { TestDatabase } from "../support/database.ts"

const organizationId = randomUUID()
const pixelId = randomUUID()
const visitorId = randomUUID()
const emailHash = "a".repeat(64)
const day = "2026-05-03"

/** Ten days with 3,000 sessions of ten events each, of one pixel. Half of them are the visitor's. */
const withTraffic = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { ensure } = yield* Partitions
  yield* ensure(
    Array.from({ length: 10 }, (_, place) => `2026-05-${String(place + 1).padStart(2, "0")}`),
  )
  yield* sql`
    insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at)
    values (${organizationId}, ${visitorId}, ${emailHash}, now(), now())`
  yield* sql`
    insert into visitor_address (organization_id, email_hash, visitor_id, first_seen_at)
    values (${organizationId}, ${emailHash}, ${visitorId}, now())`
  yield* sql`
    insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at, ended_at,
      pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times, channel,
      device_type, converted)
    select ${organizationId}::uuid, gen_random_uuid(), ${pixelId}::uuid, gen_random_uuid(),
      case when place % 2 = 0 then ${visitorId}::uuid else gen_random_uuid() end, at,
      at + interval '5 minutes', 1, 1, 0, 0, '{}', '{}', 'direct', 'desktop', false
    from generate_series(1, 3000) as place
    cross join lateral (
      select timestamptz '2026-05-01 08:00Z' + make_interval(days => place % 10, secs => place) as at
    ) as began`
  yield* sql`
    insert into event (organization_id, received_on, pixel_id, id, received_at, session_id, type,
      occurred_at, url, payload)
    select organization_id, (at at time zone 'utc')::date, pixel_id, gen_random_uuid(), at, id,
      case place % 3 when 0 then 'page' when 1 then 'heartbeat' else 'track' end, at,
      'https://tidewater.example/', '{"s": 30}'
    from session
    cross join generate_series(0, 9) as place
    cross join lateral (select started_at + make_interval(secs => place * 30) as at) as happened`
  yield* sql`vacuum analyze session, visitor, visitor_address, event`
})

/** The plan of what the effect asks, with the counts of each step. */
const planOf = <A>(ask: Effect.Effect<A, never, SessionEventStore>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
    yield* ask.pipe(
      Effect.provideService(Statement.CurrentTransformer, (statement) => {
        statements.push(statement.compile())
        return Effect.succeed(statement)
      }),
    )
    const [text, values] = statements[0]!
    const rows = yield* sql.unsafe<Record<string, string>>(
      `explain (analyze, costs off, timing off, buffers off) ${text}`,
      values,
    )
    return rows.map((row) => row["QUERY PLAN"]).join("\n")
  })

const storeLayer = SessionEventStore.layer.pipe(
  Layer.provideMerge(Partitions.layer),
  Layer.provideMerge(TestDatabase.layer),
)

layer(storeLayer, { excludeTestServices: true })("the events of a session", (it) => {
  it.effect(
    "are found by its id in the partitions from its first day on, and by nothing else",
    () =>
      Effect.gen(function* () {
        yield* withTraffic
        const sql = yield* SqlClient.SqlClient
        const [session] = yield* sql<{ id: string }>`
        select id from session where started_at::date = ${day}::date limit 1`
        const span = { organizationId, sessionId: session!.id, receivedFrom: "2026-05-02" }
        const store = SessionEventStore

        const listed = yield* planOf(
          Effect.flatMap(store, (one) => one.listed(span, undefined, 101)),
        )
        const moments = yield* planOf(
          Effect.flatMap(store, (one) => one.moments(span, undefined, 20_000)),
        )
        const later = yield* planOf(
          Effect.flatMap(store, (one) =>
            one.listed(span, { at: `${day}T08:01:00.000Z`, id: randomUUID() }, 101),
          ),
        )

        for (const plan of [listed, moments, later]) {
          assert.notMatch(plan, /Seq Scan/)
          assert.notMatch(plan, /event_20260501/)
          assert.match(
            plan,
            /event_20260503_organization_id_session_id_idx.*\n.*Index Cond: .*session_id = /,
          )
          // Of its ten events.
          assert.match(plan, /event_20260503[^\n]*\(actual rows=[0-9](\.00)? /)
        }
      }),
  )

  it.effect(
    "belong to one of the visitor's sessions, which are read from one index, newest first",
    () =>
      Effect.gen(function* () {
        const owner = { emailHash }
        const sql = yield* SqlClient.SqlClient
        const [deep] = yield* sql<{ pixelId: string; id: string; startTime: string }>`
        select pixel_id as "pixelId", id, started_at::text as "startTime" from session
        where visitor_id = ${visitorId} order by started_at desc offset 1000 limit 1`
        const store = SessionEventStore

        const first = yield* planOf(
          Effect.flatMap(store, (one) => one.candidates(organizationId, owner, undefined, 100)),
        )
        const later = yield* planOf(
          Effect.flatMap(store, (one) => one.candidates(organizationId, owner, deep, 100)),
        )

        for (const plan of [first, later]) {
          assert.match(plan, /Index Only Scan using session_visitor on session \(actual rows=100/)
        }
      }),
  )
})
