// Topic lists: named lists of topics that an organization saves. spec 2.18 and 5.7

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta, ListPosition } from "./common.ts"

/** `footfall.topicLists`. Accepts an API key or an access token. A viewer's token can only read. */
export class TopicLists {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the topic lists, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<TopicList, ListMeta> {
    return this.#transport.list<TopicList, ListMeta>("/v1/intent/topic-lists", params, {
      credentials: "either",
      options,
    })
  }

  /** Creates a topic list. Errors: BadRequestError (see `unknownTopicIds`). */
  create(params: TopicListCreateParams, options: CreateOptions = {}): ApiCall<TopicList> {
    return this.#transport.create("/v1/intent/topic-lists", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Gets a topic list. Errors: NotFoundError. */
  get(topicListId: string, options: RequestOptions = {}): ApiCall<TopicList> {
    return this.#one("GET", topicListId, { options })
  }

  /** Updates the given fields. Errors: BadRequestError (see `unknownTopicIds`), NotFoundError. */
  update(
    topicListId: string,
    params: TopicListUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<TopicList> {
    return this.#one("PATCH", topicListId, { body: params, options })
  }

  /** Deletes a topic list. Its topics stay in the catalog. Errors: NotFoundError. */
  delete(topicListId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#one("DELETE", topicListId, { options })
  }

  #one<Data>(
    method: ApiRequest["method"],
    topicListId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/intent/topic-lists/${topicListId}`,
      credentials: "either",
      ...call,
    })
  }
}

/** A saved topic list. */
export interface TopicList {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  /** 1 to 100 ids. */
  readonly topicIds: ReadonlyArray<number>
  readonly createdAt: string
  readonly updatedAt: string
}

/** A new topic list. */
export interface TopicListCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** 1 to 100 ids, each in the catalog. */
  readonly topicIds: ReadonlyArray<number>
}

/** Fields to change. Omitted fields keep their values. */
export interface TopicListUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** 1 to 100 ids, each in the catalog. Replaces the current topics. */
  readonly topicIds?: ReadonlyArray<number> | undefined
}
