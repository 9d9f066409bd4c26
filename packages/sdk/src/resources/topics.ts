// The public topic catalog, topic trends, and the topics of a web page. Trends count shared signals only, never a pixel's signals. spec 1.6, 2.18 and 5.7
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ResponseMeta } from "../extensions/common.ts"
import type {
  TopicFacets,
  TopicFilter,
  TopicListPosition,
  TopicType,
} from "../extensions/topic-filters.ts"

/**
 * `footfall.topics`. Needs no credentials. Limit: 60 requests a minute per IP address without credentials, 120 with
 * them. For `analyze`: 2 and 30.
 */
export class Topics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the topic catalog, sorted by id. `type=b2b` and `type=b2c` include topics of type `both`. To find topics
   * by words, use the search endpoint. Errors: BadRequestError (`INVALID_CURSOR`).
   */
  list(
    params: TopicListParams = {},
    options: RequestOptions = {},
  ): PagedList<Topic, TopicListMeta> {
    return this.#transport.list("/v1/intent/topics", params, { credentials: "optional", options })
  }

  /** Counts topics by type, industry and category, the largest first. A topic of type `both` counts as `both` only. */
  facets(options: RequestOptions = {}): ApiCall<TopicFacets> {
    return this.#transport.get("/v1/intent/topics/facets", { credentials: "optional", options })
  }

  /**
   * Finds topics by name, industry and category, best match first. Ignores case, accents and word order, and matches
   * the start of words. Allows one typo in words of 3 letters or more, and two in words of 8 or more. Equal matches
   * are sorted by audience size, largest first. Errors: BadRequestError.
   */
  search(params: TopicSearchParams, options: RequestOptions = {}): ApiCall<ReadonlyArray<Topic>> {
    return this.#transport.get("/v1/intent/topics/search", {
      query: { ...params },
      credentials: "optional",
      options,
    })
  }

  /**
   * Returns a topic's audience for each day from `from` to `to`, inclusive, at most 365 days. Default: the 30 days up
   * to the latest data. Omits days without data. Errors: BadRequestError (more than 365 days, or `from` after `to`),
   * NotFoundError.
   */
  trend(
    topicId: number,
    params: TopicTrendParams = {},
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<TopicTrendPoint>> {
    return this.#transport.get(path`/v1/intent/topics/${String(topicId)}/trend`, {
      query: { ...params },
      credentials: "optional",
      options,
    })
  }

  /**
   * Returns the last 30 days of up to 10 topics, in the order you send them. Omits unknown ids. Errors:
   * BadRequestError.
   */
  compare(
    topicIds: ReadonlyArray<number>,
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<TopicComparison>> {
    return this.#transport.post("/v1/intent/topics/compare", {
      body: { topicIds },
      isRepeatable: true,
      credentials: "optional",
      options,
    })
  }

  /**
   * Returns the topics whose audience changed most between the two latest days with data. `up` lists growing topics,
   * `down` lists shrinking ones. Omits topics without an audience on the earlier day. Errors: BadRequestError.
   */
  movers(
    params: TopicMoverParams = {},
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<TopicMover>> {
    return this.#transport.get("/v1/intent/topics/movers", {
      query: { ...params },
      credentials: "optional",
      options,
    })
  }

  /**
   * Reads a web page and returns the topics it is about, the most similar first. Follows up to 3 redirects, reads up
   * to 2 MiB and takes up to 10 seconds. With credentials the analysis is also saved. A page that cannot be read
   * returns `SITE_UNREADABLE`. Errors: BadRequestError (the URL is not allowed), UnprocessableError
   * (`SITE_UNREADABLE`: see `reason`).
   */
  analyze(
    params: {
      /** URL of the page, at least 10 characters, such as `https://acme.example/`. */
      readonly url: string
    },
    options: RequestOptions = {},
  ): ApiCall<SiteAnalysis> {
    return this.#transport.post("/v1/intent/topics/analyze", {
      body: params,
      credentials: "optional",
      options,
    })
  }
}

/** Filter, page size and position of a topic list. */
export type TopicListParams = TopicFilter &
  TopicListPosition & {
    /** Only topics of this category. Ignores case; empty means all. */
    readonly category?: string | undefined
    /** Only topics whose name contains this text. Ignores case. */
    readonly q?: string | undefined
    /** Page size, 1 to 500. */
    readonly pageSize?: number | undefined
  }

/** Something people read about. */
export interface Topic {
  /** Id of the topic in the catalog. */
  readonly topicId: number
  /** Name of the topic. */
  readonly topicName: string
  /** Whether the topic is for businesses, consumers or both. */
  readonly type: TopicType
  /** For example `logistics`. */
  readonly industry: string
  /** For example `software`. */
  readonly category: string
}

/** `meta` of a page of topics. */
export interface TopicListMeta extends ResponseMeta {
  /** Rows in all pages. */
  readonly total: number
  /** Page number, from 1, also when you read the list by cursor. */
  readonly page: number
  /** Topics per page. */
  readonly pageSize: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** A typo-tolerant search. */
export type TopicSearchParams = TopicFilter & {
  /** The search text. */
  readonly q: string
  /** Page size, 1 to 50. */
  readonly limit?: number | undefined
}

/** First and last day of a trend, both included. Default: the 30 days up to the latest date with data. */
export interface TopicTrendParams {
  /** First date, such as `2026-01-31`. Default: 30 days before `to`. */
  readonly from?: string | undefined
  /** Last date, such as `2026-01-31`. Default: the latest date with data. */
  readonly to?: string | undefined
}

/** One day of one topic. */
export interface TopicTrendPoint extends TopicDay {
  /** Name of the topic. */
  readonly topicName: string
  /** Whether the topic is for businesses, consumers or both. */
  readonly type: TopicType
  /** Industry of the topic. */
  readonly industry: string
  /** Category of the topic. */
  readonly category: string
}

/** The last 30 days of one of the compared topics. */
export interface TopicComparison {
  /** Id of the topic in the catalog. */
  readonly topicId: number
  /** Name of the topic. */
  readonly topicName: string
  /** The last 30 days of one of the compared topics. */
  readonly data: ReadonlyArray<TopicDay>
}

/** Filters for movers. */
export type TopicMoverParams = TopicFilter & {
  /** `up` for growing topics, `down` for shrinking ones. Default `up`. */
  readonly direction?: "up" | "down" | undefined
  /** Page size, 1 to 50. */
  readonly limit?: number | undefined
}

/** A topic whose audience changed between the two latest days with data. */
export interface TopicMover {
  /** Id of the topic in the catalog. */
  readonly topicId: number
  /** Name of the topic. */
  readonly topicName: string
  /** Whether the topic is for businesses, consumers or both. */
  readonly type: TopicType
  /** Industry of the topic. */
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
  /** Name of the company that the site names; null if it names none. */
  readonly company: string | null
  /** What the site says it is about; null if it says nothing. */
  readonly summary: string | null
  /** Words that the page uses most, at most 30. */
  readonly keywords: ReadonlyArray<string>
  /** Topics of the catalog that fit: at most 20, most similar first. */
  readonly topics: ReadonlyArray<SiteTopic>
  /** Hash of the page's text. The same text gives the same hash. */
  readonly contentHash: string | null
}

/** The figures of one day. */
export interface TopicDay {
  /** `YYYY-MM-DD`. Days without data are omitted. */
  readonly date: string
  /** People with a signal. */
  readonly uniqueAudience: number
  /** Signals of the day. */
  readonly totalSignals: number
  /** Average score, 1 to 100, with 2 decimals. */
  readonly avgScore: number
  /** People with a score from 90 to 100. */
  readonly highAudience: number
  /** People with a score from 70 to 89. */
  readonly mediumAudience: number
  /** People with a score below 70. */
  readonly lowAudience: number
}

/** A topic that a page is about. */
export interface SiteTopic extends Topic {
  /** How well the topic fits, from 0 to 1. */
  readonly similarity: number
  /** The keyword on the page that matched the topic. */
  readonly matchedKeyword: string
}
