// Write keys: a backend or site uses one to send events to a pixel. spec 15.1

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./common.ts"

/** `footfall.pixels.writeKeys`. Needs an API key or a member's access token. */
export class WriteKeys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists a pixel's write keys, active ones first, at most 100. Errors: NotFoundError. */
  list(pixelId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<WriteKey>> {
    return this.#transport.requestData({
      method: "GET",
      path: path`/v1/data/pixels/${pixelId}/write-keys`,
      credentials: "either",
      options,
    })
  }

  /**
   * Creates a write key. Only this response includes `writeKey`. Errors: BadRequestError, NotFoundError, ConflictError (20
   * keys are active).
   */
  create(
    pixelId: string,
    params: WriteKeyCreateParams,
    options: CreateOptions = {},
  ): ApiCall<CreatedWriteKey> {
    return this.#transport.create(path`/v1/data/pixels/${pixelId}/write-keys`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Revokes a write key immediately, or after `graceHours`. To rotate, create a key and revoke the old one with a grace
   * period. Errors: BadRequestError, NotFoundError.
   */
  revoke(
    pixelId: string,
    keyId: string,
    params: WriteKeyRevokeParams = {},
    options: RequestOptions = {},
  ): ApiCall<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/data/pixels/${pixelId}/write-keys/${keyId}`,
      body: params,
      credentials: "either",
      options,
    })
  }
}

/** A write key, without its secret. */
export interface WriteKey {
  readonly id: string
  readonly name: string
  readonly kind: WriteKeyKind
  readonly last4: string
  readonly createdAt: string
  /** Accurate to the minute. */
  readonly lastUsedAt: string | null
  /** When the key stops working; null if it has not been revoked. */
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/**
 * A `browser` key may be public: its `context.ip` is ignored, and its events on hosts other than the pixel's do not
 * count.
 */
export type WriteKeyKind = "server" | "browser"

/** A new write key. */
export interface WriteKeyCreateParams {
  /** 1 to 100 characters. */
  readonly name: string
  /** Default `server`. */
  readonly kind?: WriteKeyKind | undefined
}

/** How to revoke a key. */
export interface WriteKeyRevokeParams {
  /** Hours the key keeps working, 0 to 72. Default 0. */
  readonly graceHours?: number | undefined
}

/** A write key with its secret. */
export interface CreatedWriteKey {
  /** `wk_` and 43 characters. */
  readonly writeKey: string
  readonly key: WriteKey
}
