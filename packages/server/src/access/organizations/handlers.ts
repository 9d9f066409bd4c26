// Maps requests and responses to the Organizations and Members services; decides nothing.
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import { adminRequired } from "../authentication.ts"
import { Caller } from "../caller.ts"
import { show } from "../../platform/http/issues.ts"
import { RateLimits } from "../../platform/http/rate-limit.ts"
import { type InvitedMember, Members } from "../members/members.ts"
import type { MemberRow } from "../members/store.ts"
import { timeZoneExpected } from "../time-zone.ts"
import { userEmail } from "../user-email.ts"
import { organizationOf } from "./organization-wire.ts"
import { Organizations, type TimeZoneUnknown } from "./organizations.ts"
import { OrganizationsApi } from "./api.ts"

export const OrganizationsHandlers = HttpApiBuilder.group(
  footfall.add(OrganizationsApi),
  "organizations",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const members = yield* Members
    const limits = yield* RateLimits

    /** Counts an invitation unless it fails. */
    const counted = <A, E, R>(userId: string, invited: Effect.Effect<A, E, R>) =>
      Effect.andThen(
        limits.count(membersPerDay, userId),
        Effect.tapError(invited, () => limits.giveBack(membersPerDay, userId)),
      )

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const limit = query.limit ?? pageSizeDefault
        const page = yield* organizations
          .list(yield* Caller, yield* positionOf(query), limit)
          .pipe(Effect.catchTag("CursorRefused", cursorRefused))
        return yield* success(page.rows.map(organizationOf), listMetaOf(page, limit))
      }),

      create: Effect.fnUntraced(function* ({ payload }) {
        const { actor } = yield* Caller
        const made = yield* organizations.create({ ...payload, userId: actor.id }).pipe(
          Effect.catchTags({
            SlugTaken: ({ slug }) =>
              refuse({
                code: "CONFLICT",
                message: `The slug ${slug} is already taken.`,
                details: { field: "slug" },
              }),
            OrganizationLimitReached: ({ limit }) =>
              refuse({
                code: "CONFLICT",
                message: `You own ${limit} organizations, the most that this server allows. The operator can raise ORGANIZATIONS_PER_USER.`,
                details: { limit },
              }),
          }),
        )
        return yield* success(organizationOf(made))
      }),

      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* own(params.id)
        return yield* success(organizationOf(yield* organizations.get(organizationId)))
      }),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { name, settings, timeZone } = payload
        const patch = { name, timeZone, ...settings }
        const patched = yield* organizations
          .update(yield* own(params.id), patch)
          .pipe(Effect.catchTag("TimeZoneUnknown", timeZoneUnknown))
        return yield* success(organizationOf(patched))
      }),

      listMembers: Effect.fnUntraced(function* ({ params, query }) {
        const position = yield* positionOf(query)
        const { organizationId } = yield* own(params.id)
        const limit = query.limit ?? pageSizeDefault
        const page = yield* members
          .list(organizationId, position, limit)
          .pipe(Effect.catchTag("CursorRefused", cursorRefused))
        return yield* success(page.rows.map(memberOf), listMetaOf(page, limit))
      }),

      addMember: Effect.fnUntraced(function* ({ params, payload }) {
        const by = yield* own(params.id)
        const { organizationId } = by
        // The schema has already parsed the address.
        const email = userEmail(payload.email)!
        const added = yield* counted(
          by.actor.id,
          members.add({ organizationId, email, role: payload.role, by }),
        ).pipe(
          Effect.catchTags({
            AdminRequired: () => adminRequired,
            OwnerRequired: () => ownerRequired,
            AlreadyMember: () =>
              refuse({
                code: "CONFLICT",
                message: "This user is already a member or has an open invitation.",
                details: { field: "email" },
              }),
          }),
        )
        return yield* success(invitedOf(added))
      }),

      inviteMember: Effect.fnUntraced(function* ({ params }) {
        const by = yield* own(params.id)
        const { organizationId } = by
        const invited = yield* counted(
          by.actor.id,
          members.invite({ organizationId, userId: params.userId }, by),
        ).pipe(
          Effect.catchTags({
            AdminRequired: () => adminRequired,
            MemberNotFound: () => notFound,
            OwnerRequired: () => ownerRequired,
            InvitationAccepted: () =>
              refuse({
                code: "CONFLICT",
                message: "This member has already accepted the invitation.",
              }),
          }),
        )
        return yield* success(invitedOf(invited))
      }),

      updateMember: Effect.fnUntraced(function* ({ params, payload }) {
        const by = yield* own(params.id)
        const { organizationId } = by
        const member = yield* members
          .setRole({ organizationId, userId: params.userId }, payload.role, by)
          .pipe(Effect.catchTags(unchangeable))
        return yield* success(memberOf(member))
      }),

      removeMember: Effect.fnUntraced(function* ({ params }) {
        const by = yield* own(params.id)
        const { organizationId } = by
        yield* members
          .remove({ organizationId, userId: params.userId }, by)
          .pipe(Effect.catchTags(unchangeable))
        return yield* success({ deleted: true as const })
      }),
    })
  }),
)

/** Each invitation is an email, to any address, in the installation's name. spec 10.2. */
const membersPerDay = { name: "members-per-day", limit: 200, windowSeconds: 86_400 }

/** Returns the caller if the path names the organization of the caller's token. */
const own = Effect.fnUntraced(function* (id: string) {
  const caller = yield* Caller
  return id.toLowerCase() === caller.organizationId ? caller : yield* notFound
})

/** The same words as for a name that the server itself does not know. */
const timeZoneUnknown = ({ timeZone }: TimeZoneUnknown) => {
  const message = `Expected ${timeZoneExpected}, received ${show(timeZone)}.`
  return refuse({
    code: "VALIDATION_ERROR",
    message: "The time zone is not valid.",
    details: { issues: [{ path: "/body/timeZone", code: "format", message }] },
  })
}

const ownerRequired = refuse({
  code: "FORBIDDEN",
  message: "Only an owner can grant or remove the role owner.",
  details: { required: "owner" },
})

const unchangeable = {
  AdminRequired: () => adminRequired,
  MemberNotFound: () => notFound,
  OwnerRequired: () => ownerRequired,
  LastOwner: () =>
    refuse({
      code: "CONFLICT",
      message: "An organization must keep at least one owner.",
      details: { field: "role" },
    }),
}

const memberOf = ({ createdText: _, ...member }: MemberRow) => member

const invitedOf = ({ emailSent, inviteToken, member }: InvitedMember) => ({
  member: memberOf(member),
  inviteToken: Redacted.value(inviteToken),
  emailSent,
})
