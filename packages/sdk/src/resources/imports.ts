// The results of bulk imports. spec 2.19 and 5.14
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

/** Each row counts as inserted, updated, unchanged or rejected. */
export interface ImportResult {
  /** What was imported. */
  readonly kind: ImportKind
  /** Rows received. */
  readonly received: number
  /** Rows that were new. */
  readonly inserted: number
  /** Rows that changed something. */
  readonly updated: number
  /** Rows that changed nothing. */
  readonly unchanged: number
  /** Number of rejected rows. `rejected` lists the first 100. */
  readonly rejectedCount: number
  /** The first rejected rows, and why. */
  readonly rejected: ReadonlyArray<ImportRejection>
}

/**
 * What the rows contain: topics of the catalog, people's scores for topics, enrichment profiles, or links from an
 * alias to a person.
 */
export type ImportKind = "topics" | "signals" | "people" | "identity-links"

/** A row that was not imported. */
export interface ImportRejection {
  /** Number of the data row, starting at 1. */
  readonly row: number
  /** Field that is wrong; null if it is the whole row. */
  readonly field: string | null
  /** A fixed code of the reason. */
  readonly reason: ImportRejectionReason
  /** Details in addition to the reason: which invisible character the value contains. */
  readonly message?: string
}

/** A fixed code of the reason. */
export type ImportRejectionReason =
  | "not_an_object"
  | "unreadable_row"
  | "row_too_long"
  | "missing_field"
  | "unknown_field"
  | "invalid_type"
  | "invalid_value"
  | "value_too_long"
  | "out_of_range"
  | "unknown_topic"
  | "hash_mismatch"
  | "erased"
