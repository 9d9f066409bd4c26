// Tokens for links in emails. Footfall identifies a visitor who follows such a link as the person the token was created
// for. Tokens are encrypted and signed. spec 5.1 and 6.7

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
  /** 1 to 1,000 people. */
  readonly people: ReadonlyArray<LinkTokenPerson>
  /** 1 to 365 days, default 90. */
  readonly expiresInDays?: number | undefined
}

/** A person, by email address or its SHA-256. */
export type LinkTokenPerson =
  | { readonly email: string; readonly emailHash?: undefined }
  | { readonly emailHash: string; readonly email?: undefined }

/** The new tokens. */
export interface LinkTokenBatch {
  /** In the same order as the people. */
  readonly tokens: ReadonlyArray<LinkToken>
  readonly expiresAt: string
}

export interface LinkToken {
  readonly emailHash: string
  /** The value of `_vid`. */
  readonly token: string
}
