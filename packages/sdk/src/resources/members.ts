// Members of an organization, and their roles. spec 2.21, 5.13 and 7
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta, Deleted } from "../extensions/common.ts"

/** `footfall.members`. Needs the access token of an admin or owner. */
export class Members {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the members of the organization, newest first. Errors: BadRequestError (`INVALID_CURSOR`),
   * PermissionError, NotFoundError.
   */
  list(
    organizationId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<Member, ListMeta> {
    return this.#transport.list(path`/v1/organizations/${organizationId}/members`, params, {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Invites a person to the organization. The member is `pending` and has no access until the person accepts the
   * invitation. `inviteToken` is returned once and works for 7 days. If SMTP is configured, another token is emailed
   * to the person, and `emailSent` is true. Errors: BadRequestError, PermissionError, NotFoundError, ConflictError
   * (the person is already a member or invited), RateLimitedError (200 invitations a day).
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
   * Creates another invitation for a pending member, for example because the first one has expired. Earlier
   * invitations of this member to the organization stop working. The email and the daily limit are as for a new
   * member. Errors: PermissionError, NotFoundError, ConflictError (the member has already accepted), RateLimitedError
   * (200 invitations a day).
   */
  invite({ organizationId, userId }: MemberId, options: CreateOptions = {}): ApiCall<AddedMember> {
    return this.#transport.create(
      path`/v1/organizations/${organizationId}/members/${userId}/invitation`,
      { credentials: "accessToken", options },
    )
  }

  /**
   * Changes a member's role. Only an owner can grant or remove `owner`, and an organization keeps at least one owner.
   * Errors: BadRequestError, PermissionError, NotFoundError, ConflictError (the last owner).
   */
  update(
    { organizationId, userId }: MemberId,
    params: MemberUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Member> {
    return this.#transport.patch(path`/v1/organizations/${organizationId}/members/${userId}`, {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Removes a member from the organization. Their access ends within 5 seconds. Errors: PermissionError,
   * NotFoundError, ConflictError (the last owner).
   */
  remove({ organizationId, userId }: MemberId, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/organizations/${organizationId}/members/${userId}`, {
      credentials: "accessToken",
      options,
    })
  }
}

/** A user as a member of one organization. */
export interface Member {
  /** Id of the user. */
  readonly userId: string
  /** Address of the user. */
  readonly email: string
  /** Name of the user; null before they accept. */
  readonly name: string | null
  /** What the member may do. */
  readonly role: Role
  /** `pending` until the person accepts the invitation. Until then they have no access and no name. */
  readonly status: "active" | "pending"
  /** When the member was created. */
  readonly createdAt: string
}

/** A new member and their role. */
export interface MemberAddParams {
  /** Email address of the person to invite. */
  readonly email: string
  /** What the member is allowed to do. Only an owner can grant or remove `owner`. */
  readonly role: Role
}

/** The member and their invitation. */
export interface AddedMember {
  /** The member. */
  readonly member: Member
  /** Accepts the invitation. Shown only once, valid for 7 days. */
  readonly inviteToken: string | null
  /** Whether the server emails the invitation to them. */
  readonly emailSent: boolean
}

/** Identifies one member of one organization. */
export interface MemberId {
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the user. */
  readonly userId: string
}

/** The new role. */
export interface MemberUpdateParams {
  /** What the member is allowed to do. Only an owner can grant or remove `owner`. */
  readonly role: Role
}

/** Owner, admin, member, viewer: each role includes the rights of the roles after it. A viewer can only read. */
export type Role = "viewer" | "member" | "admin" | "owner"
