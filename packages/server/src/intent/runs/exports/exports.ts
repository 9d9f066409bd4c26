// Exports of a run's results (spec 2.14, 4.6, 5.9): a stream generated while it is read, and files kept for 7 days
// behind signed links. A request only writes a row; a worker creates the file, and a run has one file at a time. The
// file is on the machine that created it. Another machine recreates it from the results in Postgres and only serves it
// if it equals the recorded file byte for byte (docs/adr/0021).
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../../access/audit/audit.ts"
import { type Caller, userIdOf } from "../../../access/caller.ts"
import type { ErasurePart } from "../../../people/erasure/later-erasure.ts"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"
import { JobWakes } from "../../../platform/jobs/queue.ts"
import { KeyedLists, type ListPosition } from "../../../platform/lists/keyed-lists.ts"
import { RunNotCompleted } from "../results/results.ts"
import type { RunKey } from "../run.ts"
import { RunNotFound, Runs } from "../runs.ts"
import type { AdFormat } from "./ads/ad-columns.ts"
import { RunAds } from "./ads/run-ads.ts"
import { RunCsv } from "./csv/run-csv.ts"
import { exportFileName, exportQueue, type ExportType } from "./export.ts"
import { ExportFiles } from "./files/export-files.ts"
import { ExportLinks, type LinkParts } from "./links.ts"
import { RunParquet } from "./parquet/run-parquet.ts"
import { type ExportedRun, type ExportRow, ExportStore, type FileFacts } from "./store.ts"

/** The run does not have this export, or its file no longer exists. */
export class ExportNotFound extends Schema.TaggedError<ExportNotFound>()("ExportNotFound", {}) {}

/**
 * The export has a file, but this machine can neither read nor recreate it right now, for example because its disk is
 * full.
 */
export class ExportFileUnavailable extends Schema.TaggedError<ExportFileUnavailable>()(
  "ExportFileUnavailable",
  {},
) {}

/** Too many files are being recreated, and none finished within the wait. */
export class ExportFilesBusy extends Schema.TaggedError<ExportFilesBusy>()("ExportFilesBusy", {}) {}

/** Files recreated at the same time; one per organization, so no file is recreated twice at once. */
const recreationsMax = 2

/** How long a download waits to recreate its file. */
const recreationWait = "10 seconds"

const make = Effect.gen(function* () {
  const store = yield* ExportStore
  const runs = yield* Runs
  const formats = { csv: yield* RunCsv, parquet: yield* RunParquet }
  const ads = yield* RunAds
  const files = yield* ExportFiles
  const links = yield* ExportLinks
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const wakes = yield* JobWakes
  const random = yield* SecureRandom.SecureRandom
  const recreations = yield* makePartyTurns({
    turns: recreationsMax,
    turnsOfOne: 1,
    wait: recreationWait,
    busy: () => new ExportFilesBusy(),
  })

  const completed = Effect.fnUntraced(function* (run: ExportedRun | undefined) {
    if (run === undefined) return yield* new RunNotFound()
    if (run.status !== "completed") return yield* new RunNotCompleted({ status: run.status })
    return run
  })

  /**
   * Streams a run's results, generated while they are read. Memory and database use depend on what is read, not on how
   * long that takes. Errors: RunNotFound, RunNotCompleted.
   */
  const stream = Effect.fn("Exports.stream")(function* (
    key: RunKey,
    type: ExportType,
    { keepsFormulas }: { readonly keepsFormulas: boolean },
  ) {
    const run = yield* completed(yield* Effect.orDie(store.run(key)))
    return {
      fileName: exportFileName(run, `.${type}`),
      bytes: Stream.map(formats[type].lines({ ...run, keepsFormulas }), ({ bytes }) => bytes),
    }
  })

  /** Like `stream`, in the form of an ad platform, without people who are suppressed now. */
  const streamForAds = Effect.fn("Exports.streamForAds")(function* (key: RunKey, format: AdFormat) {
    const run = yield* completed(yield* Effect.orDie(store.run(key)))
    return {
      fileName: exportFileName(run, `-${format}.csv`),
      bytes: Stream.map(ads.lines(run, format), ({ bytes }) => bytes),
    }
  })

  const requestOne = Effect.fnUntraced(function* (
    caller: Caller,
    key: RunKey,
    exportType: ExportType,
  ) {
    const run = yield* completed(yield* Effect.orDie(store.lockRun(key)))
    const reusable = yield* Effect.orDie(store.reusable(key, exportType))
    if (reusable !== undefined) return { export: reusable, isNew: false }
    const id = yield* random.uuidV4()
    const fileName = exportFileName(run, `.${exportType}`)
    const requestedBy = userIdOf(caller)
    const made = yield* Effect.orDie(store.insert(key, { id, exportType, fileName, requestedBy }))
    yield* audit.record(caller, "export.created", id)
    return { export: made, isNew: true }
  })

  /** The previous caller may have recreated it. */
  const openAgain = (found: ExportRow & FileFacts) =>
    recreations.run(
      found.organizationId,
      Effect.gen(function* () {
        const present = yield* files.open(found)
        if (present !== undefined) return present
        const run = yield* store.run(found)
        if (run === undefined) return undefined
        const lines = formats[found.exportType].lines({ ...run, keepsFormulas: false })
        const facts = yield* files.write(found, lines)
        if (facts.contentSha256 === found.contentSha256) return yield* files.open(found)
        yield* files.remove({ ...found, ...facts })
        return undefined
      }),
    )

  const openOrRecreate = Effect.fnUntraced(function* (found: ExportRow & FileFacts) {
    return (yield* files.open(found)) ?? (yield* openAgain(found))
  })

  return {
    stream,
    streamForAds,

    /**
     * Requests a file of the run in one format. Returns the existing one, the one being created, or a new one.
     *
     * *Errors*: RunNotFound, RunNotCompleted. *Guarantee*: of concurrent requests, one creates a file.
     */
    request: Effect.fn("Exports.request")(function* (
      caller: Caller,
      key: RunKey,
      type: ExportType,
    ) {
      const requested = yield* store.transaction(requestOne(caller, key, type))
      if (requested.isNew) yield* wakes.wake(exportQueue)
      return requested
    }),

    /** Newest first. Errors: RunNotFound, CursorRefused for another list's cursor. */
    list: Effect.fn("Exports.list")(function* (key: RunKey, position: ListPosition, limit: number) {
      const { organizationId, runId } = key
      return yield* lists.page<ExportRow, RunNotFound>(
        {
          organizationId,
          route: "GET /v1/intent/audiences/{id}/runs/{runId}/exports",
          filters: [runId],
          position,
          limit,
        },
        { ...store.list(key), parent: runs.find(key) },
      )
    }),

    find: Effect.fn("Exports.find")(function* (key: RunKey, exportId: string) {
      yield* runs.find(key)
      return (yield* Effect.orDie(store.find(key, exportId))) ?? (yield* new ExportNotFound())
    }),

    /**
     * Opens the file behind a signed link.
     *
     * *Errors*: LinkRefused, before anything is looked up; ExportNotFound if the file no longer exists;
     * ExportFileUnavailable and ExportFilesBusy, which are temporary. *Guarantee*: the bytes are exactly the recorded
     * ones.
     */
    download: Effect.fn("Exports.download")(function* (link: LinkParts) {
      yield* links.check(link)
      const found = yield* Effect.orDie(store.findLinked(link.exportId))
      if (found === undefined || !isWhole(found)) return yield* new ExportNotFound()
      const bytes = yield* Effect.catchTags(openOrRecreate(found), {
        SqlError: Effect.die,
        PlatformError: (error) =>
          Effect.andThen(
            Effect.logError("could not read or recreate an export file", error),
            new ExportFileUnavailable(),
          ),
      })
      return { export: found, bytes: bytes ?? (yield* new ExportNotFound()) }
    }),
  }
})

/** A file's facts are written together with the status `completed`. */
const isWhole = (row: ExportRow): row is ExportRow & FileFacts => row.status === "completed"

export class Exports extends Context.Service<Exports, Effect.Success<typeof make>>()(
  "@footfall/server/runs/Exports",
) {
  static readonly layer = Layer.effect(Exports, make)
}

// Ends export files that contain an erased person (spec 5.1): their links stop working with the commit, and the files
// are deleted within seconds. A file that is being created is created again without the person. Runs before the results
// themselves are deleted.

export const erasedExports = Effect.map(
  ExportStore,
  (store): ErasurePart =>
    ({ addresses, organizationId }) =>
      store.endOfPerson(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
