// The server's database client: a bounded pool to the Postgres of DATABASE_URL, or to an embedded one that starts and
// stops with the layer. Every session has time limits. Column names are never transformed, because that would also
// rewrite JSON.
import { NodeServices } from "@effect/platform-node"
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseConfig, DatabaseWaitSeconds } from "./database-config.ts"
import { joinEmbedded, startEmbedded } from "./embedded.ts"
import { url } from "./embedded/address.ts"
import { makeBoundedClient } from "./bounded-client.ts"
import { askDatabase } from "./reachable.ts"
import { makeReplica, Replica, ReplicaConfig } from "./replica.ts"
import { statementLimitMs } from "./statement-limits.ts"

/** Connections per process. Further callers wait for one. */
export const connectionsMax = 10

/**
 * An idle Postgres session takes 8 MiB. The busy sessions stay open, because the pool lends the most recently used one
 * first. In milliseconds.
 */
const connectionIdle = 10_000

/** How long to wait for a read replica's first response. In milliseconds. */
const replicaWaitMs = 2_000

/** What stores require, named for modules that contain no SQL. */
export type DatabaseClient = SqlClient.SqlClient

/** Sent when a session starts, so that no statement runs without them. */
const sessionSettings = {
  statement_timeout: `${statementLimitMs / 1_000}s`,
  idle_in_transaction_session_timeout: "15s",
  lock_timeout: "5s",
  timezone: "UTC",
}

export class Database extends Context.Service<
  Database,
  {
    /** The kind of database, as shown in the ready line. */
    readonly kind: "embedded" | "postgres"
    /** For connections outside the pool (copy.ts). */
    readonly address: Redacted.Redacted
    /** The address of the read replica, if configured. */
    readonly readAddress: Redacted.Redacted | undefined
  }
>()("@footfall/server/database/Database") {
  /**
   * The client of a server. Without an address it starts the data directory's Postgres, and fails if another process
   * already has.
   *
   * *Errors*: DatabaseUnavailable, with one line for the operator.
   */
  static readonly layer = Layer.suspend(() => layerWith(startEmbedded))

  /**
   * The client of an operator command. Without an address it uses the data directory's running Postgres, or starts one
   * for its own duration.
   *
   * *Errors*: DatabaseUnavailable, with one line for the operator.
   */
  static readonly layerCommand = Layer.suspend(() => layerWith(joinEmbedded))
}

const layerWith = (embedded: typeof startEmbedded) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* DatabaseConfig
      return Option.match(config.url, {
        onSome: (address) => layerAt(address, "postgres"),
        onNone: () =>
          Layer.unwrap(
            Effect.map(embedded(config.dataDir), (address) => layerAt(url(address), "embedded")),
          ),
      })
    }),
  ).pipe(Layer.provide(NodeServices.layer))

const layerAt = (address: Redacted.Redacted, kind: "embedded" | "postgres") =>
  Layer.unwrap(
    Effect.map(ReplicaConfig, (replica) => {
      const client = PgClient.layerFrom(
        Effect.gen(function* () {
          const { isPooled } = yield* ask(address, { waitSeconds: yield* DatabaseWaitSeconds })
          return yield* makeBoundedClient(
            poolOf(address, isPooled),
            replica && poolOf(replica.url, yield* isMaybePooled(replica.url)),
          )
        }),
      )
      return Layer.merge(
        Layer.succeed(Database, { kind, address, readAddress: replica?.url }),
        replica === undefined ? client : Layer.provideMerge(replicaLayer(replica), client),
      )
    }),
  )

const replicaLayer = ({ maxLagSeconds }: { readonly maxLagSeconds: number }) =>
  Layer.effect(
    Replica,
    Effect.flatMap(SqlClient.SqlClient, (sql) => makeReplica(sql, maxLagSeconds * 1_000)),
  )

const sessionOf = (address: Redacted.Redacted) => ({
  url: address,
  applicationName: "footfall",
  startupParameters: sessionSettings,
})

const poolOf = (address: Redacted.Redacted, isPooled: boolean) => ({
  ...sessionOf(address),
  maxConnections: connectionsMax,
  idleTimeout: connectionIdle,
  // With a pooler, the next transaction may get a session that does not know the prepared statement.
  prepare: !isPooled,
})

const ask = (
  address: Redacted.Redacted,
  {
    connectTimeout,
    waitSeconds,
  }: { readonly connectTimeout?: number; readonly waitSeconds: number },
) =>
  askDatabase(PgConnection.make({ ...sessionOf(address), connectTimeout }), {
    address,
    settings: sessionSettings,
    waitSeconds,
  })

/** A replica that does not respond must not block startup, and it may be behind a pooler. */
const isMaybePooled = (address: Redacted.Redacted) =>
  ask(address, { connectTimeout: replicaWaitMs, waitSeconds: 0 }).pipe(
    Effect.timeout(replicaWaitMs),
    Effect.match({
      onFailure: () => true,
      onSuccess: ({ isPooled }) => isPooled,
    }),
  )
