// `footfall-server members`: members from the operator's side, who has the rights of an owner.
import { Effect, Redacted } from "effect"
import { Members } from "../access/members/members.ts"
import { OrganizationNotFound } from "../access/organizations/organizations.ts"
import { Installation } from "../access/installation.ts"
import type { Role } from "../access/role.ts"
import { Output } from "./output.ts"

export const addMember = Effect.fn("members add")(function* (options: {
  readonly organizationId: string
  /** In normal form. */
  readonly email: string
  readonly role: Role
}) {
  const organizationId = options.organizationId.toLowerCase()
  const members = yield* Members
  const output = yield* Output
  const organizations = yield* (yield* Installation).organizations
  if (!organizations.some(({ id }) => id === organizationId)) {
    return yield* new OrganizationNotFound(options)
  }
  const { inviteToken, member } = yield* members.add({
    organizationId,
    email: options.email,
    role: options.role,
    by: { actor: { type: "operator" }, role: "owner" },
  })
  const { email, role, userId } = member
  const token = inviteToken === undefined ? null : Redacted.value(inviteToken)
  yield* output.result(
    { userId, email, role, inviteToken: token },
    token === null
      ? `${email} is ${role} now, with the password it has.`
      : `${email} is ${role} now. Its invitation, shown once and valid for 7 days:\n\n${token}`,
  )
})
