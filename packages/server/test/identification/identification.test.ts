// The identification pass on a real Postgres: which sessions events form, and who owns them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import {
  arrive,
  brief,
  contradictions,
  drain,
  event,
  identify,
  minute,
  nextId,
  organizationId,
  pixelId,
  pixelVisits,
  sessions,
  start,
  testLayer,
  visitors,
} from "./identification-layer.ts"

const otherPixel = "11111111-1111-4111-8111-111111111111"
const jane = "jane.mercer@harbor-logistics.example"
const tom = "tom@acme.example"

describe("sessions", () => {
  it.live("30 minutes without an event end a session, a millisecond less does not", () =>
    Effect.gen(function* () {
      yield* arrive(event(0), event(29.999), event(59.999))

      yield* drain

      assert.deepStrictEqual(yield* brief, [
        [null, 0, 29.999, 2],
        [null, 59.999, 59.999, 1],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("a session belongs to one browser and pixel, even across several batches", () =>
    Effect.gen(function* () {
      yield* arrive(event(0), event(1, { pixelId: otherPixel }))
      yield* drain
      yield* arrive(event(2), event(3, { anonymousId: nextId() }), event(4))
      yield* drain

      const rows = yield* sessions

      assert.deepStrictEqual(
        rows.map(({ pageviews }) => pageviews),
        [3, 1, 1],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("a late event joins a nearby session and merges nothing", () =>
    Effect.gen(function* () {
      yield* arrive(event(0), event(50), event(25))

      yield* drain

      assert.deepStrictEqual(yield* brief, [
        [null, 0, 0, 1],
        [null, 25, 50, 2],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("an event without an id is stored and has no session", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* arrive(event(0, { anonymousId: null }))

      yield* drain

      assert.deepStrictEqual(yield* sessions, [])
      assert.deepStrictEqual(yield* sql`select session_id from event`, [{ session_id: null }])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("an event sent again after midnight counts once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = event(959)
      yield* arrive(before)
      yield* drain
      yield* arrive({ ...before, receivedAt: before.receivedAt + 2 * minute })

      yield* drain

      assert.deepStrictEqual(yield* brief, [[null, 959, 959, 1]])
      assert.deepStrictEqual(yield* sql`select count(*)::int as n from event`, [{ n: 1 }])
      assert.deepStrictEqual(yield* sql`select count(*)::int as n from event_inbox`, [{ n: 0 }])
    }).pipe(Effect.provide(testLayer)),
  )
})

describe("identity", () => {
  it.live("earlier anonymous sessions of the browser are attached, on every pixel", () =>
    Effect.gen(function* () {
      yield* arrive(event(-3000), event(-60, { pixelId: otherPixel }), event(0))
      yield* drain
      yield* arrive(identify(1, jane), event(2))

      yield* drain

      assert.deepStrictEqual(yield* brief, [
        [jane, -3000, -3000, 1],
        [jane, -60, -60, 1],
        [jane, 0, 2, 2],
      ])
      const [visitor] = yield* visitors
      assert.strictEqual(visitor?.firstSeen, start - 3000 * minute)
      assert.strictEqual(visitor?.lastSeen, start + 2 * minute)
      assert.deepStrictEqual(
        (yield* pixelVisits).map(({ firstSeen, lastSeen }) => [
          (firstSeen - start) / minute,
          (lastSeen - start) / minute,
        ]),
        [
          [-60, -60],
          [-3000, 2],
        ],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("two addresses in one browser are two people, and each keeps their own sessions", () =>
    Effect.gen(function* () {
      yield* arrive(event(0), identify(1, jane), event(2), identify(3, tom), event(4), event(2.5))

      yield* drain

      assert.deepStrictEqual(yield* brief, [
        [jane, 0, 2.5, 3],
        [tom, 3, 4, 1],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("a late event belongs to the person who had the browser then", () =>
    Effect.gen(function* () {
      yield* arrive(identify(0, jane), identify(600, tom))
      yield* drain
      yield* arrive(event(500), event(700))

      yield* drain

      assert.deepStrictEqual(yield* brief, [
        [jane, 0, 0, 0],
        [jane, 500, 500, 1],
        [tom, 600, 600, 0],
        [tom, 700, 700, 1],
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("a late identification moves sessions back to the first person", () =>
    Effect.gen(function* () {
      yield* arrive(event(0), event(100), identify(200, tom))
      yield* drain
      yield* arrive(identify(90, jane))

      yield* drain

      assert.deepStrictEqual(yield* brief, [
        [jane, 0, 0, 1],
        [jane, 90, 100, 1],
        [tom, 200, 200, 0],
      ])
      assert.deepStrictEqual(
        (yield* visitors).map(({ email, firstSeen }) => [email, (firstSeen - start) / minute]),
        [
          [jane, 0],
          [tom, 200],
        ],
      )
      assert.deepStrictEqual(
        (yield* pixelVisits).map(({ email, firstSeen }) => [email, (firstSeen - start) / minute]),
        [
          [jane, 0],
          [tom, 200],
        ],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  // A page and two identifications within half an hour. The last to arrive happened between the others.
  const lateWords = [
    {
      rule: "of someone who came earlier: the page stays with the person identified on it",
      words: () => [event(0), identify(10, tom), identify(5, jane)],
      expected: [
        [tom, 0, 10, 1],
        [jane, 5, 5, 0],
      ],
    },
    {
      rule: "of someone who came after: the page stays with the person identified first",
      words: () => [identify(0, jane), event(10), identify(5, tom)],
      expected: [
        [jane, 0, 10, 1],
        [tom, 5, 5, 0],
      ],
    },
  ]
  const arrivals = [
    ["in one batch", 3],
    ["over two drains", 2],
  ] as const
  for (const { rule, words, expected } of lateWords) {
    for (const [how, first] of arrivals) {
      it.live(`a late identification ${rule}, ${how}, and both are listed`, () =>
        Effect.gen(function* () {
          const events = words()
          yield* arrive(...events.slice(0, first))
          yield* drain
          yield* arrive(...events.slice(first))

          yield* drain

          assert.deepStrictEqual(yield* brief, expected)
          const spans = expected.map((row) => row.slice(0, 3))
          const minutes = (row: { firstSeen: number; lastSeen: number; email: string | null }) => [
            row.email,
            (row.firstSeen - start) / minute,
            (row.lastSeen - start) / minute,
          ]
          assert.sameDeepMembers((yield* visitors).map(minutes), spans)
          assert.sameDeepMembers((yield* pixelVisits).map(minutes), spans)
          assert.deepStrictEqual(yield* contradictions, [])
        }).pipe(Effect.provide(testLayer)),
      )
    }
  }

  it.live("a person known by hash gains email, sha1 and md5 when the address becomes known", () =>
    Effect.gen(function* () {
      const { sha256, sha1 } = hashEmail(jane)
      yield* arrive(event(0, { type: "identify", payload: { h: sha256 } }))
      yield* drain
      const before = yield* visitors
      yield* arrive(identify(1, jane))

      yield* drain

      assert.deepStrictEqual(
        before.map(({ email, emailHash, sha1 }) => ({ email, emailHash, sha1 })),
        [{ email: null, emailHash: sha256, sha1: null }],
      )
      assert.deepStrictEqual(
        (yield* visitors).map(({ email, emailHash, sha1 }) => ({ email, emailHash, sha1 })),
        [{ email: jane, emailHash: sha256, sha1 }],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("addresses of one imported person are one person, in any order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const alias = "jane@mail.example"
      yield* sql`
        insert into person (organization_id, email_hash, email, emails, personal_email, first_name, phones)
        values (
          ${organizationId}, ${hashEmail(jane).sha256}, ${jane}, ${[jane, alias]}, ${alias}, 'Jane',
          ${["+14155550134"]}
        )`
      yield* sql`
        insert into person_address values
          (${organizationId}, ${hashEmail(alias).sha256}, ${hashEmail(jane).sha256})`
      const traits = { firstName: "Janet", jobTitle: "VP Operations" }
      yield* arrive(identify(0, alias, { payload: { p: traits } }))
      yield* drain
      yield* arrive(identify(5, jane, { anonymousId: nextId() }))

      yield* drain

      assert.deepStrictEqual(
        (yield* visitors).map(({ email, firstName }) => [email, firstName]),
        [[jane, "Jane"]],
      )
      assert.deepStrictEqual(
        yield* sql`select email, kind from visitor_address order by email desc`,
        [
          { email: alias, kind: "personal" },
          { email: jane, kind: "business" },
        ],
      )
      assert.deepStrictEqual(yield* sql`select job_title, phones from visitor`, [
        { job_title: "VP Operations", phones: ["+14155550134"] },
      ])
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("the same address in two organizations is two people", () =>
    Effect.gen(function* () {
      const other = "99999999-9999-4999-8999-999999999999"
      yield* arrive(identify(0, jane), identify(0, jane, { organizationId: other }))

      yield* drain

      assert.deepStrictEqual(
        (yield* visitors).map(({ organizationId: id, email }) => [id, email]),
        [
          [organizationId, jane],
          [other, jane],
        ],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("traits fill empty fields and replace nothing; the last custom value wins", () =>
    Effect.gen(function* () {
      yield* arrive(
        event(0, { payload: { a: { plan: "trial", crm: "7" } } }),
        identify(1, jane, { payload: { p: { firstName: "Jane", custom: { plan: "pro" } } } }),
        identify(2, jane, { payload: { p: { firstName: "Janet" } } }),
      )
      yield* drain
      yield* arrive(event(0.5, { payload: { a: { plan: "late", crm: "8" } } }))
      yield* drain

      assert.deepStrictEqual(
        (yield* visitors).map(({ firstName }) => firstName),
        ["Jane"],
      )
      assert.deepStrictEqual(
        (yield* pixelVisits).map(({ attribution }) => attribution),
        [{ plan: ["pro", start + minute], crm: ["8", start + minute / 2] }],
      )
    }).pipe(Effect.provide(testLayer)),
  )

  it.live("a pixel is verified by its first event and records the last", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into organization (id, name, slug) values (${organizationId}, 'Tidewater', 'tidewater')`
      yield* sql`
        insert into pixel (organization_id, id, domain, name)
        values (${organizationId}, ${pixelId}, 'tidewater.example', 'Tidewater')`
      const seen = sql<{ verified_at: Date | null; last_event_at: Date }>`
        select verified_at, last_event_at from pixel`
      yield* arrive(event(0, { anonymousId: null, payload: { l: 1 } }))
      yield* drain
      const [local] = yield* seen
      yield* arrive(event(5), event(3))

      yield* drain

      const [own] = yield* seen
      assert.isNull(local?.verified_at)
      assert.strictEqual(own?.verified_at?.getTime(), start + 5 * minute)
      assert.strictEqual(own?.last_event_at.getTime(), start + 5 * minute)
    }).pipe(Effect.provide(testLayer)),
  )
})
