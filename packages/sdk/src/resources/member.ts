// A member: a user in an organization, with a role. Source: spec 2.21, 5.13 and 7.

/** A user as a member of one organization. */
export interface Member {
  readonly userId: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: string
}

/** One member of one organization. */
export interface MemberId {
  readonly organizationId: string
  readonly userId: string
}

/** Each may what the next one may: owner, admin, member, viewer; a viewer only reads. */
export type Role = "owner" | "admin" | "member" | "viewer"

/** Who becomes a member, and as what. */
export interface MemberAddParams {
  readonly email: string
  readonly role: Role
}

/** The new member, and the way in for a user the server has not known. */
export interface AddedMember {
  readonly member: Member
  /** For `auth.acceptInvite`; shown once, valid for 7 days. Null for a user the server knows. */
  readonly inviteToken: string | null
}

/** What a member becomes. */
export interface MemberUpdateParams {
  readonly role: Role
}
