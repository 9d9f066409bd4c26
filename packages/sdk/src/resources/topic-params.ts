// What can be asked of the topic catalogue. Source: spec 1.6 and 5.7.

import type { ResponseMeta } from "./response-meta.ts"
import type { TopicType } from "./topic.ts"

/** Which topics; a filter that is left out lets every topic pass. Compared without case. */
export interface TopicFilter {
  /** `b2b` and `b2c` include the topics of both. */
  readonly type?: TopicType | undefined
  /** At most 100 characters. */
  readonly industry?: string | undefined
}

/** Filter, page size and position of a topic list. */
export type TopicListParams = TopicFilter & {
  /** At most 100 characters. */
  readonly category?: string | undefined
  /** Part of the name. At most 100 characters. */
  readonly q?: string | undefined
  /** Topics to a page, 1 to 500, default 100. */
  readonly pageSize?: number | undefined
} & TopicListPosition

/** Where reading starts: at a page, or where an earlier walk stopped, never both. */
export type TopicListPosition =
  | {
      /** 1-based, default 1. */
      readonly page?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly page?: undefined
      /** `meta.nextCursor` of an earlier page, with the same filter. */
      readonly cursor?: string | undefined
    }

/** What a page of the topic list says about itself. */
export interface TopicListMeta extends ResponseMeta {
  /** Topics that pass the filter, counted when the first page was answered. */
  readonly total: number
  /** 1-based; goes on counting when the list is read by cursor. */
  readonly page: number
  readonly pageSize: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours with the same filter; null on the last page. */
  readonly nextCursor: string | null
}

/** A search, which forgives spelling. */
export interface TopicSearchParams extends TopicFilter {
  /** 1 to 100 characters. */
  readonly q: string
  /** Topics at most, 1 to 50, default 10. */
  readonly limit?: number | undefined
}

/** Which movers. */
export interface TopicMoverParams extends TopicFilter {
  /** Default `up`. */
  readonly direction?: "up" | "down" | undefined
  /** Topics at most, 1 to 50, default 20. */
  readonly limit?: number | undefined
}

/** The days of a trend, both included. Default: the 30 days up to the newest date with data. */
export interface TopicTrendParams {
  /** `YYYY-MM-DD`. At most 365 days before `to`. */
  readonly from?: string | undefined
  /** `YYYY-MM-DD`. */
  readonly to?: string | undefined
}
