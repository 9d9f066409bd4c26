// Tokens for links in emails. Footfall identifies a visitor who follows such a link. spec 5.1 and 6.7
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { CreateOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"

/** `footfall.linkTokens`. Needs an API key. */
export class LinkTokens {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a token for each person. Add it as `_vid` to the links of an email, and the pixel identifies the person
   * who clicks, without an email address in the link. Errors: BadRequestError.
   */
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
  /** The people to create tokens for, 1 to 1000. */
  readonly people: ReadonlyArray<LinkTokenPerson>
  /** Days until the tokens expire. Default 90. From 1 to 365. */
  readonly expiresInDays?: number | undefined
}

/** The new tokens. */
export interface LinkTokenBatch {
  /** In the same order as the people. */
  readonly tokens: ReadonlyArray<LinkToken>
  /** Until when the tokens identify people. */
  readonly expiresAt: string
}

/** A person, by email address or its SHA-256. */
export type LinkTokenPerson =
  | {
      /** Email address of the person. */
      readonly email: string
      readonly emailHash?: undefined
    }
  | {
      /** SHA-256 of the lowercase email address, 64 hexadecimal digits. */
      readonly emailHash: string
      readonly email?: undefined
    }

/** A token, and the person it identifies. */
export interface LinkToken {
  /** SHA-256 of the address, lower-case hex. */
  readonly emailHash: string
  /** The value of `_vid`. */
  readonly token: string
}
