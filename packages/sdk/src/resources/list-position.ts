// Where reading a list by offset starts, and how much a page holds. Source: spec 1.6.

/** Page size, and an offset or the cursor where an earlier walk stopped, never both. */
export type ListPosition = {
  /** Rows to a page, 1 to 100, default 50. */
  readonly limit?: number | undefined
} & (
  | {
      /** Rows to leave out, default 0. */
      readonly offset?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly offset?: undefined
      /** `meta.nextCursor` of an earlier page. */
      readonly cursor?: string | undefined
    }
)
