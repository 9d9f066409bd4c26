// Identified visitors: the list, walked page by page, and the look-up by email.
// Source: service.md, Visitors; decisions.md 5.1.

import { PagedList } from "../core/paged-list.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ResponseMeta } from "./response-meta.ts"
import type { VisitorListMeta } from "./visitor-list-meta.ts"
import type { VisitorGetParams, VisitorListParams } from "./visitor-list-params.ts"
import type { Visitor, VisitorWithJourney } from "./visitor.ts"

/** `footfall.visitors`. Needs an API key. */
export class Visitors {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * The visitors of a window and scope, newest activity first, 50 to a page.
   * `await` it for one page; loop over it (`for await`) for every visitor. Nothing is sent before.
   * Guarantee: one walk is bound to its first request, so no visitor is returned twice unless they
   * were seen again meanwhile (decisions.md 1.6, Moving rows).
   * Errors: BadRequestError (`INVALID_CURSOR` for an expired or foreign cursor), NotFoundError
   * (unknown `pixelId`).
   */
  list(
    params: VisitorListParams = {},
    options: RequestOptions = {},
  ): PagedList<Visitor, VisitorListMeta> {
    const { cursor: cursorGiven, page, ...question } = params
    return new PagedList<Visitor, VisitorListMeta>((cursorNext) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/data",
        query:
          cursorNext === undefined
            ? { ...question, page, cursor: cursorGiven }
            : { ...question, cursor: cursorNext },
        credentials: "apiKey",
        options,
      }),
    )
  }

  /**
   * One visitor and the way they took, by any of their addresses.
   * Errors: TypeError (empty address, before anything is sent), NotFoundError (never identified,
   * held back, erased, or outside window, scope and filter).
   */
  async get(params: VisitorGetParams, options: RequestOptions = {}): Promise<VisitorWithJourney> {
    // Without an address the same route answers with a list.
    if (params.email.trim() === "") throw new TypeError("email must not be empty")
    const answer = await this.#transport.request<VisitorWithJourney, ResponseMeta>({
      method: "GET",
      path: "/v1/data",
      query: { ...params },
      credentials: "apiKey",
      options,
    })
    return answer.data
  }
}
