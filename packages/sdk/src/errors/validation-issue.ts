// One thing that is wrong with a request. Source: decisions.md 9.

/** An entry of `details.issues` of a `VALIDATION_ERROR`. */
export interface ValidationIssue {
  /** JSON pointer into `{body, query, path, header}`, for example `/query/timeframe`. */
  readonly path: string
  /** For programs, for example `enum` or `unknown_parameter`. */
  readonly code: string
  /** For people. */
  readonly message: string
  /** The values that would have been accepted, where they are a closed list. */
  readonly allowed?: ReadonlyArray<unknown>
}
