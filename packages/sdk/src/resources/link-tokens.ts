// Tokens for links in mails: whoever follows the link is identified as the person it was made for.
// Source: spec 5.1 and 6.7.

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { LinkTokenBatch, LinkTokenCreateParams } from "./link-token.ts"

/** `footfall.linkTokens`. Needs an API key. */
export class LinkTokens {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Makes a token for each person; add it to a link as `?_vid=<token>`. Errors: BadRequestError. */
  create(params: LinkTokenCreateParams, options: RequestOptions = {}): Promise<LinkTokenBatch> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/data/link-tokens",
      body: params,
      credentials: "apiKey",
      options,
    })
  }
}
