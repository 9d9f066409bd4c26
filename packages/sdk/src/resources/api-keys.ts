// The organization's API keys. A key's secret is shown once, when you create the key. spec 2.21, 5.13 and 7
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta, Deleted } from "../extensions/common.ts"

/** `footfall.apiKeys`. Needs the access token of an admin or owner. */
export class ApiKeys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the organization's API keys, newest first, including revoked ones. Errors: BadRequestError
   * (`INVALID_CURSOR`), PermissionError.
   */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<ApiKey, ListMeta> {
    return this.#transport.list("/v1/api-keys", params, { credentials: "accessToken", options })
  }

  /**
   * Creates an API key. Store `secret`: the API does not show it again. Without `scopes`, the key may do everything
   * that a member may. Each operation names the scope that it needs as `x-scope`. A key with `pixelIds` sees only the
   * visitors of those sites. Errors: BadRequestError, PermissionError, NotFoundError.
   */
  create(params: ApiKeyCreateParams, options: CreateOptions = {}): ApiCall<CreatedApiKey> {
    return this.#transport.create("/v1/api-keys", {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /** Revokes an API key. The server refuses it within 5 seconds. Errors: PermissionError, NotFoundError. */
  revoke(apiKeyId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/api-keys/${apiKeyId}`, {
      credentials: "accessToken",
      options,
    })
  }
}

/** An API key of the organization, active or revoked. */
export interface ApiKey {
  /** Id of the API key. */
  readonly id: string
  /** Name of the key, 1 to 100 characters. */
  readonly name: string
  /** `sk_` and the next 4 characters. */
  readonly prefix: string
  /** Last four characters of the secret. */
  readonly last4: string
  /** When the API key was created. */
  readonly createdAt: string
  /** When it was last used; null if never. */
  readonly lastUsedAt: string | null
  /**
   * Address of the last use, shortened to its network unless the server keeps whole addresses; null if it is not
   * known.
   */
  readonly lastUsedFrom: string | null
  /** When the key stops working; null if it never expires. */
  readonly expiresAt: string | null
  /** When the key was revoked; null if it is valid. */
  readonly revokedAt: string | null
  /** What the key may do. `all` is everything that a member may. */
  readonly scopes: ReadonlyArray<
    | "all"
    | "visitors:read"
    | "visitors:write"
    | "suppression:read"
    | "suppression:write"
    | "intent:read"
    | "intent:write"
    | "destinations:write"
    | "imports:write"
  >
  /** Pixels of the sites that the key is for; null for every site. */
  readonly pixelIds: ReadonlyArray<string> | null
  /** Networks that the key may be used from, in CIDR notation; null for every network. */
  readonly allowedNetworks: ReadonlyArray<string> | null
}

/** A new key. */
export interface ApiKeyCreateParams {
  /** 1 to 100 characters. */
  readonly name: string
  /** When the key expires, such as `2026-03-11T09:05:00Z`. Default: never. */
  readonly expiresAt?: string | undefined
  /** What the key may do. Default: `all`. */
  readonly scopes?:
    | ReadonlyArray<
        | "all"
        | "visitors:read"
        | "visitors:write"
        | "suppression:read"
        | "suppression:write"
        | "intent:read"
        | "intent:write"
        | "destinations:write"
        | "imports:write"
      >
    | undefined
  /**
   * The pixels of the sites that the key is for: 1 to 50. It sees nothing of others. Default, and with null: every
   * site.
   */
  readonly pixelIds?: ReadonlyArray<string> | null | undefined
  /**
   * The networks that the key may be used from, such as `203.0.113.0/24`: 1 to 50. Default, and with null: every
   * network.
   */
  readonly allowedNetworks?: ReadonlyArray<string> | null | undefined
}

/** A key that was just created. */
export interface CreatedApiKey {
  /** The key, without its secret. */
  readonly apiKey: ApiKey
  /** `sk_` and 43 characters; shown only once. */
  readonly secret: string
}
