// Audiences: what can be filtered by, whether a configuration is valid and whom it would hold, and those
// that are saved. Source: spec 5.8.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  Audience,
  AudienceCreateParams,
  AudienceListParams,
  AudienceUpdateParams,
} from "./audience.ts"
import type {
  AudienceConfigParams,
  AudiencePreview,
  AudiencePreviewParams,
  AudienceValidation,
} from "./audience-config.ts"
import type { AudienceFilterCounts, AudienceFilterValues } from "./audience-filters.ts"
import type { Deleted } from "./deleted.ts"
import type { ListMeta } from "./list-meta.ts"

/** What is told of each value of a filter. */
export interface AudienceFiltersParams {
  /** Default false. */
  readonly includeCounts?: boolean | undefined
}

/**
 * `footfall.audiences`. Takes an API key or an access token, `preview` an API key; a viewer's token reads
 * only.
 */
export class Audiences {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The values of every filter that has a list of them, and with `includeCounts` how often they occur. */
  filters(
    params: { readonly includeCounts: true },
    options?: RequestOptions,
  ): Promise<AudienceFilterCounts>
  filters(
    params?: { readonly includeCounts?: false | undefined },
    options?: RequestOptions,
  ): Promise<AudienceFilterValues>
  filters(
    params?: AudienceFiltersParams,
    options?: RequestOptions,
  ): Promise<AudienceFilterValues | AudienceFilterCounts>
  filters(
    { includeCounts }: AudienceFiltersParams = {},
    options: RequestOptions = {},
  ): Promise<AudienceFilterValues | AudienceFilterCounts> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/intent/audiences/filters",
      query: { include: includeCounts === true ? "counts" : undefined },
      credentials: "either",
      options,
    })
  }

  /**
   * Tells the normal form of a configuration, without asking whom it holds.
   * Errors: BadRequestError (see `issues` and `unknownTopicIds`).
   */
  validate(
    params: AudienceConfigParams,
    options: RequestOptions = {},
  ): Promise<AudienceValidation> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/intent/audiences/validate",
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /**
   * Counts the people a configuration would hold now, and shows some of them masked.
   * Errors: BadRequestError (see `issues` and `unknownTopicIds`).
   */
  preview(params: AudiencePreviewParams, options: RequestOptions = {}): Promise<AudiencePreview> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/intent/audiences/preview",
      body: params,
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  /** Every saved audience, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(
    params: AudienceListParams = {},
    options: RequestOptions = {},
  ): PagedList<Audience, ListMeta> {
    return new PagedList<Audience, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/intent/audiences",
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      }),
    )
  }

  /**
   * Saves an audience; an organization has 50 at most. No run is started.
   * Errors: BadRequestError (see `issues` and `unknownTopicIds`), PermissionError (`SLOTS_FULL`, see
   * `slots`), ConflictError (`AUDIENCE_LIMIT_REACHED`).
   */
  create(params: AudienceCreateParams, options: RequestOptions = {}): Promise<Audience> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/intent/audiences",
      body: params,
      credentials: "either",
      options,
    })
  }

  /** One saved audience. Errors: NotFoundError. */
  get(audienceId: string, options: RequestOptions = {}): Promise<Audience> {
    return this.#one("GET", audienceId, { options })
  }

  /**
   * Changes what is given, all of it or nothing.
   * Errors: BadRequestError (see `issues` and `unknownTopicIds`), PermissionError (`SLOTS_FULL`, see
   * `slots`), NotFoundError, ConflictError (`INVALID_TRANSITION`).
   */
  update(
    audienceId: string,
    params: AudienceUpdateParams,
    options: RequestOptions = {},
  ): Promise<Audience> {
    return this.#one("PATCH", audienceId, { body: params, options })
  }

  /**
   * Takes a slot, or the access to one run; an active audience stays as it is.
   * Errors: PermissionError (`SLOTS_FULL`, see `slots`), NotFoundError.
   */
  activate(audienceId: string, options: RequestOptions = {}): Promise<Audience> {
    return this.update(audienceId, { status: "active" }, options)
  }

  /**
   * Gives the slot back and ends the daily refresh; a run that is running finishes.
   * Errors: NotFoundError, ConflictError (`INVALID_TRANSITION`) for a draft.
   */
  pause(audienceId: string, options: RequestOptions = {}): Promise<Audience> {
    return this.update(audienceId, { status: "paused" }, options)
  }

  /**
   * Deletes an audience with its destinations; what waits is cancelled, what was delivered stays with its
   * receivers. Errors: NotFoundError.
   */
  delete(audienceId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", audienceId, { options })
  }

  async #one<Data>(
    method: ApiRequest["method"],
    audienceId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/intent/audiences/${audienceId}`,
      credentials: "either",
      ...call,
    })
  }
}
