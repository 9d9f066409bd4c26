// Types that several resources share. spec 1.3, 1.5, 1.6 and 5.4

/** `meta` of every response. */
export interface ResponseMeta {
  /** Time of the response. ISO 8601, UTC, milliseconds. */
  readonly timestamp: string
  /** Request id: `req_` and 26 characters. Include it when you report a problem. */
  readonly request_id: string
  /** For an empty list: where its rows come from, and how to get some. Human-readable text. */
  readonly hint?: string
}

/** `meta` of one page of a list. */
export interface ListMeta extends ResponseMeta {
  /** Number of rows in the whole list, counted when the first page was requested. */
  readonly total: number
  readonly limit: number
  /** Number of rows before this page, also when you read the list by cursor. */
  readonly offset: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** Page size, and either an offset or a cursor to continue from. */
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
      /** `meta.nextCursor` of a previous page. */
      readonly cursor?: string | undefined
    }
)

/** A deleted object. */
export interface Deleted {
  readonly deleted: true
}

/** `24h` to `90d` count back from the time of the request. `all` is the whole history. */
export type Timeframe = "24h" | "7d" | "14d" | "30d" | "90d" | "all"

/** Whether to include suppressed visitors, exclude them, or return only them. */
export type SuppressedFilter = "include" | "exclude" | "only"

/** One pixel, by id or domain. Default: all of the organization's pixels. */
export type PixelScope =
  | {
      /** Id of the pixel, a UUID. An unknown id throws a NotFoundError. */
      readonly pixelId?: string | undefined
      readonly domain?: undefined
    }
  | {
      readonly pixelId?: undefined
      /** Domain of the pixel. An unknown domain returns an empty list with `meta.scope.pixels` 0. */
      readonly domain?: string | undefined
    }

/** Where to start: at a page, or at a cursor to continue from. */
export type VisitorListPosition =
  | {
      /** Page number, from 1. Default 1. */
      readonly page?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly page?: undefined
      /** `meta.nextCursor` of a previous page, with the same window, scope and filter. */
      readonly cursor?: string | undefined
    }

/** The fields of each row to return, of a list that can leave out the others. */
export interface ChosenFields<Field extends string> {
  /** Names of the fields. */
  readonly fields: ReadonlyArray<Field>
}
