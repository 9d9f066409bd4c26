// What only concerns a ClickHouse cluster (spec 18.2.7 to 18.2.10), with clusters of chdb's engine in which a server is
// down. Its tables are not replicated, so what makes replicas complete is checked as statements.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import {
  blocksStore,
  type NamedGeneration,
} from "../../../src/intent/signals/clickhouse/blocks-store.ts"
import {
  type ClickHouse,
  clickHouseAt,
} from "../../../src/platform/outbound/clickhouse/clickhouse-store.ts"
import { RowBinary } from "../../../src/platform/outbound/clickhouse/row-binary.ts"
import { chdbDatabase } from "../../support/clickhouse.ts"
import { daysAgo } from "../signals-layer.ts"

const limit = 60_000
const people = Int32Array.from({ length: 40 }, (_, place) => place + 1)

const newSet = (): NamedGeneration => ({
  organizationId: randomUUID(),
  generation: randomUUID(),
  date: daysAgo(0),
  gone: [],
})

const count = (client: ClickHouse, of: string) =>
  Effect.map(client.query(`select ${of}`), (bytes) => new RowBinary(bytes).count())

/** An empty database. */
const database = Effect.gen(function* () {
  const client = clickHouseAt(yield* Effect.promise(chdbDatabase))
  yield* Effect.addFinalizer(() => client.close)
  return client
})

/** A store on the cluster, and the statements that change something. */
const storeOn = Effect.fnUntraced(function* (cluster: string) {
  const client = yield* database
  const statements: Array<string> = []
  const note = (statement: string) => Effect.sync(() => statements.push(statement))
  const store = blocksStore(
    {
      database: client.database,
      query: client.query,
      run: (statement) => Effect.andThen(note(statement), client.run(statement)),
      insert: (statement, rows) => Effect.andThen(note(statement), client.insert(statement, rows)),
    },
    cluster,
  )
  yield* store.makeTables
  return { client, statements, store }
})

describe("signals in a ClickHouse cluster", () => {
  it.live(
    "are in both shards, and a topic that was written is not copied from a shard that has none of its new people",
    () =>
      Effect.gen(function* () {
        const { client, statements, store } = yield* storeOn("footfall")
        assert.include(
          statements.join("\n"),
          `Distributed('footfall', '${client.database}', footfall_signal_local`,
        )
        const [before, after] = [newSet(), newSet()]
        yield* store.begin(before)
        yield* store.write(before, [
          { topicId: 1, score: 10, people },
          { topicId: 2, score: 20, people },
        ])
        assert.strictEqual(yield* count(client, "uniqExact(_shard_num) from footfall_signal"), 2)
        const next = { ...after, organizationId: before.organizationId }
        yield* store.begin(next)
        yield* store.write(next, [{ topicId: 1, score: 90, people: people.slice(0, 1) }])

        yield* store.copyRest(next, { ...before, gone: [3, 4] })

        assert.deepStrictEqual(
          yield* store.counts(next),
          new Map([
            [1, 1],
            [2, 38],
          ]),
        )
      }).pipe(Effect.scoped),
    limit,
  )

  it.live(
    "are stored in every replica before a write ends, and deleted from every replica before a deletion ends",
    () =>
      Effect.gen(function* () {
        const { statements, store } = yield* storeOn("replica_down")
        const set = newSet()
        statements.length = 0
        yield* store.begin(set)
        yield* store.write(set, [{ topicId: 1, score: 10, people }])
        yield* store.copyRest({ ...set, generation: randomUUID() }, set)
        assert.lengthOf(statements, 3)
        for (const insert of statements) {
          for (const setting of [
            "distributed_foreground_insert = 1",
            "insert_quorum = 2",
            "insert_quorum_parallel = 1",
            "async_insert = 0",
          ]) {
            assert.include(insert, setting)
          }
        }

        const whole = yield* storeOn("footfall")
        whole.statements.length = 0
        yield* whole.store.write(set, [{ topicId: 1, score: 10, people }])
        yield* whole.store.deletePeople(set.generation, [1])
        assert.deepStrictEqual(yield* whole.store.counts(set), new Map([[1, 39]]))
        yield* whole.store.delete(set)
        assert.deepStrictEqual(yield* whole.store.counts(set), new Map())
        const deletions = whole.statements.filter((statement) => !/^\s*insert/.test(statement))
        assert.lengthOf(deletions, 3)
        for (const deletion of deletions) {
          assert.match(deletion, /alter table footfall_\w+_local on cluster 'footfall' delete/)
          assert.include(deletion, "mutations_sync = 2")
        }
      }).pipe(Effect.scoped),
    limit,
  )

  it.live(
    "are an error while a shard is down, and never the signals of the other shard alone",
    () =>
      Effect.gen(function* () {
        const { client, store } = yield* storeOn("shard_down")
        const set = newSet()
        yield* client.run(`
          insert into footfall_signal_local values
          ('${set.organizationId}', '${set.generation}', '${set.date}', 1, 10, 1)`)
        assert.strictEqual(yield* count(client, "count() from footfall_signal_local"), 1)

        for (const asked of [
          store.count(set),
          store.counts(set),
          store.blocks(set, [1]),
          store.people(set, { ...set, topicIds: [1], minScore: 1 }),
          store.isThere(set),
          store.hits(set.organizationId, [1]),
          store.settled,
          store.write(set, [{ topicId: 1, score: 10, people }]),
          store.deletePeople(set.generation, [1]),
        ]) {
          const { message } = yield* Effect.flip<unknown, Error, never>(asked)
          assert.match(message, /connection tries failed|connections to up-to-date replicas/)
        }
        assert.strictEqual(yield* count(client, "count() from footfall_signal_local"), 1)
      }).pipe(Effect.scoped),
    limit,
  )

  it.live(
    "are read from the other replica while one is down, and not deleted until it is back",
    () =>
      Effect.gen(function* () {
        const { statements, store } = yield* storeOn("replica_down")
        const set = newSet()
        yield* store.write(set, [{ topicId: 1, score: 10, people }])
        assert.deepStrictEqual(yield* store.counts(set), new Map([[1, 40]]))
        assert.lengthOf(yield* store.hits(set.organizationId, [1]), 1)
        statements.length = 0

        const error = yield* Effect.flip(store.deletePeople(set.generation, [1]))

        assert.include(error.message, "127.0.0.1:1")
        assert.deepStrictEqual(statements, [])
        assert.lengthOf(yield* store.hits(set.organizationId, [1]), 1)
      }).pipe(Effect.scoped),
    limit,
  )

  it.live(
    "are refused by a cluster that ClickHouse does not have, or whose shards have different numbers of replicas",
    () =>
      Effect.gen(function* () {
        const client = yield* database

        const missing = yield* Effect.flip(blocksStore(client, "elsewhere").makeTables)
        const uneven = yield* Effect.flip(blocksStore(client, "uneven").makeTables)

        assert.strictEqual(
          missing.message,
          'CLICKHOUSE_CLUSTER: system.clusters of ClickHouse has no "elsewhere".',
        )
        assert.strictEqual(
          uneven.message,
          'CLICKHOUSE_CLUSTER: expected as many replicas in every shard of "uneven".',
        )
        assert.throws(() => blocksStore(client, "footfall'"), "expected a value as")
      }).pipe(Effect.scoped),
    limit,
  )

  it.live(
    "are refused by a database with the tables of a single server, and the other way round",
    () =>
      Effect.gen(function* () {
        const [single, spread] = [yield* database, yield* database]
        yield* blocksStore(single, undefined).makeTables
        yield* blocksStore(spread, "footfall").makeTables

        const cluster = yield* Effect.flip(blocksStore(single, "footfall").makeTables)
        const server = yield* Effect.flip(blocksStore(spread, undefined).makeTables)

        assert.include(cluster.message, "CLICKHOUSE_CLUSTER: the database in CLICKHOUSE_URL has")
        assert.include(server.message, "CLICKHOUSE_CLUSTER: it is required, because the database")
        yield* blocksStore(single, undefined).makeTables
        yield* blocksStore(spread, "footfall").makeTables
      }).pipe(Effect.scoped),
    limit,
  )
})
