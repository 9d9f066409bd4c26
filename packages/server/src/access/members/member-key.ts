// How a member is named by a token: by the user's id, or, from outside, by a verified address; in one
// organization, or in the one joined first (spec 7).

export type MemberKey = ({ readonly userId: string } | { readonly email: string }) & {
  readonly organizationId: string | undefined
}
