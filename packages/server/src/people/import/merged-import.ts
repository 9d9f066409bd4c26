// Imports whose rows are merged into the tables while the stream is read: in batches in which each key
// stands once, one transaction each. So a stream that breaks keeps what was committed, and sending it
// again changes only what is missing. Source: decisions.md 5.14.
import { Effect } from "effect"
import type { CopyConnection } from "../../database/copy.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import type { Changed, ImportKind, ImportOrigin, ImportStep } from "./import-kind.ts"
import type { FieldValues, RecordReader } from "./record-reader.ts"
import type { Rejection } from "./rejection.ts"
import { RowReader } from "./row-reader.ts"

/** Rows of one transaction. */
export const batchRowsMax = 10_000

/** Bytes read for one transaction, after which it is closed. */
const batchBytesMax = 8 * 1024 * 1024

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
  /** Makes the staging table where the connection has none. */
  readonly prepare: Effect.Effect<void, DatabaseError>
  /**
   * Begins the transaction of a batch: waits for the turn of identification, and gives the rows that
   * may be stored. One that may not, because the person was erased, counts as unchanged.
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

export const mergedImport = (kind: MergedKind): ImportKind => ({
  name: kind.name,
  data: kind.data,
  sharing: kind.sharing,
  open: ({ connection, format, origin }) =>
    Effect.sync(() => {
      const reader = new RowReader({
        format,
        reader: kind.reader,
        neededColumns: kind.neededColumns,
        row: (said) => kind.row(said),
      })
      const batches = new Batches(kind)
      const steps = (closed: ReadonlyArray<ReadonlyArray<ImportRow>>): ReadonlyArray<ImportStep> =>
        closed.map((rows) =>
          // Each time: behind a pooler the next transaction may have another session.
          kind.prepare.pipe(
            Effect.andThen(kind.admit(origin, rows)),
            Effect.flatMap((admitted) => kind.write(origin, admitted, connection.into)),
          ),
        )
      return {
        counts: reader,
        push: (chunk) => steps(batches.add(reader.push(chunk), chunk.length)),
        end: () => steps([...batches.add(reader.end(), 0), ...batches.close()]),
        last: Effect.succeed([]),
      }
    }),
})

/** Rows to merge, one of each key. */
class Batches {
  readonly #combine: MergedKind["combine"]
  #rows = new Map<string, ImportRow>()
  #bytes = 0

  constructor({ combine }: Pick<MergedKind, "combine">) {
    this.#combine = combine
  }

  /** The batches that these rows fill. */
  add(rows: ReadonlyArray<ImportRow>, bytes: number): ReadonlyArray<ReadonlyArray<ImportRow>> {
    const closed: Array<ReadonlyArray<ImportRow>> = []
    this.#bytes += bytes
    for (const row of rows) {
      this.#put(row)
      if (this.#rows.size === batchRowsMax) closed.push(...this.close())
    }
    return this.#bytes >= batchBytesMax ? [...closed, ...this.close()] : closed
  }

  /** An empty one is none. */
  close(): ReadonlyArray<ReadonlyArray<ImportRow>> {
    const rows = [...this.#rows.values()]
    this.#rows = new Map()
    this.#bytes = 0
    return rows.length === 0 ? [] : [rows]
  }

  #put(row: ImportRow): void {
    const earlier = this.#rows.get(row.key)
    // Behind the rows in between, as it was said.
    this.#rows.delete(row.key)
    this.#rows.set(row.key, earlier === undefined ? row : this.#combine(earlier, row))
  }
}
