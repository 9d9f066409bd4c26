// The organizations of a user. Source: spec 5.13.

import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import type {
  Organization,
  OrganizationCreateParams,
  OrganizationUpdateParams,
} from "./organization.ts"

/** `footfall.organizations`. Needs an access token. */
export class Organizations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every organization the user is a member of, newest first. */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<Organization, ListMeta> {
    return new PagedList<Organization, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/organizations",
        query: atCursor(params, cursor),
        credentials: "accessToken",
        options,
      }),
    )
  }

  /** Makes an organization with the user as its owner. Errors: ConflictError (slug taken). */
  create(params: OrganizationCreateParams, options: RequestOptions = {}): Promise<Organization> {
    return this.#transport.requestData({
      method: "POST",
      path: "/v1/organizations",
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /** The organization of the token; any other one is a NotFoundError. */
  async get(organizationId: string, options: RequestOptions = {}): Promise<Organization> {
    return this.#transport.requestData({
      method: "GET",
      path: path`/v1/organizations/${organizationId}`,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Changes name or settings of the organization of the token; for admins and owners.
   * Errors: PermissionError, NotFoundError.
   */
  async update(
    organizationId: string,
    params: OrganizationUpdateParams,
    options: RequestOptions = {},
  ): Promise<Organization> {
    return this.#transport.requestData({
      method: "PATCH",
      path: path`/v1/organizations/${organizationId}`,
      body: params,
      credentials: "accessToken",
      options,
    })
  }
}
