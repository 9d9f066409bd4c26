// Topic lists: named lists of topics that an organization saves. spec 2.18 and 5.7
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta, Deleted } from "../extensions/common.ts"

/** `footfall.topicLists`. Accepts an API key or an access token. A viewer's token can only read. */
export class TopicLists {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the organization's topic lists, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<TopicList, ListMeta> {
    return this.#transport.list("/v1/intent/topic-lists", params, {
      credentials: "either",
      options,
    })
  }

  /**
   * Saves topics under a name, to reuse them in audiences. Errors: BadRequestError (a topic is unknown, see
   * `unknownTopicIds`).
   */
  create(params: TopicListCreateParams, options: CreateOptions = {}): ApiCall<TopicList> {
    return this.#transport.create("/v1/intent/topic-lists", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns one topic list. Errors: NotFoundError. */
  get(topicListId: string, options: RequestOptions = {}): ApiCall<TopicList> {
    return this.#transport.get(path`/v1/intent/topic-lists/${topicListId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Updates the name, the topics or both. `topicIds` replaces the whole list. Errors: BadRequestError (a topic is
   * unknown, see `unknownTopicIds`), NotFoundError.
   */
  update(
    topicListId: string,
    params: TopicListUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<TopicList> {
    return this.#transport.patch(path`/v1/intent/topic-lists/${topicListId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Permanently deletes a topic list. The topics stay in the catalog. Errors: NotFoundError. */
  delete(topicListId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/intent/topic-lists/${topicListId}`, {
      credentials: "either",
      options,
    })
  }
}

/** A saved topic list. */
export interface TopicList {
  /** Id of the topic list. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name of the list, 1 to 160 characters. */
  readonly name: string
  /** Ids of the topics, 1 to 100. */
  readonly topicIds: ReadonlyArray<number>
  /** When the topic list was created. */
  readonly createdAt: string
  /** When the topic list was last changed. */
  readonly updatedAt: string
}

/** A new topic list. */
export interface TopicListCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** Ids of topics, 1 to 100. Duplicates are removed. */
  readonly topicIds: ReadonlyArray<number>
}

/** Fields to change. Omitted fields keep their values. */
export interface TopicListUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** Ids of topics, 1 to 100. Duplicates are removed. */
  readonly topicIds?: ReadonlyArray<number> | undefined
}
