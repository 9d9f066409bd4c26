// Segments: saved qualification rules. spec 2.7 and 5.4
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta, Deleted } from "../extensions/common.ts"
import type { RuleAst } from "../extensions/rules.ts"
import type { Company } from "./companies.ts"
import type { Visitor } from "./visitors.ts"

/** `footfall.segments`. Accepts an API key or an access token. A viewer's token can only read. */
export class Segments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the organization's saved segments, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<Segment, ListMeta> {
    return this.#transport.list("/v1/data/segments", params, { credentials: "either", options })
  }

  /**
   * Saves a rule under a name. Use a segment of people in visitor queries, audiences and visitor webhooks, one of
   * companies in company queries and in webhooks with the triggers `company_seen`, `page_viewed`, `entered_segment`
   * and `left_segment`. Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`).
   */
  create(params: SegmentCreateParams, options: CreateOptions = {}): ApiCall<Segment> {
    return this.#transport.create("/v1/data/segments", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns one saved segment. Errors: NotFoundError. */
  get(segmentId: string, options: RequestOptions = {}): ApiCall<Segment> {
    return this.#transport.get(path`/v1/data/segments/${segmentId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Updates the fields you send. `ruleAst` replaces the whole rule. The subject never changes. Errors:
   * BadRequestError (`INVALID_RULE`: see `invalidRule`), NotFoundError.
   */
  update(
    segmentId: string,
    params: SegmentUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Segment> {
    return this.#transport.patch(path`/v1/data/segments/${segmentId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Permanently deletes a segment. A segment that an audience or a visitor webhook uses returns `SEGMENT_IN_USE`, and
   * `details.audienceIds` and `details.webhookIds` list them. Errors: NotFoundError, ConflictError (`SEGMENT_IN_USE`:
   * see `webhookIds`).
   */
  delete(segmentId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/segments/${segmentId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Counts the visitors or companies that match a rule and returns up to 10 of them. Suppressed companies are left
   * out. Saves nothing. Errors: BadRequestError (`INVALID_RULE`: see `invalidRule`), NotFoundError,
   * UnprocessableError (`QUERY_TOO_SLOW`).
   */
  preview(params: SegmentPreviewParams, options: RequestOptions = {}): ApiCall<SegmentPreview> {
    return this.#transport.post("/v1/data/segments/preview", {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }
}

/** A saved segment. */
export interface Segment {
  /** Id of the segment. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name of the segment, 1 to 160 characters. */
  readonly name: string
  /** What the segment is for, at most 500 characters. */
  readonly description: string | null
  /** What the segment contains. It never changes. */
  readonly subject: "people" | "companies"
  /** The rule. */
  readonly ruleAst: RuleAst
  /** The user's id; null if created with an API key. */
  readonly createdBy: string | null
  /** When the segment was created. */
  readonly createdAt: string
  /** When the segment was last changed. */
  readonly updatedAt: string
}

/** A new segment. */
export interface SegmentCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** Note for your team, at most 500 characters, or null. */
  readonly description?: string | null | undefined
  /** What the segment contains. Default `people`. It never changes. */
  readonly subject?: "people" | "companies" | undefined
  /** The rule to save. */
  readonly ruleAst: RuleAst
}

/** Fields to change. Omitted fields keep their values. */
export interface SegmentUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** Note for your team, at most 500 characters, or null. */
  readonly description?: string | null | undefined
  /** The rule to save. */
  readonly ruleAst?: RuleAst | undefined
}

/** A rule to preview. */
export interface SegmentPreviewParams {
  /** The rule to preview. */
  readonly ruleAst: RuleAst
  /** What the rule selects. Default `people`. */
  readonly subject?: "people" | "companies" | undefined
  /** Only visitors or companies on this pixel's site. */
  readonly pixelId?: string | undefined
}

/** The visitors or companies that a rule matches now. */
export interface SegmentPreview {
  /** How many match now. */
  readonly count: number
  /** At most 10 visitors, last seen first; empty for companies. */
  readonly sample: ReadonlyArray<Visitor>
  /** At most 10 companies, last seen first; empty for people. */
  readonly companies: ReadonlyArray<Company>
}
