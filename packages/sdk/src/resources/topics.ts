// The public topic catalog, topic trends, and the topics of a web page. Trends count shared signals only, never a
// pixel's signals. spec 1.6, 2.18 and 5.7

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import { type Path, path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta, ListPosition, ResponseMeta } from "../extensions/common.ts"

/**
 * `footfall.topics`. Needs no credentials. Limit: 60 requests a minute per IP address without credentials, 120 with
 * them. For `analyze`: 2 and 30.
 */
export class Topics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the catalog, ordered by `topicId`. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(
    params: TopicListParams = {},
    options: RequestOptions = {},
  ): PagedList<Topic, TopicListMeta> {
    return new PagedList<Topic, TopicListMeta>((cursor) =>
      this.#transport.request({
        ...call("GET", "/v1/intent/topics", options),
        query: { ...atCursor(params, cursor) },
      }),
    )
  }

  /** Searches topics by name, best match first. Tolerates typos. */
  search(params: TopicSearchParams, options: RequestOptions = {}): ApiCall<ReadonlyArray<Topic>> {
    return this.#transport.requestData({
      ...call("GET", "/v1/intent/topics/search", options),
      query: { ...params },
    })
  }

  /** Counts the topics of each type, industry and category. */
  facets(options: RequestOptions = {}): ApiCall<TopicFacets> {
    return this.#transport.requestData(call("GET", "/v1/intent/topics/facets", options))
  }

  /**
   * Lists the daily figures of one topic, oldest first. Errors: NotFoundError, BadRequestError (more than 365 days,
   * `from` after `to`).
   */
  trend(
    topicId: number,
    params: TopicTrendParams = {},
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<TopicTrendPoint>> {
    return this.#transport.requestData({
      ...call("GET", path`/v1/intent/topics/${String(topicId)}/trend`, options),
      query: { ...params },
    })
  }

  /** Compares the last 30 days of 1 to 10 topics. Unknown ids are omitted. */
  compare(
    topicIds: ReadonlyArray<number>,
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<TopicComparison>> {
    return this.#transport.requestData({
      ...call("POST", "/v1/intent/topics/compare", options),
      body: { topicIds },
      isRepeatable: true,
    })
  }

  /**
   * Lists the topics whose audience changed most between the two latest days with data, largest change first. Topics
   * without an audience on the earlier day are omitted.
   */
  movers(
    params: TopicMoverParams = {},
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<TopicMover>> {
    return this.#transport.requestData({
      ...call("GET", "/v1/intent/topics/movers", options),
      query: { ...params },
    })
  }

  /**
   * Reads a web page and returns the topics it is about. With credentials, the analysis is stored (see
   * `siteTopics.list`). `url`: http or https, at least 10 characters. This can take 10 seconds. Errors: BadRequestError
   * (the URL is not allowed), UnprocessableError (`SITE_UNREADABLE`: see `reason`).
   */
  analyze(params: { readonly url: string }, options: RequestOptions = {}): ApiCall<SiteAnalysis> {
    return this.#transport.requestData({
      ...call("POST", "/v1/intent/topics/analyze", options),
      body: params,
    })
  }
}

const call = (method: ApiRequest["method"], at: Path, options: RequestOptions) =>
  ({ method, path: at, credentials: "optional", options }) as const

/** Whether a topic shows the interest of companies, consumers or both. */
export type TopicType = "b2b" | "b2c" | "both"

/** Something people read about. */
export interface Topic {
  readonly topicId: number
  readonly topicName: string
  readonly type: TopicType
  /** For example `logistics`. */
  readonly industry: string
  /** For example `software`. */
  readonly category: string
}

/** Number of topics by type, industry and category. */
export interface TopicFacets {
  readonly types: ReadonlyArray<TopicFacet<TopicType>>
  readonly industries: ReadonlyArray<TopicFacet>
  readonly categories: ReadonlyArray<TopicFacet>
  /** Number of topics in the whole catalog. */
  readonly total: number
}

/** A value, and the number of topics with it. */
export interface TopicFacet<Value extends string = string> {
  readonly value: Value
  readonly count: number
}

/** Topic filters, case-insensitive. */
export interface TopicFilter {
  /** `b2b` and `b2c` also include topics of type `both`. */
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
  /** Topics per page, 1 to 500, default 100. */
  readonly pageSize?: number | undefined
} & TopicListPosition

/** Where to start: at a page, or at a cursor to continue from. */
export type TopicListPosition =
  | {
      /** Page number, from 1. Default 1. */
      readonly page?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly page?: undefined
      /** `meta.nextCursor` of a previous page, with the same filter. */
      readonly cursor?: string | undefined
    }

/** `meta` of a page of topics. */
export interface TopicListMeta extends ResponseMeta {
  /** Number of topics that match the filter, counted when the first page was requested. */
  readonly total: number
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  readonly pageSize: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours, with the same filter. Null on the last page. */
  readonly nextCursor: string | null
}

/** A typo-tolerant search. */
export interface TopicSearchParams extends TopicFilter {
  /** 1 to 100 characters. */
  readonly q: string
  /** Maximum number of topics to return, 1 to 50, default 10. */
  readonly limit?: number | undefined
}

/** Filters for movers. */
export interface TopicMoverParams extends TopicFilter {
  /** Default `up`. */
  readonly direction?: "up" | "down" | undefined
  /** Maximum number of topics to return, 1 to 50, default 20. */
  readonly limit?: number | undefined
}

/** First and last day of a trend, both included. Default: the 30 days up to the latest date with data. */
export interface TopicTrendParams {
  /** `YYYY-MM-DD`. At most 365 days before `to`. */
  readonly from?: string | undefined
  /** `YYYY-MM-DD`. */
  readonly to?: string | undefined
}

/** The figures of one day. */
export interface TopicDay {
  /** `YYYY-MM-DD`. Days without data are omitted. */
  readonly date: string
  /** People with a signal. */
  readonly uniqueAudience: number
  readonly totalSignals: number
  /** 1 to 100, with 2 decimals. */
  readonly avgScore: number
  /** People with a score from 90 to 100. */
  readonly highAudience: number
  /** People with a score from 70 to 89. */
  readonly mediumAudience: number
  /** People with a score below 70. */
  readonly lowAudience: number
}

/** One day of one topic. */
export interface TopicTrendPoint extends TopicDay, Omit<Topic, "topicId"> {}

/** The last 30 days of one of the compared topics. */
export interface TopicComparison {
  readonly topicId: number
  readonly topicName: string
  /** Oldest first. */
  readonly data: ReadonlyArray<TopicDay>
}

/** A topic whose audience changed between the two latest days with data. */
export interface TopicMover {
  readonly topicId: number
  readonly topicName: string
  readonly type: TopicType
  readonly industry: string
  /** People on the latest day. */
  readonly todayAudience: number
  /** People on the previous day with data; never 0. */
  readonly yesterdayAudience: number
  /** Change from the previous day in percent, with 2 decimals. Negative if the audience shrank. */
  readonly pctChange: number
}

/** The analysis of a web page. */
export interface SiteAnalysis {
  readonly company: string | null
  readonly summary: string | null
  /** At most 30. */
  readonly keywords: ReadonlyArray<string>
  /** At most 20, most similar first. */
  readonly topics: ReadonlyArray<SiteTopic>
  /** Hash of the page's text. The same text gives the same hash. */
  readonly contentHash: string | null
}

/** A topic that a page is about. */
export interface SiteTopic extends Topic {
  /** From 0 to 1. */
  readonly similarity: number
  /** The keyword on the page that matched the topic. */
  readonly matchedKeyword: string
}

/** An analysis that was requested with credentials, and therefore stored. */
export interface StoredSiteAnalysis extends Omit<SiteAnalysis, "contentHash"> {
  readonly id: string
  /** The requested URL. */
  readonly url: string
  readonly createdAt: string
}

/** `footfall.siteTopics`. Accepts an API key or an access token. */
export class SiteTopics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the stored analyses, newest first; 20 per page by default. Errors: BadRequestError. */
  list(
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<StoredSiteAnalysis, ListMeta> {
    return this.#transport.list<StoredSiteAnalysis, ListMeta>("/v1/intent/site-topics", params, {
      credentials: "either",
      options,
    })
  }
}
