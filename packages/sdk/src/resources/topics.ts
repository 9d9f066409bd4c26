// Discovery of topics, for anyone: with credentials the rate limit is higher, and analyses are kept.
// Source: spec 5.7.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { SiteAnalysis } from "./site-analysis.ts"
import type {
  TopicListMeta,
  TopicListParams,
  TopicMoverParams,
  TopicSearchParams,
  TopicTrendParams,
} from "./topic-params.ts"
import type { TopicComparison, TopicMover, TopicTrendPoint } from "./topic-trend.ts"
import type { Topic, TopicFacets } from "./topic.ts"

/**
 * `footfall.topics`. Needs no credentials. 60 requests a minute from one address without them, 120
 * with them; `analyze` 2 and 30.
 */
export class Topics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The catalogue, by `topicId`. Errors: BadRequestError (`INVALID_CURSOR`). */
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

  /** The topics that a text means, best match first; it forgives spelling. */
  search(params: TopicSearchParams, options: RequestOptions = {}): Promise<ReadonlyArray<Topic>> {
    return this.#transport.requestData({
      ...call("GET", "/v1/intent/topics/search", options),
      query: { ...params },
    })
  }

  /** How many topics there are of each type, industry and category. */
  facets(options: RequestOptions = {}): Promise<TopicFacets> {
    return this.#transport.requestData(call("GET", "/v1/intent/topics/facets", options))
  }

  /**
   * The days of one topic, oldest first. Errors: NotFoundError, BadRequestError (more than 365 days,
   * `from` after `to`).
   */
  async trend(
    topicId: number,
    params: TopicTrendParams = {},
    options: RequestOptions = {},
  ): Promise<ReadonlyArray<TopicTrendPoint>> {
    return this.#transport.requestData({
      ...call("GET", path`/v1/intent/topics/${String(topicId)}/trend`, options),
      query: { ...params },
    })
  }

  /** The last 30 days of 1 to 10 topics. Unknown ids are left out. */
  compare(
    topicIds: ReadonlyArray<number>,
    options: RequestOptions = {},
  ): Promise<ReadonlyArray<TopicComparison>> {
    return this.#transport.requestData({
      ...call("POST", "/v1/intent/topics/compare", options),
      body: { topicIds },
      isRepeatable: true,
    })
  }

  /**
   * The topics whose audience changed most between the two newest days with data, strongest first.
   * Topics nobody read about the day before are left out.
   */
  movers(
    params: TopicMoverParams = {},
    options: RequestOptions = {},
  ): Promise<ReadonlyArray<TopicMover>> {
    return this.#transport.requestData({
      ...call("GET", "/v1/intent/topics/movers", options),
      query: { ...params },
    })
  }

  /**
   * Reads a web page and tells the topics it is about; with credentials the analysis is kept
   * (`siteTopics.list`). `url`: http or https, at least 10 characters. It may take 10 seconds.
   * Errors: BadRequestError (an address that is refused), UnprocessableError (`SITE_UNREADABLE`: see
   * `reason`).
   */
  analyze(params: { readonly url: string }, options: RequestOptions = {}): Promise<SiteAnalysis> {
    return this.#transport.requestData({
      ...call("POST", "/v1/intent/topics/analyze", options),
      body: params,
    })
  }
}

const call = (method: ApiRequest["method"], at: string, options: RequestOptions) =>
  ({ method, path: at, credentials: "optional", options }) as const
