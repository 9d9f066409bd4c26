// Members of an organization, and their roles. spec 2.21, 5.13 and 7

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ListMeta, ListPosition } from "../extensions/common.ts"

/** `footfall.members`. Needs the access token of an admin or owner. */
export class Members {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the members, newest first. Errors: PermissionError, NotFoundError. */
  list(
    organizationId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<Member, ListMeta> {
    return this.#transport.list<Member, ListMeta>(
      path`/v1/organizations/${organizationId}/members`,
      params,
      { credentials: "accessToken", options },
    )
  }

  /**
   * Invites a person by email. The person is a pending member until they accept the invitation. Errors:
   * PermissionError, NotFoundError, ConflictError (already a member or invited), RateLimitedError (200 invitations a
   * day).
   */
  add(
    organizationId: string,
    params: MemberAddParams,
    options: CreateOptions = {},
  ): ApiCall<AddedMember> {
    return this.#transport.create(path`/v1/organizations/${organizationId}/members`, {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Invites a pending member again. Earlier invitations to this organization stop working. Errors: PermissionError,
   * NotFoundError, ConflictError (the member has already accepted), RateLimitedError.
   */
  invite(memberId: MemberId, options: CreateOptions = {}): ApiCall<AddedMember> {
    const { organizationId, userId } = memberId
    return this.#transport.create(
      path`/v1/organizations/${organizationId}/members/${userId}/invitation`,
      { credentials: "accessToken", options },
    )
  }

  /**
   * Changes a member's role. Only an owner can grant or revoke `owner`.
   * Errors: PermissionError, NotFoundError, ConflictError (the last owner).
   */
  update(
    memberId: MemberId,
    params: MemberUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Member> {
    return this.#one("PATCH", memberId, { body: params, options })
  }

  /**
   * Removes a member. The user's tokens stop working within 5 seconds.
   * Errors: PermissionError, NotFoundError, ConflictError (the last owner).
   */
  remove(memberId: MemberId, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#one("DELETE", memberId, { options })
  }

  #one<Data>(
    method: ApiRequest["method"],
    { organizationId, userId }: MemberId,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/organizations/${organizationId}/members/${userId}`,
      credentials: "accessToken",
      ...call,
    })
  }
}

/** A user as a member of one organization. */
export interface Member {
  readonly userId: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** `pending` until the person accepts the invitation. Until then they have no access and no name. */
  readonly status: "active" | "pending"
  readonly createdAt: string
}

/** Identifies one member of one organization. */
export interface MemberId {
  readonly organizationId: string
  readonly userId: string
}

/** Owner, admin, member, viewer: each role includes the rights of the roles after it. A viewer can only read. */
export type Role = "owner" | "admin" | "member" | "viewer"

/** A new member and their role. */
export interface MemberAddParams {
  readonly email: string
  readonly role: Role
}

/** The member and their invitation. */
export interface AddedMember {
  readonly member: Member
  /**
   * For `auth.acceptInvite` or `auth.join`. Shown only once, valid for 7 days. Older servers return null for an
   * existing user.
   */
  readonly inviteToken: string | null
  /** Whether the server emails the invitation to them. Older servers do not return this. */
  readonly emailSent: boolean
}

/** The new role. */
export interface MemberUpdateParams {
  readonly role: Role
}
