// The one database client of the server: a bounded pool to the Postgres of DATABASE_URL, or to an
// embedded one that starts and stops with the layer. Every session has time
// limits. Names of columns are never transformed: that would also rewrite JSON.
import { NodeServices } from "@effect/platform-node"
import { PgClient, PgConnection, type PgPool } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseConfig } from "./database-config.ts"
import { joinEmbedded, startEmbedded } from "./embedded.ts"
import { url } from "./embedded/address.ts"
import { makeBoundedClient } from "./bounded-client.ts"
import { askDatabase } from "./reachable.ts"
import { makeReplica, Replica, ReplicaConfig } from "./replica.ts"
import { statementLimitMs } from "./statement-limits.ts"

/** Connections of one process. Work beyond them waits for a connection. */
export const connectionsMax = 10

/** An idle session of Postgres holds 8 MiB. The ones in use stay: the pool lends the last one used first. */
const connectionIdle = "10 seconds"

/** For the first word of a read replica. Units: milliseconds. */
const replicaWaitMs = 2_000

/** What stores ask for, by a name that those may use who write no SQL. */
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
    /** Which of the two ways to have a database this is, as the ready line names it. */
    readonly kind: "embedded" | "postgres"
    /** For a connection beside the pool (copy.ts). */
    readonly address: Redacted.Redacted
    /** The same of the read replica, where there is one. */
    readonly readAddress: Redacted.Redacted | undefined
  }
>()("@footfall/server/database/Database") {
  /**
   * The client of a server. Without an address it starts the Postgres of the data directory and
   * refuses when another process has.
   *
   * *Errors*: DatabaseUnavailable, with one line for the operator.
   */
  static readonly layer = Layer.suspend(() => layerWith(startEmbedded))

  /**
   * The client of an operator command. Without an address it uses the running Postgres of the data
   * directory, or starts one for its own duration.
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
          const { isPooled } = yield* ask(address)
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

const poolOf = (address: Redacted.Redacted, isPooled: boolean): PgPool.Config => ({
  ...sessionOf(address),
  maxConnections: connectionsMax,
  idleTimeout: connectionIdle,
  // A pooler gives the next transaction a session that does not know the statement.
  prepare: !isPooled,
})

const ask = (address: Redacted.Redacted, connectTimeout?: number) =>
  askDatabase(PgConnection.make({ ...sessionOf(address), connectTimeout }), {
    address,
    settings: sessionSettings,
  })

/** A replica that does not answer keeps no server from its start, and may have a pooler before it. */
const isMaybePooled = (address: Redacted.Redacted) =>
  ask(address, replicaWaitMs).pipe(
    Effect.timeout(replicaWaitMs),
    Effect.match({
      onFailure: () => true,
      onSuccess: ({ isPooled }) => isPooled,
    }),
  )
