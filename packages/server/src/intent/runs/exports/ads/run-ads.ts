// A run's people as a file for an ad platform, generated while it is read (spec 2.13.5, 5.9.13): a thousand at a time,
// as in the CSV of results. Unlike that snapshot it leaves out who is suppressed when the file is read, because an
// upload can't be called back.
import { Context, Effect, Layer, Option, Stream } from "effect"
import type { CsvRows } from "../../../../platform/database/copied-rows.ts"
import type { DatabaseError } from "../../../../platform/database/database-error.ts"
import { Replica } from "../../../../platform/database/replica.ts"
import { ResultStore } from "../../results/store.ts"
import { partRows, repeats } from "../csv/run-csv.ts"
import { isFormula } from "../csv/store.ts"
import type { ExportedRun } from "../store.ts"
import { type AdFormat, adFiles } from "./ad-columns.ts"

export class RunAds extends Context.Service<
  RunAds,
  {
    /** The header, if the platform has one, and the people in the order of the results. */
    lines(run: ExportedRun, format: AdFormat): Stream.Stream<CsvRows, DatabaseError>
  }
>()("@footfall/server/runs/RunAds") {
  static readonly layer = Layer.effect(
    RunAds,
    Effect.gen(function* () {
      const results = yield* ResultStore
      const replica = yield* Replica

      const part = Effect.fnUntraced(function* (run: ExportedRun, after: string) {
        const rows = yield* results.rows(run, { after: [after] }, partRows)
        const last = rows.at(-1)
        const suppressed =
          last === undefined
            ? []
            : yield* results.suppressedPositions(run, { after, last: last.position })
        return { rows, suppressed: new Set(suppressed) }
      })

      return RunAds.of({
        lines: (run, format) => {
          const { header, lines } = adFiles[format]
          const parts = Stream.paginate("0", (after) =>
            replica.read(run.organizationId, part(run, after)).pipe(
              Effect.retry(repeats),
              Effect.map(({ rows, suppressed }) => {
                const kept = rows.filter(({ position }) => !suppressed.has(position))
                const text = kept.flatMap((row) => lines(row).map(lineOf)).join("")
                const bytes = { bytes: Buffer.from(text), rows: kept.length }
                return [
                  kept.length === 0 ? [] : [bytes],
                  rows.length < partRows
                    ? Option.none()
                    : Option.some(String(rows.at(-1)!.position)),
                ] as const
              }),
            ),
          )
          return header === undefined
            ? parts
            : Stream.concat(Stream.succeed({ bytes: Buffer.from(lineOf(header)), rows: 0 }), parts)
        },
      })
    }),
  )
}

const lineOf = (cells: ReadonlyArray<string>): string => `${cells.map(cellOf).join(",")}\r\n`

/** By RFC 4180, with the apostrophe of 2.13.3. */
const cellOf = (text: string): string => {
  const shown = isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}
