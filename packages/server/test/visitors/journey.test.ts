// The limits of a visitor's data and journey: click ids of the last 90 days, 50 sessions, any address of the person
// (spec 1.8, 2.1, 5.1, 10.3).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Visitors } from "../../src/people/visitors/visitors.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import {
  at,
  day,
  everyone,
  list,
  now,
  scene,
  type Tenant,
  visitorsLayer,
} from "./visitors-layer.ts"

const jane = "jane@acme.example"
const look = (tenant: Tenant, email = jane) =>
  Effect.flatMap(Visitors, (visitors) => visitors.find(everyone(tenant), email)).pipe(at(now))

/** Jane, seen now. Her one session is repeated `more` times, an hour apart, into the past. */
const withSessions = Effect.fnUntraced(function* (more: number) {
  const sql = yield* SqlClient.SqlClient
  const tenant = yield* scene([{ email: jane, at: now }])
  yield* sql`
    insert into session
    select (copy).* from (
      select jsonb_populate_record(s, jsonb_build_object(
        'id', gen_random_uuid(),
        'started_at', s.started_at - make_interval(hours => place),
        'ended_at', s.ended_at - make_interval(hours => place))) as copy
      from session s, generate_series(1, ${more}::int) as place
      where organization_id = ${tenant.organizationId}
    ) as copies`
  return tenant
})

layer(visitorsLayer, { excludeTestServices: true })("one visitor", (it) => {
  for (const { ageMs, isShown } of [
    { ageMs: 90 * day - 1, isShown: true },
    { ageMs: 90 * day, isShown: true },
    { ageMs: 90 * day + 1, isShown: false },
  ]) {
    it.effect(`a click id from ${ageMs} ms ago is shown: ${isShown}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* scene([{ email: jane, at: now }])
        yield* sql`
          update session
          set click_ids = jsonb_build_object('gclid', jsonb_build_array('x', ${now - ageMs}::bigint))
          where organization_id = ${tenant.organizationId}`

        const { visitors } = yield* list(everyone(tenant))

        assert.deepStrictEqual(visitors[0]?.clickIds, isShown ? { gclid: "x" } : {})
      }),
    )
  }

  for (const count of [49, 50, 51]) {
    it.effect(`a journey of ${count} sessions: the newest 50 and the first touch`, () =>
      Effect.gen(function* () {
        const tenant = yield* withSessions(count - 1)

        const { first, sessions, visitor } = yield* look(tenant)

        const hoursAgo = (place: number) => new Date(now - place * 3_600_000).toISOString()
        assert.strictEqual(visitor.sessions, count)
        assert.deepStrictEqual(
          sessions.map(({ startTime }) => startTime),
          Array.from({ length: Math.min(count, 50) }, (_, place) => hoursAgo(place)),
        )
        assert.strictEqual(first?.startTime, hoursAgo(count - 1))
        assert.strictEqual(first?.isFirstSession, true)
        assert.strictEqual(
          sessions.filter(({ isFirstSession }) => isFirstSession).length,
          count > 50 ? 0 : 1,
        )
      }),
    )
  }

  it.effect(
    "any address of the person, or its hash, finds them, and the response has the primary hash",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* scene([{ email: jane, at: now }])
        const other = "jane@mail.example"
        yield* sql`
        insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
        select organization_id, ${hashEmail(other).sha256}, id, ${other}, 'personal', '2020-01-01'
        from visitor where organization_id = ${tenant.organizationId}`

        const { visitor } = yield* look(tenant, ` ${other.toUpperCase()} `)

        assert.strictEqual(visitor.emailHash, hashEmail(jane).sha256)
        assert.deepStrictEqual(visitor.addresses, [
          { email: jane, kind: "business" },
          { email: other, kind: "personal" },
        ])
        const byHash = yield* look(tenant, hashEmail(other).sha256)
        assert.strictEqual(byHash.visitor.emailHash, hashEmail(jane).sha256)
      }),
  )
})
