// What the import engine must know of a kind of record: how a record becomes a row, which rows are of
// one key, and how a batch of rows gets into the tables. A kind belongs to the room of its records.
import type { Effect } from "effect"
import type { CopyConnection } from "../../database/copy.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import type { DataKind } from "./data-versions.ts"
import type { FieldValues, RecordReader } from "./record-reader.ts"
import type { Rejection } from "./rejection.ts"

/** One row, as it goes into the staging table. */
export interface ImportRow {
  /** What makes the record the same as another. */
  readonly key: string
  readonly said: FieldValues
}

/** Where a batch comes from and whom it is for. */
export interface ImportOrigin {
  /** Whose the rows are: the importing organization, or `sharedOrganizationId`. */
  readonly organizationId: string
  /** Null: of a list that is merged at once, in which no key is repeated. */
  readonly importId: string | null
}

/** Rows of a batch that changed something; the others changed nothing. */
export interface Changed {
  readonly inserted: number
  readonly updated: number
}

export interface ImportKind {
  readonly name: "people" | "identity-links"
  /** Whose version its changes raise. */
  readonly data: DataKind
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

/** Records of this organization, which is none, are shared by all. */
export const sharedOrganizationId = "00000000-0000-0000-0000-000000000000"
