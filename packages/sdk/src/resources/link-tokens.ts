// Tokens for links in emails. Whoever follows such a link is identified as the person it was created for. A token is
// encrypted and signed. spec 5.1 and 6.7

import type { ApiCall } from "../core/api-call.ts"
import type { CreateOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"

/** `footfall.linkTokens`. Needs an API key. */
export class LinkTokens {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a token for each person. Add it to a link as `?_vid=<token>`. Errors: BadRequestError. */
  create(params: LinkTokenCreateParams, options: CreateOptions = {}): ApiCall<LinkTokenBatch> {
    return this.#transport.create("/v1/data/link-tokens", {
      body: params,
      credentials: "apiKey",
      options,
    })
  }
}

/** The people to create tokens for, and how long the tokens are valid. */
export interface LinkTokenCreateParams {
  /** 1 to 1,000. */
  readonly people: ReadonlyArray<LinkTokenPerson>
  /** 1 to 365, default 90. */
  readonly expiresInDays?: number | undefined
}

/** A person, by an address or by the SHA-256 of one. */
export type LinkTokenPerson =
  | { readonly email: string; readonly emailHash?: undefined }
  | { readonly emailHash: string; readonly email?: undefined }

/** The tokens that were created. */
export interface LinkTokenBatch {
  /** In the order of the people. */
  readonly tokens: ReadonlyArray<LinkToken>
  readonly expiresAt: string
}

export interface LinkToken {
  readonly emailHash: string
  /** The value of `_vid`. */
  readonly token: string
}
