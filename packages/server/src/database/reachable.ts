// Asks a new client for the version of its server, so that a wrong address, a refused password or
// an old Postgres ends the start with one line, not the first request with an error. The line names
// host, port and database and what was said there; never the password or the rest of the address.
import type { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { DatabaseUnavailable } from "./database-unavailable.ts"
import { sqlErrorWords } from "./sql-error-words.ts"

/** The oldest Postgres the statements are written for and tested on (architecture.md). */
const majorVersionMin = 15

/**
 * The client, once its server has answered.
 *
 * *Errors*: DatabaseUnavailable `Unreachable` or `TooOld`.
 */
export const reachable = <R>(
  connect: Effect.Effect<PgClient.PgClient, SqlError.SqlError, R>,
  address: Redacted.Redacted,
) =>
  Effect.gen(function* () {
    const client = yield* connect
    const [answer] = yield* client<{ version: number }>`
      select current_setting('server_version_num')::int as version`
    const majorVersion = Math.trunc((answer?.version ?? 0) / 10_000)
    if (majorVersion < majorVersionMin)
      return yield* new DatabaseUnavailable({
        reason: "TooOld",
        message:
          `The database at ${place(address)} is Postgres ${majorVersion}; ` +
          `${majorVersionMin} or newer is needed.`,
      })
    return client
  }).pipe(
    Effect.catchTag("SqlError", (error) =>
      Effect.fail(
        new DatabaseUnavailable({
          reason: "Unreachable",
          message: `No database at ${place(address)}: ${sqlErrorWords(error)}`,
        }),
      ),
    ),
  )

const place = (address: Redacted.Redacted): string => {
  const text = Redacted.value(address)
  if (!URL.canParse(text)) return "the address in DATABASE_URL, which is not a URL"
  const { hostname, port, pathname, searchParams } = new URL(text)
  const host = searchParams.get("host") ?? hostname
  return `${host}:${searchParams.get("port") ?? (port || "5432")}${pathname}`
}
