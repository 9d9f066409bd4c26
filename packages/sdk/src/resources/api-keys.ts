// The organization's API keys. A key's secret is shown once, when you create the key. spec 2.21, 5.13 and 7

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta, ListPosition } from "./common.ts"

/** `footfall.apiKeys`. Needs the access token of an admin or owner. */
export class ApiKeys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the keys, including revoked ones, newest first. Errors: PermissionError. */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<ApiKey, ListMeta> {
    return this.#transport.list<ApiKey, ListMeta>("/v1/api-keys", params, {
      credentials: "accessToken",
      options,
    })
  }

  /** Creates a key. Only this response includes its secret. Errors: BadRequestError, PermissionError. */
  create(params: ApiKeyCreateParams, options: CreateOptions = {}): ApiCall<CreatedApiKey> {
    return this.#transport.create("/v1/api-keys", {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /** Revokes a key. All servers reject it within 5 seconds. Errors: PermissionError, NotFoundError. */
  revoke(apiKeyId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/api-keys/${apiKeyId}`, {
      credentials: "accessToken",
      options,
    })
  }
}

/** An API key of the organization, active or revoked. */
export interface ApiKey {
  readonly id: string
  /** 1 to 100 characters. */
  readonly name: string
  /** `sk_` and the next 4 characters. */
  readonly prefix: string
  readonly last4: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** Null if it never expires. */
  readonly expiresAt: string | null
  /** Null unless revoked. */
  readonly revokedAt: string | null
}

/** A new key. */
export interface ApiKeyCreateParams {
  /** 1 to 100 characters. */
  readonly name: string
  /** ISO 8601. Default: never. */
  readonly expiresAt?: string | undefined
}

/** A key that was just created. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey
  /** `sk_` and 43 characters; shown only once. */
  readonly secret: string
}
