// Creates export files, up to two at a time per machine, and expires them (spec 4.6). Runs at least once, fenced: of
// two workers on one export, one stores its outcome, and files without a record are removed.
import { Effect, Layer } from "effect"
import { every } from "../../../platform/jobs/every.ts"
import { type Claim, JobWakes } from "../../../platform/jobs/queue.ts"
import { work } from "../../../platform/jobs/worker.ts"
import { failureOf } from "../materialization/store.ts"
import { RunCsv } from "./csv/run-csv.ts"
import { exportQueue } from "./export.ts"
import { ExportFiles } from "./files/export-files.ts"
import { RunParquet } from "./parquet/run-parquet.ts"
import { readyMailQueue } from "./ready-mail/ready-mail.ts"
import { ExportStore } from "./store.ts"

/** Exports a process creates at the same time. */
const atOnce = 2

/** How long a file may outlive its record. */
const sweepInterval = "5 seconds"

/** Why an attempt failed, as recorded. */
interface Failure {
  readonly code: "STORAGE_ERROR" | "DATA_UNAVAILABLE" | "INTERNAL_ERROR"
  readonly message: string
}

const failures = {
  storage: { code: "STORAGE_ERROR", message: "The file could not be written." },
  database: {
    code: "STORAGE_ERROR",
    message: "The database failed while the file was being written. See the server's log.",
  },
  changed: {
    code: "DATA_UNAVAILABLE",
    message: "A person was erased while the file was being written. Create the export again.",
  },
  removed: { code: "DATA_UNAVAILABLE", message: "The results of this run are no longer stored." },
  lost: { code: "INTERNAL_ERROR", message: "The worker stopped before the file was written." },
  unexpected: {
    code: "INTERNAL_ERROR",
    message: "The file could not be written. See the server's log.",
  },
} satisfies Record<string, Failure>

export const ExportWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ExportStore
    const formats = { csv: yield* RunCsv, parquet: yield* RunParquet }
    const files = yield* ExportFiles
    const wakes = yield* JobWakes

    const isLast = ({ attempts }: Claim) => attempts >= exportQueue.attemptsMax
    const fail = Effect.fnUntraced(function* (claim: Claim, failure: Failure) {
      yield* isLast(claim) ? store.fail(claim, failure) : store.jobs.retry(claim, failure)
      yield* wakes.wake(readyMailQueue)
    })

    const perform = Effect.fnUntraced(
      function* (claim: Claim) {
        const found = yield* store.held(claim)
        const run = found === undefined ? undefined : yield* store.run(found)
        if (found === undefined || run === undefined) {
          yield* store.fail(claim, failures.removed)
          return
        }
        const writer = { ...found, claim: claim.claim }
        const lines = formats[found.exportType].lines({ ...run, keepsFormulas: false })
        const facts = yield* files.write(writer, lines)
        const isCompleted = yield* store.complete(claim, run.runId, facts)
        if (isCompleted) yield* wakes.wake(readyMailQueue)
        // Writes nothing if the claim is no longer held.
        else yield* fail(claim, failures.changed)
      },
      (effect, claim) =>
        Effect.catchTags(effect, {
          PlatformError: (error) =>
            Effect.andThen(
              Effect.logError("could not write an export", error),
              fail(claim, failures.storage),
            ),
          // As for a run (spec 2.11): Postgres has no disk, memory or connection left.
          SqlError: (error) =>
            failureOf(error) === "storage"
              ? Effect.andThen(
                  Effect.logError("the database failed while writing an export", error),
                  fail(claim, failures.database),
                )
              : Effect.die(error),
        }),
    )

    yield* work({
      queue: exportQueue,
      jobs: store.jobs,
      atOnce,
      claim: (limit) => store.jobs.claim({ limit }),
      perform,
      fail: (claim, reason) => fail(claim, failures[reason]),
    })
    yield* every(sweepInterval, "could not expire exports", store.expireDue)
  }),
)

/**
 * Removes files on this machine without a record: expired ones, those with erased people, and leftovers of killed
 * processes. Also runs without workers, because a download may have created a file.
 */
export const ExportSweep = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ExportStore
    const files = yield* ExportFiles
    const kept = (ids: ReadonlyArray<string>) =>
      Effect.map(store.kept(ids), (rows) => new Map(rows.map((row) => [row.id, row])))
    yield* Effect.delay(files.sweep(kept), sweepInterval).pipe(
      Effect.catchCause((cause) => Effect.logError("could not remove old export files", cause)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
