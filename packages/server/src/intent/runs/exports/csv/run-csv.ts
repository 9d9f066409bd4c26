// A run's results as CSV, generated while they are read (spec 2.13, 5.9): a few thousand rows at a time, so memory does
// not grow with the run. The database is only queried when the reader wants more, and holds nothing between parts.
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import type { CsvRows } from "../../../../platform/database/copied-rows.ts"
import type { DatabaseError } from "../../../../platform/database/database-error.ts"
import { csvColumns, type CsvPart, type CsvQuestion, CsvStore } from "./store.ts"

/** Rows read at a time, about half a megabyte. */
export const partRows = 1_000

/**
 * Parts read at the same time, each on its own connection. At most two more wait for the reader, so a download holds
 * about two megabytes.
 */
const partsAhead = 2

/** None of the names needs quoting. */
const header = Buffer.from(`${csvColumns.join(",")}\r\n`)

/** A database restart must not end a file. */
export const repeats = {
  times: 4,
  schedule: Schedule.exponential("250 millis"),
  while: ({ reason }: DatabaseError) => reason._tag === "ConnectionError",
}

export interface CsvRun extends CsvQuestion {
  /** Of the completed run; people erased since then are missing. */
  readonly resultCount: number
}

export class RunCsv extends Context.Service<
  RunCsv,
  {
    /** The header, which does not count as a row, and the rows in the order of the results. */
    lines(run: CsvRun): Stream.Stream<CsvRows, DatabaseError>
  }
>()("@footfall/server/runs/RunCsv") {
  static readonly layer = Layer.effect(
    RunCsv,
    Effect.map(CsvStore, (store) =>
      RunCsv.of({
        lines: (run) =>
          Stream.concat(
            Stream.succeed({ bytes: header, rows: 0 }),
            Stream.fromIterable(partsOf(run.resultCount)).pipe(
              Stream.rechunk(1),
              Stream.mapEffect((part) => Effect.retry(store.part(run, part), repeats), {
                concurrency: partsAhead,
              }),
            ),
          ),
      }),
    ),
  )
}

function* partsOf(resultCount: number): Generator<CsvPart, void, undefined> {
  for (let from = 1; from <= resultCount; from += partRows) {
    yield { from, to: from + partRows - 1 }
  }
}
