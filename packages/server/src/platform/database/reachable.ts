// Checks a database before the client is created. It must be reachable and new enough, so that a wrong address, a
// rejected password or an old Postgres ends startup with one line instead of failing the first request. Also detects a
// pooler. The line names the host, port, database and the error, never the password or the rest of the URL.
import type { PgConnection } from "@effect/sql-pg"
import { Clock, Effect, Redacted, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { DatabaseUnavailable, isNotYetThere, sqlErrorWords } from "./database-error.ts"

/** The oldest Postgres that is supported and tested. */
const majorVersionMin = 15

const retryInterval = "1 second"

/**
 * Whether there is a pooler, which may give the next transaction another session. A pooler reports an invented process
 * id at the start of a session. If nothing accepts the connection, it tries again until `waitSeconds` are over, because
 * a machine or a compose file may start the server before its database.
 *
 * *Errors*: DatabaseUnavailable `Unreachable` or `TooOld`.
 */
export const askDatabase = <R>(
  connect: Effect.Effect<
    Pick<PgConnection.PgConnection, "processId" | "query">,
    SqlError.SqlError,
    R
  >,
  {
    address,
    settings,
    waitSeconds,
  }: {
    readonly address: Redacted.Redacted
    readonly waitSeconds: number
    /** The settings a session should have. If a pooler ignores them, that is logged. */
    readonly settings: Readonly<Record<string, string>>
  },
) =>
  Effect.gen(function* () {
    const connection = yield* patiently(connect, { address, waitSeconds })
    const {
      rows: [answer],
    } = yield* connection.query(
      `select pg_backend_pid() as "processId", current_setting('server_version_num')::int as version,
         (select jsonb_object_agg(name, current_setting(name)) from unnest($1::text[]) as name) as settings`,
      [Object.keys(settings)],
      false,
    )
    const { processId, settings: found, version } = answer as unknown as Answer
    const majorVersion = Math.trunc(version / 10_000)
    if (majorVersion < majorVersionMin)
      return yield* new DatabaseUnavailable({
        reason: "TooOld",
        message:
          `The database at ${place(address)} is Postgres ${majorVersion}; ` +
          `${majorVersionMin} or newer is required.`,
      })
    // own keys: the names of our settings
    const missing = Object.entries(settings).filter(([name, value]) => found[name] !== value)
    if (missing.length > 0) {
      yield* Effect.logWarning(
        `The pooler at ${place(address)} ignores session settings. Set them for the role: ` +
          missing.map(([name, value]) => `alter role … set ${name} = '${value}';`).join(" "),
      )
    }
    return { isPooled: processId !== connection.processId }
  }).pipe(
    Effect.scoped,
    Effect.catchTag("SqlError", (error) =>
      Effect.fail(
        new DatabaseUnavailable({
          reason: "Unreachable",
          message: `Can't connect to the database at ${place(address)}: ${sqlErrorWords(error)}`,
        }),
      ),
    ),
  )

/** Logs the first failure, so that a log shows what the server is waiting for. */
const patiently = Effect.fnUntraced(function* <A, R>(
  connect: Effect.Effect<A, SqlError.SqlError, R>,
  { address, waitSeconds }: { readonly address: Redacted.Redacted; readonly waitSeconds: number },
) {
  const clock = yield* Clock.Clock
  const deadline = clock.currentTimeMillisUnsafe() + waitSeconds * 1_000
  const mayRetry = (error: SqlError.SqlError) =>
    isNotYetThere(error) && clock.currentTimeMillisUnsafe() < deadline
  let isLogged = false
  return yield* connect.pipe(
    Effect.tapError((error) => {
      if (isLogged || !mayRetry(error)) return Effect.void
      isLogged = true
      return Effect.logWarning(
        `Can't connect to the database at ${place(address)} yet: ${sqlErrorWords(error)}. Trying for ${waitSeconds} seconds.`,
      )
    }),
    Effect.retry({ while: mayRetry, schedule: Schedule.spaced(retryInterval) }),
  )
})

interface Answer {
  readonly processId: number
  readonly version: number
  readonly settings: Readonly<Record<string, string>>
}

const place = (address: Redacted.Redacted): string => {
  const text = Redacted.value(address)
  if (!URL.canParse(text)) return "the address in DATABASE_URL, which is not a URL"
  const { hostname, port, pathname, searchParams } = new URL(text)
  const host = searchParams.get("host") ?? hostname
  return `${host}:${searchParams.get("port") ?? (port || "5432")}${pathname}`
}
