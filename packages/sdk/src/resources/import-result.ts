// What an import takes and what became of its rows. Source: spec 2.19 and 5.14.

/**
 * What the rows are: the topic catalogue, scores of people for topics, enrichment profiles, or links
 * from an alias to a person.
 */
export type ImportKind = "topics" | "signals" | "people" | "identity-links"

/** How the rows are written, and for whom. */
export interface ImportParams {
  /** `ndjson`: one object a line. `csv`: a header row, dotted names for nested fields. */
  readonly format: ImportFormat
  /**
   * People and links for every organization of the server; the operator organization only. Default
   * false. Topics and the signals of the operator organization are everybody's anyway.
   */
  readonly shared?: boolean | undefined
  /**
   * Milliseconds for the answer once everything is sent, because that is when the server merges what
   * it got. 1 to 86,400,000, default 3,600,000.
   */
  readonly answerTimeoutMs?: number | undefined
}

export type ImportFormat = "csv" | "ndjson"

/** Every row that was received is counted in one of the four other numbers. */
export interface ImportResult {
  readonly kind: ImportKind
  readonly received: number
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** The true number; `rejected` tells of the first 100. */
  readonly rejectedCount: number
  readonly rejected: ReadonlyArray<ImportRejection>
}

/** A row that was left out. */
export interface ImportRejection {
  /** Counts data rows from 1. */
  readonly row: number
  readonly field: string | null
  readonly reason: ImportRejectionReason
  /** Where the reason alone does not say it: which character of the value cannot be seen. */
  readonly message?: string
}

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
