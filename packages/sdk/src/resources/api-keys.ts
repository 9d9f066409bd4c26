// The API keys of the organization of the token. Source: spec 5.13.

import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ApiKey, ApiKeyCreateParams, CreatedApiKey } from "./api-key.ts"
import type { Deleted } from "./deleted.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"

/** `footfall.apiKeys`. Needs an access token of an admin or owner. */
export class ApiKeys {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every key, revoked ones too, newest first. Errors: PermissionError. */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<ApiKey, ListMeta> {
    return new PagedList<ApiKey, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/api-keys",
        query: atCursor(params, cursor),
        credentials: "accessToken",
        options,
      }),
    )
  }

  /** Makes a key; its secret is in this answer only. Errors: BadRequestError, PermissionError. */
  create(params: ApiKeyCreateParams, options: RequestOptions = {}): Promise<CreatedApiKey> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/api-keys",
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /** Revokes a key: within 5 seconds it is refused everywhere. Errors: PermissionError, NotFoundError. */
  async revoke(apiKeyId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/api-keys/${apiKeyId}`,
      credentials: "accessToken",
      options,
    })
  }
}
