// Wires the runs room together. Later rooms react to a completed run (RunCompletion).
import { Effect, Layer } from "effect"
import { DatabaseConfig } from "../../platform/database/database-config.ts"
import { every } from "../../platform/jobs/every.ts"
import { work } from "../../platform/jobs/worker.ts"
import { DailyRuns, DailyRunWorker } from "./daily/daily-runs.ts"
import { DailyRunStore } from "./daily/store.ts"
import { RunAds } from "./exports/ads/run-ads.ts"
import { RunCsv } from "./exports/csv/run-csv.ts"
import { CsvStore } from "./exports/csv/store.ts"
import { DownloadPlaces } from "./exports/download-places.ts"
import { Exports } from "./exports/exports.ts"
import { ExportFiles } from "./exports/files/export-files.ts"
import { ExportDownloadsHandlers, ExportsHandlers } from "./exports/handlers.ts"
import { ExportLinks } from "./exports/links.ts"
import { RunParquet } from "./exports/parquet/run-parquet.ts"
import { ReadyMailStore } from "./exports/ready-mail/store.ts"
import { ReadyMailWorker } from "./exports/ready-mail/worker.ts"
import { ExportStore } from "./exports/store.ts"
import { ExportSweep, ExportWorker } from "./exports/worker.ts"
import { RunsHandlers } from "./handlers.ts"
import { Materialization } from "./materialization/materialization.ts"
import { MaterializationStore } from "./materialization/store.ts"
import { ResultErasureStore } from "./results/erasure-store.ts"
import { Results } from "./results/results.ts"
import { ResultStore } from "./results/store.ts"
import { ResultRetentionStore } from "./retention/store.ts"
import { runQueue } from "./run.ts"
import { Runs } from "./runs.ts"
import { RunStore } from "./store.ts"

const ResultRetentionWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "could not remove old results",
    Effect.flatMap(ResultRetentionStore, ({ removeOne }) =>
      Effect.repeat(removeOne, { while: (mayBeMore) => mayBeMore }),
    ),
  ),
)

const runsAtOnce = 2

const RunWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { jobs } = yield* RunStore
    const materialization = yield* Materialization
    yield* work({
      queue: runQueue,
      jobs,
      atOnce: runsAtOnce,
      claim: (limit) => jobs.claim({ limit }),
      perform: materialization.perform,
      fail: materialization.giveUp,
    })
  }),
)

/** The stores of this room. */
export const RunStores = Layer.mergeAll(
  DailyRunStore.layer,
  ExportStore.layer,
  MaterializationStore.layer,
  ReadyMailStore.layer,
  ResultErasureStore.layer,
  ResultRetentionStore.layer,
  ResultStore.layer,
  RunStore.layer,
)

/** Streams and files of results; files are stored beside the embedded database. */
const ExportServices = Layer.merge(Exports.layer, ExportSweep).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      DownloadPlaces.layer,
      ExportLinks.layer,
      Layer.provide(RunCsv.layer, CsvStore.layer),
      RunAds.layer,
      RunParquet.layer,
      Layer.unwrap(
        Effect.map(DatabaseConfig, ({ dataDir }) => ExportFiles.layer(`${dataDir}/exports`)),
      ),
    ),
  ),
)

export const RunServices = Layer.mergeAll(
  DailyRuns.layer,
  Materialization.layer,
  Layer.provideMerge(Layer.merge(Results.layer, ExportServices), Runs.layer),
)

/** The background workers of this room. */
export const RunWorkers = Layer.mergeAll(
  DailyRunWorker,
  ExportWorker,
  ReadyMailWorker,
  ResultRetentionWorker,
  RunWorker,
)

/** The endpoints of this room. */
export const RunHandlers = Layer.mergeAll(ExportDownloadsHandlers, ExportsHandlers, RunsHandlers)
