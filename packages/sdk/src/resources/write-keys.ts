// Write keys: a backend or site uses one to send events to a pixel. spec 15.1
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"

/** `footfall.pixels.writeKeys`. Needs an API key or a member's access token. */
export class WriteKeys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the write keys of a pixel, at most 100: active keys first, then revoked ones, newest first. The list is
   * not paged. Errors: NotFoundError.
   */
  list(pixelId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<WriteKey>> {
    return this.#transport.get(path`/v1/data/pixels/${pixelId}/write-keys`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Creates a key for sending events to the pixel over the tracking contract. Store `writeKey`: the API does not show
   * it again. A pixel can have at most 20 active keys. Errors: BadRequestError, NotFoundError, ConflictError (20 keys
   * are active).
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
   * Revokes a key. It stops working within a second, or after `graceHours`. To rotate a key, create a new one and
   * revoke the old one with a grace period. Revoke again to end the grace period sooner. Errors: BadRequestError,
   * NotFoundError.
   */
  revoke(
    pixelId: string,
    keyId: string,
    params: WriteKeyRevokeParams = {},
    options: RequestOptions = {},
  ): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/pixels/${pixelId}/write-keys/${keyId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }
}

/** A write key, without its secret. */
export interface WriteKey {
  /** Id of the write key. */
  readonly id: string
  /** Name of the key. */
  readonly name: string
  /** `browser` for web pages, `server` for your backend. */
  readonly kind: WriteKeyKind
  /** Last four characters of the key. */
  readonly last4: string
  /** When the write key was created. */
  readonly createdAt: string
  /** Accurate to the minute. */
  readonly lastUsedAt: string | null
  /** When the key stops working; null if it has not been revoked. */
  readonly expiresAt: string | null
  /** When it was revoked; null if it is valid. */
  readonly revokedAt: string | null
}

/** A new write key. */
export interface WriteKeyCreateParams {
  /** 1 to 100 characters. */
  readonly name: string
  /** Where the key is used. A `browser` key may be public. Default `server`. */
  readonly kind?: WriteKeyKind | undefined
}

/** A write key with its secret. */
export interface CreatedWriteKey {
  /** The key itself: `wk_` and 43 characters. It is shown once. */
  readonly writeKey: string
  /** The key's record, without the key itself. */
  readonly key: WriteKey
}

/** How to revoke a key. */
export interface WriteKeyRevokeParams {
  /** Hours the key keeps working. Default 0. From 0 to 72. */
  readonly graceHours?: number | undefined
}

/**
 * A `browser` key may be public: its `context.ip` is ignored, and its events on hosts other than the pixel's do not
 * count.
 */
export type WriteKeyKind = "server" | "browser"
