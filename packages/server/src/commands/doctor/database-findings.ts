// What the doctor sees of the database: whether it answers, its schema, its clock, whether anyone works off
// the queues, and whether the secret opens what is encrypted.
import { Clock, Effect, Option } from "effect"
import { stat } from "node:fs/promises"
import type { ServerConfig } from "../../config.ts"
import { Database } from "../../database/database.ts"
import { Migrations } from "../../database/migrations.ts"
import { sqlErrorWords } from "../../database/sql-error-words.ts"
import { DataKeyStore } from "../../secrets/store.ts"
import { MeasuredQueues } from "../../metrics/database-metrics.ts"
import { MetricsStore } from "../../metrics/store.ts"
import { Queues } from "../../server/queues.ts"
import { SealedValueStore } from "../../server/sealed-values-store.ts"
import { failed, type Finding, ok, skipped, warning } from "./finding.ts"
import { secretFindings } from "./secret-findings.ts"

/** How far two clocks may be apart before times in answers look wrong. */
const skewMaxMs = 5_000
/** How long a job may be due before it is likely that no one works. */
const lagMaxSeconds = 900

export const databaseFindings = Effect.fnUntraced(function* (config: ServerConfig["Service"]) {
  const isEmbedded = Option.isNone(config.databaseUrl)
  const directory = `${config.dataDir}/postgres`
  if (isEmbedded && !(yield* Effect.promise(() => isThere(directory)))) {
    return [skipped("database", `The first start makes one in ${config.dataDir}.`)]
  }
  return yield* looked.pipe(
    Effect.provide([DataKeyStore.layer, MetricsStore.layer, SealedValueStore.layer]),
    Effect.provide([Queues, Database.layerCommand]),
    Effect.catchTag("DatabaseUnavailable", ({ message }) =>
      Effect.succeed([
        failed(
          "database",
          message,
          isEmbedded
            ? `Look at ${config.dataDir}/postgres.log.`
            : "Look at DATABASE_URL, and whether Postgres runs and lets this host in.",
        ),
      ]),
    ),
    Effect.catchTag("SqlError", (error) =>
      Effect.succeed([
        failed(
          "database",
          `Postgres refuses: ${sqlErrorWords(error)}`,
          "Look at the rights of the database's user: it has to own the database.",
        ),
      ]),
    ),
  )
})

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const looked = Effect.gen(function* () {
  const store = yield* MetricsStore
  const { kind } = yield* Database
  const { now, version } = yield* store.server
  const skew = Math.abs((yield* Clock.currentTimeMillis) - now)
  const state = yield* Migrations.state
  const findings: Array<Finding> = [
    ok("database", `Postgres ${version} answers (${kind}).`),
    clock(skew),
    schema(state),
  ]
  if (state.found === state.known) findings.push(yield* queues, ...(yield* secretFindings))
  return findings
})

const clock = (skew: number): Finding =>
  skew <= skewMaxMs
    ? ok("clock", "Server and database tell the same time.")
    : warning(
        "clock",
        `The clocks of server and database are ${Math.round(skew / 1000)} seconds apart.`,
        "Let both follow a time server (chrony, systemd-timesyncd).",
      )

const schema = ({ found, known }: { readonly found: number; readonly known: number }): Finding => {
  if (found === known) return ok("schema", `Up to date (${found}).`)
  return found < known
    ? warning(
        "schema",
        `The database has schema ${found}, this version knows ${known}.`,
        "The next start brings it up to date; so does: footfall-server migrate",
      )
    : failed(
        "schema",
        `The database has schema ${found}, this version knows ${known}.`,
        "Start a newer version of the server.",
      )
}

const queues = Effect.gen(function* () {
  const store = yield* MetricsStore
  const measured = Object.entries(yield* MeasuredQueues)
  const depths = yield* Effect.all([
    store.inbox,
    ...measured.map(([name, queue]) => store.queue(name, queue)),
  ])
  const late = depths.filter(({ lagSeconds }) => lagSeconds > lagMaxSeconds)
  return late.length === 0
    ? ok("workers", "No job has been due for more than 15 minutes.")
    : warning(
        "workers",
        `Due for more than 15 minutes: ${late.map(({ name, waiting }) => `${name} (${waiting})`).join(", ")}.`,
        "Start a server without --no-workers, or one with --workers-only.",
      )
})
