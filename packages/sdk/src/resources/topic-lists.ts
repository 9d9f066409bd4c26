// The topic lists of an organization. Source: spec 5.7.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import type { TopicList, TopicListCreateParams, TopicListUpdateParams } from "./topic-list.ts"

/** `footfall.topicLists`. Takes an API key or an access token; a viewer's token reads only. */
export class TopicLists {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every list, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<TopicList, ListMeta> {
    return new PagedList<TopicList, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/intent/topic-lists",
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      }),
    )
  }

  /** Saves a list. Errors: BadRequestError (see `unknownTopicIds`). */
  create(params: TopicListCreateParams, options: RequestOptions = {}): Promise<TopicList> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/intent/topic-lists",
      body: params,
      credentials: "either",
      options,
    })
  }

  /** One list. Errors: NotFoundError. */
  get(topicListId: string, options: RequestOptions = {}): Promise<TopicList> {
    return this.#one("GET", topicListId, { options })
  }

  /** Changes what is given. Errors: BadRequestError (see `unknownTopicIds`), NotFoundError. */
  update(
    topicListId: string,
    params: TopicListUpdateParams,
    options: RequestOptions = {},
  ): Promise<TopicList> {
    return this.#one("PATCH", topicListId, { body: params, options })
  }

  /** Deletes a list for good; the topics stay. Errors: NotFoundError. */
  delete(topicListId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", topicListId, { options })
  }

  async #one<Data>(
    method: ApiRequest["method"],
    topicListId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/intent/topic-lists/${topicListId}`,
      credentials: "either",
      ...call,
    })
  }
}
