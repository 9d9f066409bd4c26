// The one database client of the server: a bounded pool to the Postgres of DATABASE_URL, or to an
// embedded one that starts and stops with the layer. Every session has time
// limits. Names of columns are never transformed: that would also rewrite JSON.
import { NodeServices } from "@effect/platform-node"
import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { DatabaseConfig } from "./database-config.ts"
import { joinEmbedded, startEmbedded } from "./embedded.ts"
import { url } from "./embedded/address.ts"
import { makeBoundedClient } from "./bounded-client.ts"
import { askDatabase } from "./reachable.ts"
import { statementLimitMs } from "./statement-limits.ts"

/** Connections of one process. Work beyond them waits for a connection. */
export const connectionsMax = 10

/** An idle session of Postgres holds 8 MiB. The ones in use stay: the pool lends the last one used first. */
const connectionIdle = "10 seconds"

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
  Layer.merge(
    Layer.succeed(Database, { kind, address }),
    PgClient.layerFrom(
      Effect.gen(function* () {
        const session = {
          url: address,
          applicationName: "footfall",
          startupParameters: sessionSettings,
        }
        const { isPooled } = yield* askDatabase(PgConnection.make(session), {
          address,
          settings: sessionSettings,
        })
        return yield* makeBoundedClient({
          ...session,
          maxConnections: connectionsMax,
          idleTimeout: connectionIdle,
          // A pooler gives the next transaction a session that does not know the statement.
          prepare: !isPooled,
        })
      }),
    ),
  )
