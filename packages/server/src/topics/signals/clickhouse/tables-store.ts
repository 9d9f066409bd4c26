// The tables of sets: on one server, or on a cluster (spec 18.2.7). In a cluster, each shard has the signals of some
// people. Every replica of a shard has all of a set before Postgres names the set, so any replica can answer.
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { type ClickHouse, literals } from "./clickhouse-store.ts"
import { RowBinary } from "./row-binary.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** How long replicas may take to store an insert. Less than ClickHouse waits for another server. */
const replicasWaitMs = 240_000

/** How long all shards may take for a deletion. Less than a request waits. */
const deletionWaitSeconds = 540

/**
 * A replica that lags further behind is not asked. All replicas have every named set, except one that is being built
 * from the others.
 */
const lagMaxSeconds = 30

interface Table {
  readonly name: "footfall_signal" | "footfall_generation"
  readonly columns: string
  /** What follows the name of the engine. */
  readonly order: string
  /** Decides which shard a row is in. */
  readonly shardingKey: string
}

const tables: ReadonlyArray<Table> = [
  {
    name: "footfall_signal",
    columns: `organization_id UUID, generation UUID, date Date, topic_id UInt32, score UInt8,
      person UInt32`,
    order: "partition by date order by (organization_id, generation, topic_id, score, person)",
    shardingKey: "intHash64(person)",
  },
  {
    name: "footfall_generation",
    // `is_gone`: its signals are being deleted.
    columns: `organization_id UUID, generation UUID, date Date, is_gone UInt8,
      made_at DateTime default now()`,
    order: "order by generation",
    shardingKey: "cityHash64(generation)",
  },
]

interface Layout {
  /** Whether this is a Distributed engine. */
  readonly isDistributed: boolean
  readonly statements: ReadonlyArray<string>
  /** Follows a query. */
  readonly reading: string
  /** Follows the columns of an insert. */
  readonly writing: Result<string>
  /** What a deletion alters. */
  stored(name: Table["name"]): string
  readonly deleting: string
  /** Fails while a deletion could not finish. */
  readonly canDelete: Result<void>
}

const onOneServer: Layout = {
  isDistributed: false,
  statements: tables.map(
    ({ columns, name, order }) =>
      `create table if not exists ${name} (${columns}) engine = MergeTree ${order}`,
  ),
  reading: "",
  writing: Effect.succeed(""),
  stored: (name) => name,
  deleting: "mutations_sync = 2",
  canDelete: Effect.void,
}

const settings = (values: Readonly<Record<string, number | string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")

const onCluster = (cluster: string, { database, query }: ClickHouse): Layout => {
  const name = literals.name(cluster)
  const reading = {
    skip_unavailable_shards: 0,
    max_replica_delay_for_distributed_queries: lagMaxSeconds,
    fallback_to_stale_replicas_for_distributed_queries: 0,
  }

  /** How many each shard has. Read before each insert, because the cluster may have grown. */
  const replicas = query(`
    select shard_num, count() from system.clusters where cluster = ${name} group by shard_num`).pipe(
    Effect.flatMap((bytes) => {
      const counts = new Set<number>()
      for (const rows = new RowBinary(bytes); rows.hasMore;) {
        rows.integer()
        counts.add(rows.count())
      }
      const [count] = counts
      if (count === undefined) return unfit(`system.clusters of ClickHouse has no "${cluster}"`)
      if (counts.size > 1) {
        return unfit(`expected as many replicas in every shard of "${cluster}"`)
      }
      return Effect.succeed(count)
    }),
  )

  return {
    isDistributed: true,
    statements: tables.flatMap(({ columns, name: table, order, shardingKey }) => [
      // The path contains no id, so the same statement adds a replica later. The database is named, because
      // each server would put its own in the place of `currentDatabase()`.
      `create table if not exists ${table}_local on cluster ${name} (${columns})
      engine = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
      ${order}`,
      `create table if not exists ${table} on cluster ${name} (${columns})
      engine = Distributed(${name}, ${literals.text(database)}, ${table}_local, ${shardingKey})`,
    ]),
    reading: `settings ${settings(reading)}`,
    writing: Effect.map(
      replicas,
      (count) =>
        `settings ${settings({
          ...reading,
          // An insert returns when every shard has stored its rows, in all replicas.
          distributed_foreground_insert: 1,
          insert_quorum: count,
          insert_quorum_parallel: 1,
          insert_quorum_timeout: replicasWaitMs,
          async_insert: 0,
          // A copy reads and writes with the settings above.
          parallel_distributed_insert_select: 0,
        })}`,
    ),
    stored: (table) => `${table}_local on cluster ${name}`,
    deleting: settings({
      mutations_sync: 2,
      distributed_ddl_output_mode: "'throw'",
      distributed_ddl_task_timeout: deletionWaitSeconds,
    }),
    // Otherwise each attempt would leave one more deletion for the servers that are down.
    canDelete: Effect.asVoid(
      query(`
        select count() from clusterAllReplicas(${name}, system.one)
        settings skip_unavailable_shards = 0`),
    ),
  }
}

/** `cluster`: its name in `system.clusters`; undefined for one server. */
export const setTables = (clickHouse: ClickHouse, cluster: string | undefined) => {
  const { query, run } = clickHouse
  const layout = cluster === undefined ? onOneServer : onCluster(cluster, clickHouse)

  return {
    /** Creates them if there are none. */
    make: Effect.gen(function* () {
      // It is created last.
      const bytes = yield* query(`
        select engine = 'Distributed' from system.tables
        where database = currentDatabase() and name = 'footfall_generation'`)
      const rows = new RowBinary(bytes)
      if (rows.hasMore) {
        if ((rows.byte() === 1) === layout.isDistributed) return
        return yield* unfit(
          layout.isDistributed
            ? "the database in CLICKHOUSE_URL has tables of a single server. Expected one without tables, or with those of the cluster"
            : "it is required, because the database in CLICKHOUSE_URL has tables of a cluster",
        )
      }
      yield* layout.writing
      yield* Effect.forEach(layout.statements, run, { discard: true })
    }),

    select: (statement: string): Result<Buffer> => query(`${statement} ${layout.reading}`),

    /** The beginning of an insert, before its values or its query. */
    insertInto: (name: Table["name"], columns: string): Result<string> =>
      Effect.map(layout.writing, (settings) => `insert into ${name} (${columns}) ${settings}`),

    /** Ends when every replica has deleted the rows. */
    deleteFrom: (name: Table["name"], condition: string): Result<void> =>
      Effect.andThen(
        layout.canDelete,
        run(`
          alter table ${layout.stored(name)} delete where ${condition}
          settings ${layout.deleting}`),
      ),

    stored: layout.stored,
  }
}

const unfit = (reason: string) => {
  const message = `CLICKHOUSE_CLUSTER: ${reason}.`
  return Effect.fail(
    new SqlError.SqlError({
      reason: new SqlError.UnknownError({
        cause: new Error(message),
        message,
        operation: "ClickHouse",
      }),
    }),
  )
}
