// How topics of visitors are kept: by data date, for visitors who arrive or go, in pages, by several processes, and after
// lost connections (spec 3.3).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { VisitorTopics } from "../../src/intent/visitor-topics/visitor-topics.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { daysAgo, hashOf } from "../topics/signals-layer.ts"
import {
  endRests,
  settleTopics,
  startOver,
  topicsOf,
  visitorTopicsLayer,
} from "./visitor-topics-layer.ts"

const at = "2026-03-01T00:00:00Z"

const newOrganization = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  yield* sql`insert into organization (id, name, slug) values (${id}::uuid, 'Tidewater', ${id})`
  return id
})

/** One visitor for each person, with that person's address. */
const visit = Effect.fnUntraced(function* (organizationId: string, people: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const visitors = people.map((person) => ({
    organization_id: organizationId,
    id: randomUUID(),
    visitor_id: undefined,
    email_hash: hashOf(person),
    held_back: false,
    suppressed: false,
    first_seen_at: at,
    last_seen_at: at,
    created_at: at,
    updated_at: at,
    traits: {},
    vendor: {},
    resolved: {},
    phones: [],
  }))
  const columns = sql.literal(
    Object.keys(visitors[0]!)
      .filter((name) => name !== "visitor_id")
      .join(", "),
  )
  const rows = JSON.stringify(visitors)
  yield* sql`
    insert into visitor (${columns}) select ${columns}
    from jsonb_populate_recordset(null::visitor, ${rows}::text::jsonb)`
  yield* sql`
    insert into visitor_address (organization_id, email_hash, visitor_id, kind, first_seen_at)
    select organization_id, email_hash, id, 'business', first_seen_at
    from jsonb_populate_recordset(null::visitor, ${rows}::text::jsonb)`
  return visitors.map(({ id }) => id)
})

interface Said {
  readonly topicId: number
  readonly score: number
  readonly people: ReadonlyArray<number>
}

/** Replaces the imported signals of a date. */
const publish = Effect.fnUntraced(function* (
  organizationId: string,
  date: string,
  said: ReadonlyArray<Said>,
) {
  const sql = yield* SqlClient.SqlClient
  const hashes = [...new Set(said.flatMap(({ people }) => people))].map((person) => ({
    person,
    hash: hashOf(person),
  }))
  yield* sql`
    insert into signal_person (email_hash, organization_ids)
    select decode(hash, 'hex'), '{}'
    from jsonb_to_recordset(${JSON.stringify(hashes)}::text::jsonb) as one (hash text)
    on conflict (email_hash) do nothing`
  yield* sql`delete from signal where organization_id = ${organizationId} and date = ${date}::date`
  yield* sql`
    insert into signal (organization_id, origin, date, topic_id, score, people)
    select ${organizationId}::uuid, 'import', ${date}::date, said."topicId", said.score,
      array_agg(number.id order by number.id)
    from jsonb_to_recordset(${JSON.stringify(said)}::text::jsonb)
      as said ("topicId" integer, score smallint, people jsonb)
    cross join jsonb_array_elements(said.people) as of (person)
    join jsonb_to_recordset(${JSON.stringify(hashes)}::text::jsonb) as one (person jsonb, hash text)
      on one.person = of.person
    join signal_person as number on number.email_hash = decode(one.hash, 'hex')
    group by said."topicId", said.score`
  yield* sql`
    insert into signal_date (organization_id, origin, date, signals)
    values (${organizationId}, 'import', ${date}::date, 1)
    on conflict (organization_id, date, origin) do update set updated_at = clock_timestamp()`
})

const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* startOver
  yield* sql`truncate visitor, visitor_address, signal, signal_date, signal_person cascade`
  return yield* newOrganization
})

const line = (person: number, topicId: number, score: number) =>
  `${hashOf(person)} ${topicId} ${score}`

const range = (count: number) => Array.from({ length: count }, (_, n) => n)

layer(visitorTopicsLayer, { excludeTestServices: true })("topics of visitors", (it) => {
  it.effect("are those of the newest data date alone, and go with its signals", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ours = yield* begin
      yield* visit(ours, [1, 2])
      yield* publish(ours, daysAgo(2), [{ topicId: 11, score: 40, people: [1, 2] }])
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 11, 40), line(2, 11, 40)].toSorted())

      yield* publish(ours, daysAgo(1), [{ topicId: 12, score: 70, people: [2, 3] }])
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [line(2, 12, 70)])
      // Those of the date before say what has changed.
      assert.deepStrictEqual(yield* sql`select count(*)::int as rows from visitor_topic`, [
        { rows: 3 },
      ])
      yield* publish(ours, daysAgo(0), [{ topicId: 13, score: 80, people: [1] }])
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 13, 80)])
      assert.deepStrictEqual(yield* sql`select count(*)::int as rows from visitor_topic`, [
        { rows: 2 },
      ])

      yield* sql`delete from signal_date`
      yield* sql`delete from signal`
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [])
      assert.deepStrictEqual(yield* sql`select * from visitor_topic`, [])
      assert.deepStrictEqual(yield* sql`select * from visitor_topic_source`, [])
    }),
  )

  it.effect("change with the signals of the same date", () =>
    Effect.gen(function* () {
      const ours = yield* begin
      yield* visit(ours, [1, 2])
      yield* publish(ours, daysAgo(1), [{ topicId: 11, score: 40, people: [1, 2] }])
      yield* settleTopics

      yield* publish(ours, daysAgo(1), [
        { topicId: 11, score: 90, people: [2] },
        { topicId: 12, score: 50, people: [2] },
      ])
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [line(2, 11, 90), line(2, 12, 50)])
    }),
  )

  it.effect("stay those of the date before until the new one is whole", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ours = yield* begin
      yield* visit(ours, [1])
      yield* publish(ours, daysAgo(1), [{ topicId: 11, score: 40, people: [1] }])
      yield* settleTopics

      yield* publish(ours, daysAgo(0), [{ topicId: 12, score: 50, people: [1] }])
      yield* publish(sharedOrganizationId, daysAgo(0), [{ topicId: 13, score: 60, people: [1] }])
      // One of two sources has been read, and the other is being read.
      yield* sql`
        insert into visitor_topic_source (organization_id, origin, date, version, is_whole, ended_at)
        select organization_id, origin, date, updated_at, organization_id = ${ours}, clock_timestamp()
        from signal_date where date = ${daysAgo(0)}::date`
      yield* sql`
        update visitor_topic_round set kind = 'source', step = 'signals', source_id = (
          select id from visitor_topic_source where not is_whole
        )`
      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 11, 40)])

      yield* startOver
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 12, 50), line(1, 13, 60)])
    }),
  )

  it.effect(
    "are found for someone who arrives after the import, without reading it for others",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ours = yield* begin
        yield* visit(ours, [1])
        yield* publish(sharedOrganizationId, daysAgo(1), [
          { topicId: 11, score: 40, people: [1, 2] },
          { topicId: 12, score: 50, people: [2, 3] },
        ])
        yield* settleTopics
        const sources = yield* sql`select id from visitor_topic_source`

        yield* visit(ours, [2, 4])
        yield* settleTopics
        assert.deepStrictEqual(
          yield* topicsOf(ours),
          [line(1, 11, 40), line(2, 11, 40), line(2, 12, 50)].toSorted(),
        )
        assert.deepStrictEqual(yield* sql`select id from visitor_topic_source`, sources)

        const theirs = yield* newOrganization
        yield* visit(theirs, [3])
        yield* settleTopics
        assert.deepStrictEqual(yield* topicsOf(theirs), [line(3, 12, 50)])
      }),
  )

  it.effect("move with an address, and go with its visitor", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ours = yield* begin
      const [first, second] = yield* visit(ours, [1, 2])
      yield* publish(ours, daysAgo(1), [
        { topicId: 11, score: 40, people: [1, 3] },
        { topicId: 12, score: 50, people: [3] },
      ])
      yield* sql`
        insert into visitor_address (organization_id, email_hash, visitor_id, kind, first_seen_at)
        values (${ours}, ${hashOf(3)}, ${first!}, 'personal', ${at}::timestamptz)`
      yield* settleTopics
      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 11, 40), line(1, 12, 50)])

      yield* sql`
        update visitor_address set visitor_id = ${second!} where email_hash = ${hashOf(3)}`
      yield* settleTopics
      assert.deepStrictEqual(
        yield* topicsOf(ours),
        [line(1, 11, 40), line(2, 11, 40), line(2, 12, 50)].toSorted(),
      )

      yield* sql`delete from visitor where id = ${second!}`
      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 11, 40)])
      yield* sql`delete from visitor_address where visitor_id = ${second!}`
      const tables = ["visitor_topic", "visitor_number", "visitor_topic_stale"]
      for (const table of tables) {
        const left = yield* sql`select from ${sql(table)} where visitor_id = ${second!}`
        assert.deepStrictEqual([table, left.length], [table, 0])
      }
    }),
  )

  it.effect("are those of an imported address of theirs too, unless its person was erased", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tombstones = yield* Tombstones
      const ours = yield* begin
      yield* visit(ours, [1, 3])
      yield* sql`
        insert into person_address (organization_id, email_hash, person_hash)
        values (${ours}, ${hashOf(2)}, ${hashOf(1)}), (${ours}, ${hashOf(4)}, ${hashOf(3)})`
      yield* publish(ours, daysAgo(1), [{ topicId: 11, score: 40, people: [2, 4] }])
      yield* tombstones.leave([{ organizationId: ours, emailHash: hashOf(4) }])
      yield* settleTopics

      assert.deepStrictEqual(yield* topicsOf(ours), [line(1, 11, 40)])
    }),
  )

  it.effect("are found wherever they are in blocks that take several pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ours = yield* begin
      yield* visit(ours, [1, 2, 3])
      yield* publish(ours, daysAgo(1), [{ topicId: 12, score: 9, people: [1] }])
      yield* sql`
        insert into signal_person (email_hash, organization_ids)
        select sha256(n::text::bytea), '{}' from generate_series(1, 90000) as n`
      yield* sql`
        insert into signal_person (email_hash, organization_ids)
        values (decode(${hashOf(2)}, 'hex'), '{}'), (decode(${hashOf(3)}, 'hex'), '{}')
        on conflict do nothing`
      yield* sql`
        insert into signal (organization_id, origin, date, topic_id, score, people)
        select ${ours}::uuid, 'import', ${daysAgo(1)}::date, topic, 30 + topic,
          (select array_agg(id order by id) from signal_person)
        from unnest(array[11, 13]) as topic`
      yield* settleTopics

      assert.deepStrictEqual(
        yield* topicsOf(ours),
        [
          ...[1, 2, 3].flatMap((person) => [line(person, 11, 41), line(person, 13, 43)]),
          line(1, 12, 9),
        ].toSorted(),
      )
    }),
  )

  it.effect(
    "are the same after connections were lost at any moment, with two processes at once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ours = yield* begin
        yield* visit(ours, range(900))
        const said = range(40).map((topic) => ({
          topicId: topic,
          score: 1 + topic,
          people: range(700).map((n) => n * (1 + (topic % 3))),
        }))
        yield* publish(sharedOrganizationId, daysAgo(1), said)
        // A new process, which remembers nothing.
        const process = Effect.gen(function* () {
          yield* Effect.ignore(endRests)
          const { pass } = yield* VisitorTopics
          yield* Effect.ignore(Effect.catchCause(pass, () => Effect.void))
        }).pipe(Effect.provide(Layer.fresh(VisitorTopics.layer)))
        let lost = 0
        const killed = Effect.gen(function* () {
          for (const n of range(12)) {
            yield* Effect.sleep(`${5 + ((n * 37) % 60)} millis`)
            const ended = yield* Effect.orElseSucceed(
              sql`
              select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()
                and query like '%visitor_%' and state <> 'idle'`,
              () => [],
            )
            lost += ended.length
          }
        })
        const working = Effect.forEach(range(8), () => process, { discard: true })
        yield* Effect.all([working, working, killed], { concurrency: 3, discard: true })
        assert.isAbove(lost, 0)
        yield* settleTopics

        const expected = said.flatMap(({ people, score, topicId }) =>
          people.flatMap((person) => (person < 900 ? [line(person, topicId, score)] : [])),
        )
        assert.deepStrictEqual((yield* topicsOf(ours)).toSorted(), expected.toSorted())
      }),
    60_000,
  )
})
