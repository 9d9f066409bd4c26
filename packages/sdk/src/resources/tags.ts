// The tags of people and companies. spec 2.24 and 5.20
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"

/** `footfall.tags`. Accepts an API key or an access token. A viewer's token can only read. */
export class Tags {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the tags of the organization's people, or of its companies, with how many have each, the most used first.
   * Errors: BadRequestError, UnprocessableError (`QUERY_TOO_SLOW`).
   */
  list(params: TagListParams, options: RequestOptions = {}): ApiCall<ReadonlyArray<CountedTag>> {
    return this.#transport.get("/v1/data/tags", {
      query: { ...params },
      credentials: "either",
      options,
    })
  }
}

/** Whose tags. */
export interface TagListParams {
  /** Whose tags. */
  readonly subject: "people" | "companies"
}

/** A tag and how many have it. */
export interface CountedTag {
  /** The tag. */
  readonly tag: string
  /** How many people, or companies, have it. */
  readonly count: number
}
