// The variables of Postgres, its replica and ClickHouse. Their URLs contain passwords, so errors don't repeat them.
import { Effect, Option, Redacted } from "effect"
import type { ConfigOptions } from "./options.ts"
import { invalid, optionOf, read, variableOf } from "./reading.ts"
import { clusterOf, numberOrNone, oneOf, wholeNumber } from "./values.ts"

/** Click ids are deleted after 90 days, before an event moves. spec 1.8. */
const eventArchiveDaysMin = 91
/** The maximum retention. */
const eventArchiveDaysMax = 3_650

export const readDatabaseUrl = Effect.fnUntraced(function* (given: string | null | undefined) {
  if (given === null) return Option.none()
  return Option.fromNullishOr(yield* readPostgresUrl("DATABASE_URL", given))
})

const readPostgresUrl = Effect.fnUntraced(function* (variable: string, given: string | undefined) {
  const url = given ?? (yield* variableOf(variable))
  if (url === undefined) return undefined
  const name = given === undefined ? variable : optionOf(variable)
  if (!/^postgres(ql)?:\/\//.test(url)) {
    return yield* invalid(name, "expected a URL that starts with postgres://")
  }
  if (isCutByPassword(url)) {
    return yield* invalid(
      name,
      "expected a URL whose user name and password are percent-encoded: write @ as %40, / as %2F, # as %23, ? as %3F and : as %3A",
    )
  }
  return Redacted.make(url)
})

/** Whether a `/`, `#` or `?` of the password ends the host, so that parts of the password would be taken for a host and a path. */
const isCutByPassword = (url: string): boolean => {
  if (!URL.canParse(url)) return true
  const { hash, pathname, search } = new URL(url)
  return `${pathname}${search}${hash}`.includes("@")
}

export const readReplica = Effect.fnUntraced(function* (
  options: ConfigOptions,
  isEmbedded: boolean,
) {
  const { databaseReadMaxLag, databaseReadUrl } = options
  if (options.databaseUrl === null) return undefined
  const url = yield* readPostgresUrl("DATABASE_READ_URL", databaseReadUrl)
  const maxLagSeconds = yield* read(
    "DATABASE_READ_MAX_LAG",
    "5",
    wholeNumber(1, 3600),
    databaseReadMaxLag,
  )
  if (url === undefined) return undefined
  if (!isEmbedded) return { url, maxLagSeconds }
  return yield* invalid(
    databaseReadUrl === undefined ? "DATABASE_READ_URL" : "databaseReadUrl",
    "it requires DATABASE_URL, because it must be a replica of that database",
  )
})

export const readClickHouse = Effect.fnUntraced(function* (options: ConfigOptions) {
  const { clickhouseCluster, clickhouseUrl: given } = options
  const url = given ?? (yield* variableOf("CLICKHOUSE_URL"))
  const variable = given === undefined ? "CLICKHOUSE_URL" : "clickhouseUrl"
  const store = yield* read(
    "SIGNAL_STORE",
    url === undefined ? "postgres" : "clickhouse",
    oneOf("postgres", "clickhouse"),
    options.signalStore,
  )
  const cluster = yield* read("CLICKHOUSE_CLUSTER", "", clusterOf, clickhouseCluster)
  const eventArchiveDays =
    (yield* read(
      "EVENT_ARCHIVE_DAYS",
      "",
      numberOrNone(eventArchiveDaysMin, eventArchiveDaysMax),
      options.eventArchiveDays,
    )) || undefined
  if (url === undefined) {
    if (store === "clickhouse") {
      return yield* invalid(variable, "it is required with SIGNAL_STORE=clickhouse")
    }
    if (cluster !== "") return yield* invalid(variable, "it is required with CLICKHOUSE_CLUSTER")
    if (eventArchiveDays === undefined) return undefined
    return yield* invalid(variable, "it is required with EVENT_ARCHIVE_DAYS")
  }
  if (!/^https?:\/\/[^\s/?#]+(\/[^\s/?#]*)?$/.test(url) || !URL.canParse(url)) {
    return yield* invalid(
      variable,
      "expected http:// or https://, user:password@ if needed, a host and the name of a database",
    )
  }
  return {
    url: Redacted.make(url),
    cluster: cluster || undefined,
    takesNew: store === "clickhouse",
    eventArchiveDays,
  }
})
