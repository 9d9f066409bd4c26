// Audiences: the filters, whose answer depends on a parameter, and the two changes of status. spec 5.8

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { Audiences as Calls, type Audience } from "../resources/audiences.ts"
import type { AudienceFilterCounts, AudienceFilterValues } from "./audience-filters.ts"

/**
 * `footfall.audiences`. Accepts an API key or an access token. `preview` needs an API key. A viewer's token can only
 * read.
 */
export class Audiences extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Lists the values of every filter that accepts a list. With `includeCounts`, also counts the people for each value.
   */
  filters(
    params: { readonly includeCounts: true },
    options?: RequestOptions,
  ): ApiCall<AudienceFilterCounts>
  filters(
    params?: { readonly includeCounts?: false | undefined },
    options?: RequestOptions,
  ): ApiCall<AudienceFilterValues>
  filters(
    params?: AudienceFiltersParams,
    options?: RequestOptions,
  ): ApiCall<AudienceFilterValues | AudienceFilterCounts>
  filters(
    { includeCounts }: AudienceFiltersParams = {},
    options: RequestOptions = {},
  ): ApiCall<AudienceFilterValues | AudienceFilterCounts> {
    return this.#transport.get("/v1/intent/audiences/filters", {
      query: { include: includeCounts === true ? "counts" : undefined },
      credentials: "either",
      options,
    })
  }

  /**
   * Activates an audience. This uses a slot, or the access to one run. An audience that is already active stays active.
   * Errors: PermissionError (`SLOTS_FULL`, see `slots`), NotFoundError.
   */
  activate(audienceId: string, options: RequestOptions = {}): ApiCall<Audience> {
    return this.update(audienceId, { status: "active" }, options)
  }

  /**
   * Pauses an audience. This frees its slot and stops the daily refresh. A run in progress still finishes. Errors:
   * NotFoundError, ConflictError (`INVALID_TRANSITION`) for a draft.
   */
  pause(audienceId: string, options: RequestOptions = {}): ApiCall<Audience> {
    return this.update(audienceId, { status: "paused" }, options)
  }
}

/** Whether to count the people for each filter value. */
export interface AudienceFiltersParams {
  /** Default false. */
  readonly includeCounts?: boolean | undefined
}
