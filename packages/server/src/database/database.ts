// The one database client of the server: a bounded pool to the Postgres of DATABASE_URL, or to an
// embedded one that starts and stops with the layer. Every session has the limits of reliability.md
// ("Bounded everything"). Names of columns are never transformed: that would also rewrite JSON.
import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option } from "effect"
import type { Redacted } from "effect"
import { DatabaseConfig } from "./database-config.ts"
import { startEmbedded } from "./embedded.ts"
import { url } from "./embedded/address.ts"

/** Connections of one process. Work beyond them waits for a connection. */
export const connectionsMax = 10

const sessionSettings = {
  statement_timeout: "10s",
  idle_in_transaction_session_timeout: "15s",
  lock_timeout: "5s",
  timezone: "UTC",
}

export class Database extends Context.Service<
  Database,
  {
    /** Which of the two ways to have a database this is, as the ready line names it. */
    readonly kind: "embedded" | "postgres"
  }
>()("@footfall/server/database/Database") {
  /**
   * The client, and the embedded Postgres where no address is configured.
   *
   * *Errors*: DatabaseUnavailable, with one line for the operator.
   */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* DatabaseConfig
      return Option.match(config.url, {
        onSome: (address) => Layer.merge(client(address), kind("postgres")),
        onNone: () =>
          Layer.unwrap(
            Effect.map(startEmbedded(config.dataDir), (address) =>
              Layer.merge(client(url(address)), kind("embedded")),
            ),
          ),
      })
    }),
  ).pipe(Layer.provide(NodeServices.layer))
}

const kind = (kind: "embedded" | "postgres") => Layer.succeed(Database, { kind })

const client = (address: Redacted.Redacted) =>
  PgClient.layer({
    url: address,
    applicationName: "footfall",
    maxConnections: connectionsMax,
    startupParameters: sessionSettings,
  })
