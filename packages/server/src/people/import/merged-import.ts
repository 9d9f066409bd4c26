// Imports whose rows are merged into the tables while the stream is read: in batches in which each key
// stands once, one transaction each. So a stream that breaks keeps what was committed, and sending it
// again changes only what is missing. Source: spec 5.14.
import { Clock, Effect } from "effect"
import { type TurnSize, TurnSizes } from "../../database/turn-size.ts"
import type { CopyConnection } from "../../database/copy.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import type { Changed, ImportKind, ImportOrigin, ImportStep } from "./import-kind.ts"
import type { FieldValues, RecordReader } from "./record-reader.ts"
import { Rejection } from "./rejection.ts"
import { RowReader } from "./row-reader.ts"

/** Rows of one transaction, which has the turn of the organization; others get theirs in between. */
export const batchRows = { least: 50, first: 100, most: 2_000 }

/** Bytes read for one transaction, after which it is closed. */
const batchBytesMax = 2 * 1024 * 1024

/** One row, as it goes into the staging table. */
export interface ImportRow {
  /** What makes the record the same as another. */
  readonly key: string
  readonly said: FieldValues
}

export interface MergedKind extends Pick<ImportKind, "name" | "data" | "sharing"> {
  /** Of each list one column must be in a CSV header. */
  readonly neededColumns: ReadonlyArray<ReadonlyArray<string>>
  readonly reader: RecordReader
  /** Checks what concerns several fields, and finds the key. */
  row(said: FieldValues): ImportRow | Rejection
  /** Two rows of one key, the later one said after the other. */
  combine(earlier: ImportRow, later: ImportRow): ImportRow
  /**
   * Begins the transaction of a batch: waits for the turn of identification, and gives the rows that
   * may be stored. One that may not, because the person was erased, is rejected.
   */
  admit(
    origin: ImportOrigin,
    rows: ReadonlyArray<ImportRow>,
  ): Effect.Effect<ReadonlyArray<ImportRow>, DatabaseError>
  /** Merges the admitted rows into the tables, in the same transaction. */
  write(
    origin: ImportOrigin,
    rows: ReadonlyArray<ImportRow>,
    copy: CopyConnection["into"],
  ): Effect.Effect<Changed, DatabaseError>
}

export const mergedImport = (kind: MergedKind): ImportKind => {
  const sizes = new TurnSizes(batchRows)
  return { name: kind.name, data: kind.data, sharing: kind.sharing, open: opened(kind, sizes) }
}

const opened =
  (kind: MergedKind, sizes: TurnSizes): ImportKind["open"] =>
  ({ connection, format, origin }) =>
    Effect.sync(() => {
      const size = sizes.of(origin.organizationId)
      const reader = new RowReader({
        format,
        reader: kind.reader,
        neededColumns: kind.neededColumns,
        row: (said, number): NumberedRow | Rejection => {
          const row = kind.row(said)
          return row instanceof Rejection ? row : { row, numbers: [number] }
        },
      })
      const batches = new Batches(kind, size)
      const steps = (
        closed: ReadonlyArray<ReadonlyArray<NumberedRow>>,
      ): ReadonlyArray<ImportStep> =>
        closed.map((numbered) =>
          Effect.gen(function* () {
            const rows = numbered.map(({ row }) => row)
            const admitted = yield* kind.admit(origin, rows)
            const begun = yield* Clock.currentTimeMillis
            const changed = yield* kind.write(origin, admitted, connection.into)
            size.took(admitted.length, (yield* Clock.currentTimeMillis) - begun)
            if (admitted.length === rows.length) return changed
            const isAdmitted = new Set(admitted)
            return {
              ...changed,
              erased: numbered.flatMap(({ numbers, row }) => (isAdmitted.has(row) ? [] : numbers)),
            }
          }),
        )
      return {
        counts: reader,
        rejectErased: (rows) => reader.rejectRead(rows, "erased"),
        push: (chunk) => steps(batches.add(reader.push(chunk), chunk.length)),
        end: () => steps([...batches.add(reader.end(), 0), ...batches.close()]),
        last: Effect.succeed([]),
      }
    })

/** A row to merge, and the data rows that it was made of. */
interface NumberedRow {
  readonly row: ImportRow
  readonly numbers: ReadonlyArray<number>
}

/** Rows to merge, one of each key. */
class Batches {
  readonly #combine: MergedKind["combine"]
  readonly #size: TurnSize
  #rows = new Map<string, NumberedRow>()
  #bytes = 0

  constructor({ combine }: Pick<MergedKind, "combine">, size: TurnSize) {
    this.#combine = combine
    this.#size = size
  }

  /** The batches that these rows fill. */
  add(rows: ReadonlyArray<NumberedRow>, bytes: number): ReadonlyArray<ReadonlyArray<NumberedRow>> {
    const closed: Array<ReadonlyArray<NumberedRow>> = []
    this.#bytes += bytes
    for (const row of rows) {
      this.#put(row)
      if (this.#rows.size >= this.#size.next) closed.push(...this.close())
    }
    return this.#bytes >= batchBytesMax ? [...closed, ...this.close()] : closed
  }

  /** An empty one is none. */
  close(): ReadonlyArray<ReadonlyArray<NumberedRow>> {
    const rows = [...this.#rows.values()]
    this.#rows = new Map()
    this.#bytes = 0
    return rows.length === 0 ? [] : [rows]
  }

  #put(later: NumberedRow): void {
    const { key } = later.row
    const earlier = this.#rows.get(key)
    // Behind the rows in between, as it was said.
    this.#rows.delete(key)
    this.#rows.set(
      key,
      earlier === undefined
        ? later
        : {
            row: this.#combine(earlier.row, later.row),
            numbers: [...earlier.numbers, ...later.numbers],
          },
    )
  }
}
