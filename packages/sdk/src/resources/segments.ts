// Saved qualification rules. Source: spec 5.4.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import type {
  Segment,
  SegmentCreateParams,
  SegmentPreview,
  SegmentPreviewParams,
  SegmentUpdateParams,
} from "./segment.ts"

/** `footfall.segments`. Takes an API key or an access token; a viewer's token reads only. */
export class Segments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every segment, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<Segment, ListMeta> {
    return new PagedList<Segment, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/data/segments",
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      }),
    )
  }

  /** Saves a rule. Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`). */
  create(params: SegmentCreateParams, options: RequestOptions = {}): Promise<Segment> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/data/segments",
      body: params,
      credentials: "either",
      options,
    })
  }

  /** One segment. Errors: NotFoundError. */
  get(segmentId: string, options: RequestOptions = {}): Promise<Segment> {
    return this.#one("GET", segmentId, { options })
  }

  /** Changes what is given. Errors: BadRequestError (`INVALID_RULE`), NotFoundError. */
  update(
    segmentId: string,
    params: SegmentUpdateParams,
    options: RequestOptions = {},
  ): Promise<Segment> {
    return this.#one("PATCH", segmentId, { body: params, options })
  }

  /**
   * Deletes a segment for good.
   * Errors: NotFoundError, ConflictError (`SEGMENT_IN_USE`: see `webhookIds`).
   */
  delete(segmentId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", segmentId, { options })
  }

  /** Counts whom a rule matches, without saving it. Errors: BadRequestError (`INVALID_RULE`). */
  preview(params: SegmentPreviewParams, options: RequestOptions = {}): Promise<SegmentPreview> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/data/segments/preview",
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  async #one<Data>(
    method: ApiRequest["method"],
    segmentId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/data/segments/${segmentId}`,
      credentials: "either",
      ...call,
    })
  }
}
