// What several resources share. spec 1.3, 1.5, 1.6 and 5.4

/** `meta` of every response. */
export interface ResponseMeta {
  /** Time of the response. ISO 8601, UTC, milliseconds. */
  readonly timestamp: string
  /** Id of the request, `req_` and 26 characters. Include it when you report a problem. */
  readonly request_id: string
  /** Of an empty list: where its rows come from, and what brings them. Text for people. */
  readonly hint?: string
}

/** `meta` of one page of a list. */
export interface ListMeta extends ResponseMeta {
  /** Rows of the whole list, counted with the first page. */
  readonly total: number
  readonly limit: number
  /** Keeps counting when the list is read by cursor. */
  readonly offset: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours; null on the last page. */
  readonly nextCursor: string | null
}

/** Page size, and either an offset or a cursor to resume from. */
export type ListPosition = {
  /** Rows per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
} & (
  | {
      /** Rows to skip, default 0. */
      readonly offset?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly offset?: undefined
      /** `meta.nextCursor` of an earlier page. */
      readonly cursor?: string | undefined
    }
)

/** The object was deleted. */
export interface Deleted {
  readonly deleted: true
}

/** `24h` to `90d` reach back from the moment of the request; `all` is the whole history. */
export type Timeframe = "24h" | "7d" | "14d" | "30d" | "90d" | "all"
