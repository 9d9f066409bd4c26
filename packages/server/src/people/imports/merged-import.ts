// Imports that merge rows into the tables while the stream is read, in batches of one transaction each. A key
// occurs once per batch. If a stream breaks, committed batches stay, and sending it again changes only what is
// missing. Source: spec 5.14.
import { Clock, Effect } from "effect"
import { type TurnSize, TurnSizes } from "../../platform/database/turn-size.ts"
import type { CopyConnection } from "../../platform/database/copy.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import type { Changed, ImportKind, ImportOrigin, ImportStep } from "./import-kind.ts"
import type { FieldValues, RecordReader } from "./record-reader.ts"
import { Rejection } from "./rejection.ts"
import { RowReader } from "./row-reader.ts"

/** Rows per transaction. A transaction holds the organization's turn; others get theirs in between. */
export const batchRows = { least: 50, first: 100, most: 2_000 }

/** Bytes read before a batch is closed. */
const batchBytesMax = 2 * 1024 * 1024

/** One row of the staging table. */
export interface ImportRow {
  /** Identifies the record: rows with the same key are merged. */
  readonly key: string
  readonly submitted: FieldValues
}

export interface MergedKind extends Pick<ImportKind, "name" | "data" | "sharing"> {
  /** A CSV header must contain at least one column of each list. */
  readonly neededColumns: ReadonlyArray<ReadonlyArray<string>>
  readonly reader: RecordReader
  /** Validates fields that depend on each other and computes the key. */
  row(submitted: FieldValues): ImportRow | Rejection
  /** Merges two rows with the same key. The later one takes precedence. */
  combine(earlier: ImportRow, later: ImportRow): ImportRow
  /**
   * Begins the transaction of a batch: waits for the turn of identification and returns the rows that may be
   * stored. Rows about erased people are rejected.
   */
  admit(
    origin: ImportOrigin,
    rows: ReadonlyArray<ImportRow>,
  ): Effect.Effect<ReadonlyArray<ImportRow>, DatabaseError>
  /**
   * Merges the admitted rows into the tables, in the same transaction. With an expectation, a kind need not look for
   * the rows first. Errors: UniqueViolation if the rows were expected to be new and one is not.
   */
  write(
    origin: ImportOrigin,
    rows: ReadonlyArray<ImportRow>,
    copy: CopyConnection["into"],
    expected: ExpectedRows | undefined,
  ): Effect.Effect<Changed, DatabaseError>
}

/** What the rows of a batch probably are: all new, or all stored already. */
export type ExpectedRows = "new" | "stored"

export const mergedImport = (kind: MergedKind): ImportKind => {
  const sizes = new TurnSizes(batchRows)
  return { name: kind.name, data: kind.data, sharing: kind.sharing, open: opened(kind, sizes) }
}

const opened =
  (kind: MergedKind, sizes: TurnSizes): ImportKind["open"] =>
  ({ connection, format, origin }) =>
    Effect.sync(() => {
      const size = sizes.of(origin.organizationId)
      const expectation = new Expectation()
      const reader = new RowReader({
        format,
        reader: kind.reader,
        neededColumns: kind.neededColumns,
        row: (submitted, number): NumberedRow | Rejection => {
          const row = kind.row(submitted)
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
            const { expected } = expectation
            const changed = yield* Effect.tapError(
              kind.write(origin, admitted, connection.into, expected),
              ({ reason }) =>
                Effect.sync(() => {
                  if (expected === "new" && reason._tag === "UniqueViolation") {
                    expectation.wereNotNew()
                  }
                }),
            )
            expectation.found(admitted.length, changed.inserted)
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

/**
 * What the rows of the next batch probably are, judged by the batches before it. To expect new rows wrongly costs a
 * rollback, so each time this happens, it takes twice as many new batches in a row to expect them again.
 */
class Expectation {
  #newInARow = 0
  #needed = 1
  #wereStored = false

  get expected(): ExpectedRows | undefined {
    if (this.#newInARow >= this.#needed) return "new"
    return this.#wereStored ? "stored" : undefined
  }

  found(rows: number, inserted: number): void {
    if (rows === 0) return
    this.#newInARow = inserted === rows ? this.#newInARow + 1 : 0
    this.#wereStored = inserted === 0
  }

  wereNotNew(): void {
    this.#newInARow = 0
    this.#needed *= 2
  }
}

/** A row to merge, and the numbers of the data rows it was made from. */
interface NumberedRow {
  readonly row: ImportRow
  readonly numbers: ReadonlyArray<number>
}

/** Collects rows to merge, one per key. */
class Batches {
  readonly #combine: MergedKind["combine"]
  readonly #size: TurnSize
  #rows = new Map<string, NumberedRow>()
  #bytes = 0

  constructor({ combine }: Pick<MergedKind, "combine">, size: TurnSize) {
    this.#combine = combine
    this.#size = size
  }

  /** Adds rows and returns the batches that are full. */
  add(rows: ReadonlyArray<NumberedRow>, bytes: number): ReadonlyArray<ReadonlyArray<NumberedRow>> {
    const closed: Array<ReadonlyArray<NumberedRow>> = []
    this.#bytes += bytes
    for (const row of rows) {
      this.#put(row)
      if (this.#rows.size >= this.#size.next) closed.push(...this.close())
    }
    return this.#bytes >= batchBytesMax ? [...closed, ...this.close()] : closed
  }

  /** Returns the last batch, or nothing if it is empty. */
  close(): ReadonlyArray<ReadonlyArray<NumberedRow>> {
    const rows = [...this.#rows.values()]
    this.#rows = new Map()
    this.#bytes = 0
    return rows.length === 0 ? [] : [rows]
  }

  #put(later: NumberedRow): void {
    const { key } = later.row
    const earlier = this.#rows.get(key)
    // Moves the row behind the rows in between, because it was submitted after them.
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
