// Segments: saved qualification rules. spec 2.7 and 5.4

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta, ListPosition } from "./common.ts"
import type { RuleAst } from "./rules.ts"
import type { Visitor } from "./visitors.ts"

/** `footfall.segments`. Accepts an API key or an access token. A viewer's token can only read. */
export class Segments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the segments, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<Segment, ListMeta> {
    return this.#transport.list<Segment, ListMeta>("/v1/data/segments", params, {
      credentials: "either",
      options,
    })
  }

  /** Creates a segment. Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`). */
  create(params: SegmentCreateParams, options: CreateOptions = {}): ApiCall<Segment> {
    return this.#transport.create("/v1/data/segments", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Gets a segment. Errors: NotFoundError. */
  get(segmentId: string, options: RequestOptions = {}): ApiCall<Segment> {
    return this.#one("GET", segmentId, { options })
  }

  /** Updates the given fields. Errors: BadRequestError (`INVALID_RULE`), NotFoundError. */
  update(
    segmentId: string,
    params: SegmentUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Segment> {
    return this.#one("PATCH", segmentId, { body: params, options })
  }

  /**
   * Deletes a segment.
   * Errors: NotFoundError, ConflictError (`SEGMENT_IN_USE`: see `webhookIds`).
   */
  delete(segmentId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#one("DELETE", segmentId, { options })
  }

  /** Counts the visitors that a rule matches, without saving the rule. Errors: BadRequestError (`INVALID_RULE`). */
  preview(params: SegmentPreviewParams, options: RequestOptions = {}): ApiCall<SegmentPreview> {
    return this.#transport.post("/v1/data/segments/preview", {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  #one<Data>(
    method: ApiRequest["method"],
    segmentId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/data/segments/${segmentId}`,
      credentials: "either",
      ...call,
    })
  }
}

/** A saved segment. */
export interface Segment {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  /** At most 500 characters. */
  readonly description: string | null
  readonly ruleAst: RuleAst
  /** The user's id; null if created with an API key. */
  readonly createdBy: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A new segment. */
export interface SegmentCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** At most 500 characters. */
  readonly description?: string | null | undefined
  readonly ruleAst: RuleAst
}

/** Fields to change. Omitted fields keep their values. */
export type SegmentUpdateParams = Partial<SegmentCreateParams>

/** A rule to preview. */
export interface SegmentPreviewParams {
  readonly ruleAst: RuleAst
  /** Id of a pixel. Default: all of the organization's pixels. */
  readonly pixelId?: string | undefined
}

/** The visitors that a rule matches now. */
export interface SegmentPreview {
  readonly count: number
  /** At most 10 visitors. */
  readonly sample: ReadonlyArray<Visitor>
}
