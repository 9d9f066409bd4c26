// `footfall-server organizations`: what only the operator sets for an organization (spec 1.1).
import { Effect, Redacted } from "effect"
import { Installation } from "../../access/installation.ts"
import { Members } from "../../access/members/members.ts"
import type { MemberRow } from "../../access/members/store.ts"
import { OrganizationNotFound, Organizations } from "../../access/organizations/organizations.ts"
import type { OperatorSettings } from "../../access/organizations/store.ts"
import type { Role } from "../../access/role.ts"
import { Output } from "./output.ts"

export const listOrganizations = Effect.fn("organizations list")(function* () {
  const output = yield* Output
  const organizations = yield* (yield* Installation).organizations
  yield* output.result(
    {
      data: organizations.map(({ createdAt, id, name, slug, status }) => ({
        id,
        name,
        slug,
        status,
        createdAt,
      })),
    },
    organizations.length === 0
      ? "There is no organization yet. Create one: footfall-server init --help"
      : organizations.map(({ id, name, status }) => `${id}  ${status}  ${name}`).join("\n"),
  )
})

export const setOrganization = Effect.fn("organizations set")(function* (
  organizationId: string,
  settings: OperatorSettings,
) {
  const organizations = yield* Organizations
  const output = yield* Output
  const set = yield* organizations.set(organizationId, settings)
  const limit = (value: number | null) => (value === null ? "none" : String(value))
  const onOff = (value: boolean) => (value ? "on" : "off")
  yield* output.result(
    set,
    [
      `Organization  ${set.id}`,
      `Status        ${set.status}`,
      `Credit limit  ${limit(set.creditLimit)}`,
      `Intent        ${onOff(set.intentEnabled)}`,
      `Intent slots  ${limit(set.intentSlots)}`,
      `One shot      ${onOff(set.oneShotEligible)}`,
      "",
      "Running servers apply this within 5 seconds.",
    ].join("\n"),
  )
})

// `footfall-server members`: members, for the operator, who has the rights of an owner.

const membersPageMax = 1_000

export const listMembers = Effect.fn("members list")(function* (organizationId: string) {
  const members = yield* Members
  const output = yield* Output
  const id = yield* knownOrganization(organizationId)
  const rows: Array<MemberRow> = []
  let hasMore = true
  while (hasMore) {
    const page = yield* members.list(id, { offset: rows.length }, membersPageMax)
    rows.push(...page.rows)
    hasMore = page.hasMore
  }
  yield* output.result(
    { data: rows.map(({ email, role, userId }) => ({ userId, email, role })) },
    rows.map(({ email, role, userId }) => `${userId}  ${role.padEnd(6)}  ${email}`).join("\n") ||
      "This organization has no members. Invite one: footfall-server members add --help",
  )
})

/** The id in normal form. */
const knownOrganization = Effect.fnUntraced(function* (organizationId: string) {
  const id = organizationId.toLowerCase()
  const organizations = yield* (yield* Installation).organizations
  if (organizations.some((organization) => organization.id === id)) return id
  return yield* new OrganizationNotFound({ organizationId })
})

export const addMember = Effect.fn("members add")(function* (options: {
  readonly organizationId: string
  /** In normal form. */
  readonly email: string
  readonly role: Role
}) {
  const members = yield* Members
  const output = yield* Output
  const organizationId = yield* knownOrganization(options.organizationId)
  const { inviteToken, member } = yield* members.add({
    organizationId,
    email: options.email,
    role: options.role,
    by: { actor: { type: "operator" }, role: "owner" },
  })
  const { email, role, userId } = member
  const token = Redacted.value(inviteToken)
  yield* output.result(
    { userId, email, role, inviteToken: token },
    `To join as ${role}, ${email} accepts this invitation. It is shown only once and valid for 7 days:\n\n${token}`,
  )
})

export const resetMember = Effect.fn("members reset")(function* (options: {
  /** In normal form. */
  readonly email: string
}) {
  const { email } = options
  const output = yield* Output
  const invitations = yield* (yield* Members).reset(email)
  const shown = invitations.map(({ organizationId, role, token }) => ({
    organizationId,
    role,
    inviteToken: Redacted.value(token),
  }))
  yield* output.result(
    { email, invitations: shown },
    [
      `${email} is signed out everywhere and has no password.`,
      shown.length === 0
        ? "This user does not belong to any organization."
        : "Send these invitations to the owner of the email address. They are shown only once and valid for 7 days:",
      ...shown.map((one) => `\n${one.role} of ${one.organizationId}\n${one.inviteToken}`),
    ].join("\n"),
  )
})
