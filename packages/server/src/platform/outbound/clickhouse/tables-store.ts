// Footfall's tables: on one server, or on a cluster (spec 18.2.7). In a cluster, each shard has some of the rows, and a
// write ends when every replica of a shard has them, so any replica can answer.
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

export interface Table {
  readonly name: string
  readonly columns: string
  readonly engine: "MergeTree" | "ReplacingMergeTree"
  /** What follows the engine. */
  readonly order: string
  /** Decides which shard a row is in. */
  readonly shardingKey: string
}

interface Layout {
  /** Whether this is a Distributed engine. */
  readonly isDistributed: boolean
  readonly statements: ReadonlyArray<string>
  readonly reading: Settings
  readonly writing: Result<Settings>
  /** What a deletion alters. */
  stored(name: string): string
  readonly deleting: Settings
  /** Fails while a deletion could not finish. */
  readonly canDelete: Result<void>
}

const onOneServer = (tables: ReadonlyArray<Table>): Layout => ({
  isDistributed: false,
  statements: tables.map(
    ({ columns, engine, name, order }) =>
      `create table if not exists ${name} (${columns}) engine = ${engine} ${order}`,
  ),
  reading: {},
  writing: Effect.succeed({}),
  stored: (name) => name,
  deleting: { mutations_sync: 2 },
  canDelete: Effect.void,
})

type Settings = Readonly<Record<string, number | string>>

const settings = (values: Settings): string => {
  const all = Object.entries(values).map(([name, value]) => `${name} = ${value}`)
  return all.length === 0 ? "" : `settings ${all.join(", ")}`
}

const onCluster = (
  cluster: string,
  { database, query }: ClickHouse,
  tables: ReadonlyArray<Table>,
): Layout => {
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
    statements: tables.flatMap(({ columns, engine, name: table, order, shardingKey }) => [
      // The path contains no id, so the same statement adds a replica later. The database is named, because
      // each server would put its own in the place of `currentDatabase()`.
      `create table if not exists ${table}_local on cluster ${name} (${columns})
      engine = Replicated${engine}('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
      ${order}`,
      `create table if not exists ${table} on cluster ${name} (${columns})
      engine = Distributed(${name}, ${literals.text(database)}, ${table}_local, ${shardingKey})`,
    ]),
    reading,
    writing: Effect.map(replicas, (count) => ({
      ...reading,
      // An insert returns when every shard has stored its rows, in all replicas.
      distributed_foreground_insert: 1,
      insert_quorum: count,
      insert_quorum_parallel: 1,
      insert_quorum_timeout: replicasWaitMs,
      async_insert: 0,
      // A copy reads and writes with the settings above.
      parallel_distributed_insert_select: 0,
    })),
    stored: (table) => `${table}_local on cluster ${name}`,
    deleting: {
      mutations_sync: 2,
      distributed_ddl_output_mode: "'throw'",
      distributed_ddl_task_timeout: deletionWaitSeconds,
    },
    // Otherwise each attempt would leave one more deletion for the servers that are down.
    canDelete: Effect.asVoid(
      query(`
        select count() from clusterAllReplicas(${name}, system.one)
        settings skip_unavailable_shards = 0`),
    ),
  }
}

/** `cluster`: its name in `system.clusters`; undefined for one server. */
export const clickHouseTables = (
  clickHouse: ClickHouse,
  cluster: string | undefined,
  tables: readonly [Table, ...ReadonlyArray<Table>],
) => {
  const { query, run } = clickHouse
  const layout =
    cluster === undefined ? onOneServer(tables) : onCluster(cluster, clickHouse, tables)
  const last = literals.name(tables.at(-1)!.name)

  return {
    /** Creates them if there are none. */
    make: Effect.gen(function* () {
      // It is created last.
      const bytes = yield* query(`
        select engine = 'Distributed' from system.tables
        where database = currentDatabase() and name = ${last}`)
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

    select: (statement: string): Result<Buffer> =>
      query(`${statement} ${settings(layout.reading)}`),

    /** The beginning of an insert, before its values or its query. */
    insertInto: (name: string, columns: string, own: Settings = {}): Result<string> =>
      Effect.map(
        layout.writing,
        (writing) => `insert into ${name} (${columns}) ${settings({ ...writing, ...own })}`,
      ),

    /** Ends when every replica has deleted the rows. */
    deleteFrom: (name: string, condition: string): Result<void> =>
      Effect.andThen(
        layout.canDelete,
        run(`
          alter table ${layout.stored(name)} delete where ${condition}
          ${settings(layout.deleting)}`),
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
