// Audiences before they are saved: what can be filtered by, whether a configuration is valid, and whom
// it would hold. Source: decisions.md 5.8.

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  AudienceConfigParams,
  AudiencePreview,
  AudiencePreviewParams,
  AudienceValidation,
} from "./audience-config.ts"
import type { AudienceFilterCounts, AudienceFilterValues } from "./audience-filters.ts"

/** What is told of each value of a filter. */
export interface AudienceFiltersParams {
  /** Default false. */
  readonly includeCounts?: boolean | undefined
}

/** `footfall.audiences`. Takes an API key or an access token; `preview` an API key. */
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
}
