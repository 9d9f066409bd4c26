// How Postgres finds a page of sessions: it reads one index from the key on, and looks up the person's first
// session once (spec 1.6: deep pages are not slower than the first).
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { type SessionSlice, SessionStore } from "../../../src/people/visitors/sessions/store.ts"
import { hashEmail } from "../../../src/collect/visits/email-address.ts"
import { now, scene, type Tenant, visitorsLayer } from "../visitors-layer.ts"

const jane = "jane@acme.example"

/** Jane's only session, repeated 4,000 times, an hour apart, in other browsers. */
const withHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenant = yield* scene([{ email: jane, at: now }])
  yield* sql`
    insert into session
    select (copy).* from (
      select jsonb_populate_record(s, jsonb_build_object(
        'id', gen_random_uuid(), 'anonymous_id', gen_random_uuid(),
        'started_at', s.started_at - make_interval(hours => place),
        'ended_at', s.ended_at - make_interval(hours => place))) as copy
      from session s, generate_series(1, 4000) as place
      where organization_id = ${tenant.organizationId}
    ) as copies`
  yield* sql`vacuum analyze session, visitor, visitor_address`
  return tenant
})

/** The plan of a page, with the counts of each step. */
const planOf = Effect.fnUntraced(function* (
  { organizationId }: Tenant,
  slice: SessionSlice,
  days?: number,
) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* SessionStore
  const asOf = DateTime.makeUnsafe(now)
  const from = days === undefined ? undefined : DateTime.subtract(asOf, { days })
  const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* store
    .list(
      { organizationId, pixelId: undefined, asOf, from },
      { emailHash: hashEmail(jane).sha256 },
      slice,
    )
    .pipe(
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

layer(visitorsLayer, { excludeTestServices: true })("a page of sessions", (it) => {
  it.effect(
    "reads its own rows and one more from one index, on the first, deep and last pages",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* withHistory
        const [deep] = yield* sql<{ pixelId: string; id: string; startTime: string }>`
        select pixel_id as "pixelId", id, started_at::text as "startTime" from session
        where organization_id = ${tenant.organizationId}
        order by started_at desc offset 3000 limit 1`
        const slice = { order: "desc", limit: 51 } as const

        const first = yield* planOf(tenant, slice)
        const later = yield* planOf(tenant, { ...slice, after: deep })
        const last = yield* planOf(tenant, { ...slice, limit: 101 }, 1)

        for (const plan of [first, later]) {
          assert.match(plan, /Index Scan using session_visitor on session \(actual rows=51/)
        }
        // The page that ends the window skips older sessions in the index, a week of them at most.
        assert.match(
          last,
          /(using|on) session_visitor .*\n.*Index Cond: .*started_at >=.*ended_at >=/,
        )
        for (const plan of [first, later, last]) assert.notMatch(plan, /Rows Removed by Filter/)
      }),
  )

  it.effect("looks up the person's first session once, at the end of the same index", () =>
    Effect.gen(function* () {
      const plan = yield* planOf(yield* withHistory, { order: "desc", limit: 51 })

      assert.match(
        plan,
        /Index (Only )?Scan Backward using session_visitor on session session_1 \(actual rows=1(\.00)? loops=1\)/,
      )
    }),
  )
})
