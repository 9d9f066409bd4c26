// Identified visitors: the list and the query, walked page by page, the look-up by email, the
// sessions of one visitor, and erasure. Source: spec 5.1.

import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type { SessionListMeta, SessionListParams } from "./session-list.ts"
import type { SessionSummary } from "./session-summary.ts"
import type { VisitorListMeta } from "./visitor-list-meta.ts"
import type { VisitorGetParams, VisitorListParams } from "./visitor-list-params.ts"
import type { VisitorQueryMeta } from "./visitor-query-meta.ts"
import type { VisitorQueryParams } from "./visitor-query-params.ts"
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
   * Guarantee: every page of a walk covers the window of its first request, so no visitor is returned
   * twice unless they are seen again while you read.
   * Errors: BadRequestError (`INVALID_CURSOR` for an expired or foreign cursor), NotFoundError
   * (unknown `pixelId`).
   */
  list(
    params: VisitorListParams = {},
    options: RequestOptions = {},
  ): PagedList<Visitor, VisitorListMeta> {
    return new PagedList<Visitor, VisitorListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/data",
        query: atCursor(params, cursor),
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
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/data",
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }

  /**
   * The visitors that a rule or a saved segment matches, newest activity first. It asks what is there
   * already and uses no credits. `await` it for one page; loop over it for every visitor.
   * Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`; `INVALID_CURSOR`), NotFoundError
   * (unknown `segmentId` or `pixelId`).
   */
  query(
    params: VisitorQueryParams,
    options: RequestOptions = {},
  ): PagedList<Visitor, VisitorQueryMeta> {
    return new PagedList<Visitor, VisitorQueryMeta>((cursor) =>
      this.#transport.request({
        method: "POST",
        path: "/v1/data/query",
        body: atCursor(params, cursor),
        isRepeatable: true,
        credentials: "apiKey",
        options,
      }),
    )
  }

  /**
   * The sessions of one visitor, newest first. `visitorId` is the SHA-256 of any of their addresses,
   * for example `emailHash`.
   * Guarantee: one walk keeps the moment of its first page (`meta.asOf`), so sessions that come
   * meanwhile neither repeat nor skip anything.
   * Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError (unknown visitor or `pixelId`).
   */
  sessions(
    visitorId: string,
    params: SessionListParams = {},
    options: RequestOptions = {},
  ): PagedList<SessionSummary, SessionListMeta> {
    return new PagedList<SessionSummary, SessionListMeta>(async (cursor) =>
      this.#transport.request({
        method: "GET",
        path: path`/v1/data/visitors/${visitorId}/sessions`,
        query: { ...atCursor(params, cursor) },
        credentials: "apiKey",
        options,
      }),
    )
  }

  /**
   * Erases a person: profile, addresses, sessions and events, for good. What stays is a keyed hash of
   * each address, so that a new visit does not bring the person back. With `suppress` the addresses
   * become suppression rules as well.
   * Errors: NotFoundError, also when a repeated attempt finds that the first one had done it.
   */
  async erase(
    visitorId: string,
    params: VisitorEraseParams = {},
    options: RequestOptions = {},
  ): Promise<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/data/visitors/${visitorId}`,
      query: { suppress: params.suppress },
      credentials: "apiKey",
      options,
    })
  }
}

/** How a person is erased. */
export interface VisitorEraseParams {
  /** Whether every known address becomes an `email` suppression rule. Default false. */
  readonly suppress?: boolean | undefined
}
