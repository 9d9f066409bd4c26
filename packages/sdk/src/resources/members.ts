// The members of an organization. Source: spec 5.13.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "./deleted.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import type {
  AddedMember,
  Member,
  MemberAddParams,
  MemberId,
  MemberUpdateParams,
} from "./member.ts"

/** `footfall.members`. Needs an access token of an admin or owner. */
export class Members {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every member, newest first. Errors: PermissionError, NotFoundError. */
  list(
    organizationId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<Member, ListMeta> {
    return new PagedList<Member, ListMeta>(async (cursor) =>
      this.#transport.request({
        method: "GET",
        path: path`/v1/organizations/${organizationId}/members`,
        query: atCursor(params, cursor),
        credentials: "accessToken",
        options,
      }),
    )
  }

  /**
   * Adds a user by address; one the server does not know is invited.
   * Errors: PermissionError, NotFoundError, ConflictError (a member already).
   */
  async add(
    organizationId: string,
    params: MemberAddParams,
    options: RequestOptions = {},
  ): Promise<AddedMember> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/organizations/${organizationId}/members`,
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Gives a member another role. Only an owner gives or takes `owner`.
   * Errors: PermissionError, NotFoundError, ConflictError (the last owner stays).
   */
  update(
    memberId: MemberId,
    params: MemberUpdateParams,
    options: RequestOptions = {},
  ): Promise<Member> {
    return this.#one("PATCH", memberId, { body: params, options })
  }

  /**
   * Ends a membership; the user's tokens are refused within 5 seconds.
   * Errors: PermissionError, NotFoundError, ConflictError (the last owner stays).
   */
  remove(memberId: MemberId, options: RequestOptions = {}): Promise<Deleted> {
    return this.#one("DELETE", memberId, { options })
  }

  async #one<Data>(
    method: ApiRequest["method"],
    { organizationId, userId }: MemberId,
    call: Pick<ApiRequest, "body" | "options">,
  ): Promise<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/organizations/${organizationId}/members/${userId}`,
      credentials: "accessToken",
      ...call,
    })
  }
}
