// The doctor's checks of the database: reachable, schema, clock, queues being processed, the secret opens encrypted
// values, and the steps to the first audience.
import { Clock, Effect, Option } from "effect"
import { stat } from "node:fs/promises"
import type { ServerConfig } from "../../config/config.ts"
import { sqlErrorWords } from "../../../platform/database/database-error.ts"
import { Database } from "../../../platform/database/database.ts"
import { Migrations } from "../../../platform/database/migrations.ts"
import { guidePage } from "../../../platform/guide-page.ts"
import { MeasuredQueues } from "../../../platform/metrics/database-metrics.ts"
import { MetricsStore } from "../../../platform/metrics/store.ts"
import { dataKeysOfOpened, openedKeys } from "../../../platform/secrets/data-keys.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { DataKeyStore } from "../../../platform/secrets/store.ts"
import { SharedUserIdStore } from "../../../collect/pixels/shared-user-ids/store.ts"
import { VisitorTopicStore } from "../../../intent/visitor-topics/store.ts"
import { FirstDayStore } from "../../server/first-day-store.ts"
import { Queues } from "../../server/queues.ts"
import {
  sealedKinds,
  type SealedValue,
  SealedValueStore,
} from "../../server/sealed-values-store.ts"
import { triedValues } from "../../server/sealed-values.ts"
import { type FirstDaySettings, firstSteps } from "../first-day.ts"
import { failed, type Finding, ok, skipped, warning } from "./finding.ts"

// Whether this installation's secret opens its data keys, and whether those open the stored encrypted values (spec 1.2,
// rule 5). Creates no keys.

const keysCheck = "data keys"

const secretFindings = Effect.gen(function* () {
  const rows = yield* (yield* DataKeyStore).all
  if (rows.length === 0) return [ok(keysCheck, "The next start creates them.")]
  const opened = yield* openedKeys(yield* Secrets, rows)
  const { closed, values } = yield* triedValues(dataKeysOfOpened(opened))
  const former = opened.filter(({ wrappedBy }) => wrappedBy > 0)
  return [wrapping(opened.length, former.length), encryption(values.length, closed)]
}).pipe(
  Effect.catchTag("SecretWrong", () =>
    Effect.succeed([
      failed(
        keysCheck,
        "The secret does not open the data keys that protect encrypted data.",
        "Set FOOTFALL_SECRET to the secret of the last start, alone or as the second value after " +
          `a new one. If it is lost, see ${guidePage("operations/backup-and-restore")}.`,
      ),
    ]),
  ),
)

const wrapping = (count: number, former: number): Finding =>
  former === 0
    ? ok(keysCheck, "The first value of the secret opens all of them.")
    : warning(
        keysCheck,
        `The second value of the secret is still needed: ${former} of ${count} data keys use it.`,
        "Run footfall-server secrets rotate. Then only the first value is needed.",
      )

const encryption = (count: number, closed: ReadonlyArray<SealedValue>): Finding => {
  const check = "encryption"
  if (closed.length === 0) {
    return ok(
      check,
      count === 0 ? "No encrypted data is stored." : "All encrypted data can be read.",
    )
  }
  const kinds = sealedKinds.flatMap((each) => {
    const { length } = closed.filter(({ kind }) => kind === each)
    return length === 0 ? [] : [`${each}s: ${length}`]
  })
  return failed(
    check,
    `${closed.length} of ${count} encrypted values cannot be read with the data keys (${kinds.join(", ")}).`,
    `They were encrypted with a secret that is lost. See ${guidePage("operations/backup-and-restore")}.`,
  )
}

/** How far two clocks may differ before times in responses look wrong. */
const skewMaxMs = 5_000
/** How long the doctor waits for a replica that is behind. */
const lagWaitMax = 5
/** A job due for longer than this suggests that no worker runs. */
const lagMaxSeconds = 900

export const databaseFindings = Effect.fnUntraced(function* (config: ServerConfig["Service"]) {
  const isEmbedded = Option.isNone(config.databaseUrl)
  const directory = `${config.dataDir}/postgres`
  if (isEmbedded && !(yield* Effect.promise(() => exists(directory)))) {
    return [skipped("database", `The first start creates one in ${config.dataDir}.`)]
  }
  return yield* looked(config).pipe(
    Effect.provide([
      DataKeyStore.layer,
      FirstDayStore.layer,
      MetricsStore.layer,
      SharedUserIdStore.layer,
      SealedValueStore.layer,
      VisitorTopicStore.layer,
    ]),
    Effect.provide([Queues, Database.layerCommand]),
    Effect.catchTag("DatabaseUnavailable", ({ message }) =>
      Effect.succeed([
        failed(
          "database",
          message,
          isEmbedded
            ? `Check ${config.dataDir}/postgres.log.`
            : "Check DATABASE_URL, and that Postgres is running and accepts connections from this host.",
        ),
      ]),
    ),
    Effect.catchTag("SqlError", (error) =>
      Effect.succeed([
        failed(
          "database",
          `Postgres returned an error: ${sqlErrorWords(error)}`,
          "Make the database user the owner of the database.",
        ),
      ]),
    ),
  )
})

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const looked = Effect.fnUntraced(function* (config: ServerConfig["Service"]) {
  const settings = { hasCompanyFile: config.ipCompanyFile !== undefined }
  const store = yield* MetricsStore
  const { kind } = yield* Database
  const { now, version } = yield* store.server
  const skew = Math.abs((yield* Clock.currentTimeMillis) - now)
  const state = yield* Migrations.state
  const findings: Array<Finding> = [
    ok("database", `Postgres ${version} is responding (${kind}).`),
    clock(skew),
    schema(state),
    ...(yield* replicaFindings(config)),
  ]
  if (state.found === state.known) {
    findings.push(yield* queues, ...(yield* secretFindings), ...(yield* firstDayFindings(settings)))
    findings.push(...(yield* sharedUserIdFindings), ...(yield* topicFindings))
  }
  return findings
})

const replicaFindings = Effect.fnUntraced(function* ({ readReplica }: ServerConfig["Service"]) {
  if (readReplica === undefined) return []
  const check = "read replica"
  const { maxLagSeconds, url } = readReplica
  const store = yield* MetricsStore
  const problem = yield* store.replicaProblem(url, Math.min(maxLagSeconds, lagWaitMax) * 1_000)
  return [
    problem === undefined
      ? ok(check, "It follows the database.")
      : failed(
          check,
          `The server does not use it: ${problem}.`,
          "Check DATABASE_READ_URL, and pg_stat_replication on the primary. Until then, the server reads from the primary.",
        ),
  ]
})

/** User ids that are the same for strangers, on any site. */
const sharedUserIdFindings = Effect.gen(function* () {
  const newest = yield* (yield* SharedUserIdStore).newest
  return newest.map(({ domain, id, userId }) =>
    warning(
      "user ids",
      `Strangers on ${domain} share ${userId === null ? "an email address as their user id" : `the user id ${JSON.stringify(userId)}`}, so it no longer joins browsers.`,
      `Correct what the site sends as userId, then run footfall pixels shared-user-ids release ${domain} ${id}`,
    ),
  )
})

/** The missing steps to the first audience. Nothing is wrong; each finding has the command that helps. */
const firstDayFindings = (settings: FirstDaySettings) =>
  Effect.map(
    Effect.flatMap(FirstDayStore, ({ state }) => state),
    (state) =>
      firstSteps(state, settings).map(({ check, command, isDone, message }) =>
        isDone ? ok(check, message) : skipped(check, message, `Run ${command}`),
      ),
  )

const clock = (skew: number): Finding =>
  skew <= skewMaxMs
    ? ok("clock", "The clocks of the server and the database agree.")
    : warning(
        "clock",
        `The clocks of the server and the database are ${Math.round(skew / 1000)} seconds apart.`,
        "Synchronize both with a time server (chrony, systemd-timesyncd).",
      )

const schema = ({ found, known }: { readonly found: number; readonly known: number }): Finding => {
  if (found === known) return ok("schema", `Up to date (${found}).`)
  return found < known
    ? warning(
        "schema",
        `The database has schema ${found}, this version uses ${known}.`,
        "The next start updates it. To update it now: footfall-server migrate",
      )
    : failed(
        "schema",
        `The database has schema ${found}, this version uses ${known}.`,
        "Start a newer version of the server.",
      )
}

const topicFindings = Effect.gen(function* () {
  if (!(yield* (yield* VisitorTopicStore).isLate)) return []
  return [
    warning(
      "topics of visitors",
      "For more than an hour, not all signals have been read for the rules that test topics.",
      "Start a server without --no-workers, or one with --workers-only. After a large import, wait until it is done.",
    ),
  ]
})

const queues = Effect.gen(function* () {
  const store = yield* MetricsStore
  const measured = Object.entries(yield* MeasuredQueues)
  const depths = yield* Effect.all([
    store.inbox,
    ...measured.map(([name, queue]) => store.queue(name, queue)),
  ])
  const late = depths.filter(({ lagSeconds }) => lagSeconds > lagMaxSeconds)
  return late.length === 0
    ? ok("workers", "No job is more than 15 minutes late.")
    : warning(
        "workers",
        `More than 15 minutes late: ${late.map(({ name, waiting }) => `${name} (${waiting})`).join(", ")}.`,
        "Start a server without --no-workers, or one with --workers-only.",
      )
})
