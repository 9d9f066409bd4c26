// The exports of a run's results (spec 2.14, 4.6, 5.9): a stream that is made while it is read, and
// files that are kept for 7 days behind signed links. A request only writes a row; a worker makes the file,
// and another one is not made while the run has one. The file is on the machine that made it, and another
// machine makes it again from the run's results, which are in Postgres: byte for byte the one of the record,
// or it is not given out (docs/adr/0021).
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../access/audit/audit.ts"
import { type Caller, userIdOf } from "../../access/caller.ts"
import type { ErasurePart } from "../../identification/erasure/later-erasure.ts"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import { JobWakes } from "../../jobs/wakes.ts"
import { KeyedLists, type ListPosition } from "../../lists/keyed-lists.ts"
import { RunNotCompleted } from "../results/results.ts"
import type { RunKey } from "../run.ts"
import { RunNotFound, Runs } from "../runs.ts"
import { RunCsv } from "./csv/run-csv.ts"
import { exportFileName, exportQueue } from "./export.ts"
import { ExportFiles } from "./files/export-files.ts"
import { ExportLinks, type LinkParts } from "./links.ts"
import { type ExportedRun, type ExportRow, ExportStore, type FileFacts } from "./store.ts"

/** No such export of the run; or its file is gone. */
export class ExportNotFound extends Schema.TaggedError<ExportNotFound>()("ExportNotFound", {}) {}

/** The export has a file, but this machine can neither read nor make it now: its disk is full, for instance. */
export class ExportFileUnavailable extends Schema.TaggedError<ExportFileUnavailable>()(
  "ExportFileUnavailable",
  {},
) {}

/** As many files are being made again as may be, for longer than one waits. */
export class ExportFilesBusy extends Schema.TaggedError<ExportFilesBusy>()("ExportFilesBusy", {}) {}

/** Files that are made again at the same time; one of an organization, so no one else makes the same one. Our bound. */
const remakingMax = 2

/** How long a download waits to make its file again. Our bound. */
const remakingWait = "10 seconds"

const make = Effect.gen(function* () {
  const store = yield* ExportStore
  const runs = yield* Runs
  const runCsv = yield* RunCsv
  const files = yield* ExportFiles
  const links = yield* ExportLinks
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const wakes = yield* JobWakes
  const random = yield* SecureRandom.SecureRandom
  const remaking = makeFairTurns({
    turns: remakingMax,
    turnsOfOne: 1,
    wait: remakingWait,
    busy: () => new ExportFilesBusy(),
  })

  const completed = Effect.fnUntraced(function* (run: ExportedRun | undefined) {
    if (run === undefined) return yield* new RunNotFound()
    if (run.status !== "completed") return yield* new RunNotCompleted({ status: run.status })
    return run
  })

  /**
   * The CSV of a run, made while it is read. Memory and database are used by what is read, not by how long
   * it takes. Errors: RunNotFound, RunNotCompleted.
   */
  const csv = Effect.fn("Exports.csv")(function* (
    key: RunKey,
    { keepsFormulas }: { readonly keepsFormulas: boolean },
  ) {
    const run = yield* completed(yield* Effect.orDie(store.run(key)))
    return {
      fileName: exportFileName(run.audienceName, run.dataDate),
      bytes: Stream.map(runCsv.lines({ ...run, keepsFormulas }), ({ bytes }) => bytes),
    }
  })

  const requestOne = Effect.fnUntraced(function* (caller: Caller, key: RunKey) {
    const run = yield* completed(yield* Effect.orDie(store.lockRun(key)))
    const reusable = yield* Effect.orDie(store.reusable(key))
    if (reusable !== undefined) return { export: reusable, isNew: false }
    const id = yield* random.uuidV4()
    const fileName = exportFileName(run.audienceName, run.dataDate)
    const requestedBy = userIdOf(caller)
    const made = yield* Effect.orDie(store.insert(key, { id, fileName, requestedBy }))
    yield* audit.record(caller, "export.created", id)
    return { export: made, isNew: true }
  })

  /** It may have been made by the one before. */
  const openAgain = (found: ExportRow & FileFacts) =>
    remaking.run(
      found.organizationId,
      Effect.gen(function* () {
        const present = yield* files.open(found)
        if (present !== undefined) return present
        const run = yield* store.run(found)
        if (run === undefined) return undefined
        const facts = yield* files.write(found, runCsv.lines({ ...run, keepsFormulas: false }))
        if (facts.contentSha256 === found.contentSha256) return yield* files.open(found)
        yield* files.remove({ ...found, ...facts })
        return undefined
      }),
    )

  const openOrMake = Effect.fnUntraced(function* (found: ExportRow & FileFacts) {
    return (yield* files.open(found)) ?? (yield* openAgain(found))
  })

  return {
    csv,

    /**
     * Asks for a file of the run: the one there is, the one that is being made, or a new one.
     *
     * *Errors*: RunNotFound, RunNotCompleted.
     * *Guarantee*: of any number of requests at once one makes a new one.
     */
    request: Effect.fn("Exports.request")(function* (caller: Caller, key: RunKey) {
      const requested = yield* store.transaction(requestOne(caller, key))
      if (requested.isNew) yield* wakes.wake(exportQueue)
      return requested
    }),

    /** Newest first. Errors: RunNotFound, CursorRefused for a cursor of another list. */
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
     * The file behind a signed link.
     *
     * *Errors*: LinkRefused, before anything is looked up; ExportNotFound when the file is gone;
     * ExportFileUnavailable and ExportFilesBusy, which may pass.
     * *Guarantee*: the bytes are those of the record, whole.
     */
    download: Effect.fn("Exports.download")(function* (link: LinkParts) {
      yield* links.check(link)
      const found = yield* Effect.orDie(store.findLinked(link.exportId))
      if (found === undefined || !isWhole(found)) return yield* new ExportNotFound()
      const bytes = yield* Effect.catchTags(openOrMake(found), {
        SqlError: Effect.die,
        PlatformError: (error) =>
          Effect.andThen(
            Effect.logError("the file of an export can neither be read nor made", error),
            new ExportFileUnavailable(),
          ),
      })
      return { export: found, bytes: bytes ?? (yield* new ExportNotFound()) }
    }),
  }
})

/** The facts of a file are written with the status that says there is one. */
const isWhole = (row: ExportRow): row is ExportRow & FileFacts => row.status === "completed"

export class Exports extends Context.Service<Exports, Effect.Success<typeof make>>()(
  "@footfall/server/runs/Exports",
) {
  static readonly layer = Layer.effect(Exports, make)
}

// Ends the export files that an erased person is in (spec 5.1): their links find
// nothing from the commit on, and the files are swept from the disks within seconds. A file that is being made
// is made again, without the person. Comes before the part that takes the results themselves.

export const erasedExports = Effect.map(
  ExportStore,
  (store): ErasurePart =>
    ({ addresses, organizationId }) =>
      store.endOfPerson(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
