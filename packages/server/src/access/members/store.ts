// SQL for users as members of organizations. A token identifies a user, so the one look-up before the organization is
// known is by user; everything else includes the organization.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { type ListStart, pageNewestFirst } from "../../platform/database/lists.ts"
import type { OrganizationStatus } from "../organization.ts"
import type { Role } from "../role.ts"
import { inviteLifetimeDays } from "./invitation.ts"

/** The columns of a member that authentication reads. */
export interface MemberRights {
  readonly userId: string
  readonly organizationId: string
  readonly organizationStatus: OrganizationStatus
  readonly isIntentEnabled: boolean
  readonly role: Role
  /** The current generation of the user's access tokens; earlier ones are rejected. */
  readonly generation: number
}

export const MemberStatus = Schema.Literals(["active", "pending"])

export interface MemberRow {
  readonly userId: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** `pending` until the user accepts the invitation. */
  readonly status: typeof MemberStatus.Type
  /** ISO 8601, as in responses. */
  readonly createdAt: string
  /** `createdAt` in microseconds: the sort key. */
  readonly createdText: string
}

export interface Membership {
  readonly organizationId: string
  readonly userId: string
}

/** A membership the user has not accepted yet. */
export interface PendingMembership {
  readonly organizationId: string
  readonly role: Role
  /** Whether an invitation is open and not expired. */
  readonly isInvited: boolean
}

/** The account with an address. */
export interface Account {
  readonly userId: string
  readonly email: string
  /** Whether its owner has proven the address. */
  readonly isProven: boolean
  readonly hasPassword: boolean
  /**
   * The requested organization, otherwise the one joined first, otherwise the one first invited to; null without any.
   */
  readonly organizationId: string | null
}

/** SHA-256 of an invitation's tokens; at least one is set. */
export interface InvitationDigests {
  /** For the token given to the member who invites. */
  readonly digest: Uint8Array | undefined
  /** For the token sent only by email, which proves the address. */
  readonly mailDigest: Uint8Array | undefined
  /** Whether the operator issued the first token, which then proves the address too. */
  readonly isVouched: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    member.user_id as "userId", user_account.email,
    case when member.accepted_at is not null then user_account.name end as name, member.role,
    case when member.accepted_at is null then 'pending' else 'active' end as status,
    ${isoTime("member.created_at")} as "createdAt", member.created_at::text as "createdText"`)

  return {
    /** Without an organization: the one joined first. */ // spec 5.12
    find: (key: MemberKey): Effect.Effect<Option.Option<MemberRights>> =>
      sql<MemberRights>`
        select
          member.user_id as "userId",
          member.organization_id as "organizationId",
          organization.status as "organizationStatus",
          organization.intent_enabled as "isIntentEnabled",
          member.role,
          user_account.token_generation as generation
        from user_account
        join member on member.user_id = user_account.id
        join organization on organization.id = member.organization_id
        where ${"userId" in key ? sql`user_account.id = ${key.userId}` : sql`user_account.email = ${key.email}`}
          and member.accepted_at is not null
          ${key.organizationId === undefined ? sql.literal("") : sql`and member.organization_id = ${key.organizationId}`}
        order by member.accepted_at, member.organization_id
        limit 1`.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    page: (
      organizationId: string,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<MemberRow>> =>
      Effect.orDie(
        sql<MemberRow>`
          select ${columns}
          from member
          join user_account on user_account.id = member.user_id
          where member.organization_id = ${organizationId}
            ${pageNewestFirst(sql, start, limit, ["member.created_at", "member.user_id"])}`,
      ),

    count: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly members: number }>`
        select count(*)::int as members from member where organization_id = ${organizationId}
      `.pipe(
        Effect.map((rows) => rows[0]!.members),
        Effect.orDie,
      ),

    get: ({ organizationId, userId }: Membership): Effect.Effect<Option.Option<MemberRow>> =>
      sql<MemberRow>`
        select ${columns}
        from member
        join user_account on user_account.id = member.user_id
        where member.organization_id = ${organizationId} and member.user_id = ${userId}`.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),

    /** Addresses of owners and admins, earliest members first. */
    administrators: (organizationId: string, limit: number): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly email: string }>`
        select user_account.email
        from member
        join user_account on user_account.id = member.user_id
        where member.organization_id = ${organizationId} and member.role in ('owner', 'admin')
          and member.accepted_at is not null
        order by member.created_at, member.user_id
        limit ${limit}
      `.pipe(
        Effect.map((rows) => rows.map(({ email }) => email)),
        Effect.orDie,
      ),

    organizationName: (organizationId: string): Effect.Effect<string> =>
      sql<{ readonly name: string }>`
        select name from organization where id = ${organizationId}
      `.pipe(
        Effect.map((rows) => rows[0]!.name),
        Effect.orDie,
      ),

    /** Counts only owners who have accepted. */
    hasOtherOwner: ({ organizationId, userId }: Membership): Effect.Effect<boolean> =>
      sql`
        select user_id from member
        where organization_id = ${organizationId} and role = 'owner' and user_id <> ${userId}
          and accepted_at is not null
        limit 1
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** False if a user with this address exists. */
    insertUser: (user: { readonly id: string; readonly email: string }): Effect.Effect<boolean> =>
      sql`
        insert into user_account (id, email) values (${user.id}, ${user.email})
        on conflict (email) do nothing
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** The id of the user with this address. */
    userOf: (email: string): Effect.Effect<string> =>
      sql<{ readonly id: string }>`select id from user_account where email = ${email}`.pipe(
        Effect.map((rows) => rows[0]!.id),
        Effect.orDie,
      ),

    /** False if the user is already a member or invited. */
    insert: ({
      isAccepted,
      organizationId,
      role,
      userId,
    }: Membership & { readonly role: Role; readonly isAccepted: boolean }) =>
      sql`
        insert into member (organization_id, user_id, role, accepted_at)
        values (${organizationId}, ${userId}, ${role}, ${isAccepted ? sql`now()` : sql`null`})
        on conflict (organization_id, user_id) do nothing
        returning user_id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Activates a pending membership and uses up its invitation. False if none is pending. */
    accept: Effect.fnUntraced(function* ({ organizationId, userId }: Membership) {
      yield* sql`
        delete from invitation where organization_id = ${organizationId} and user_id = ${userId}`
      const accepted = yield* sql`
        update member set accepted_at = now()
        where organization_id = ${organizationId} and user_id = ${userId} and accepted_at is null
        returning user_id`
      return accepted.length > 0
    }, Effect.orDie),

    /** Locks the user until the transaction ends, so that of two concurrent acceptances the second sees the first. */
    lockUser: (userId: string): Effect.Effect<void> =>
      sql`select id from user_account where id = ${userId} for update`.pipe(
        Effect.asVoid,
        Effect.orDie,
      ),

    /** Undefined if no account has the address. */
    account: (key: {
      readonly email: string
      readonly organizationId: string | undefined
    }): Effect.Effect<Account | undefined> =>
      sql<Account>`
        select id as "userId", email, proven_at is not null as "isProven",
          password_hash is not null as "hasPassword",
          (
            select organization_id from member
            where member.user_id = user_account.id ${
              key.organizationId === undefined
                ? sql.literal("")
                : sql`and organization_id = ${key.organizationId}`
            }
            order by accepted_at is null, member.created_at, organization_id limit 1
          ) as "organizationId"
        from user_account
        where email = ${key.email}
      `.pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      ),

    setProven: (userId: string): Effect.Effect<void> =>
      sql`update user_account set proven_at = now() where id = ${userId} and proven_at is null`.pipe(
        Effect.asVoid,
        Effect.orDie,
      ),

    /**
     * Takes the account from its user: deletes password, sessions and known addresses, invalidates access tokens, and
     * makes all memberships but one pending again. Returns the organizations whose memberships were active.
     */
    release: Effect.fnUntraced(function* (userId: string, except: string | undefined) {
      yield* sql`
        update user_account
        set password_hash = null, token_generation = token_generation + 1, proven_at = now(),
          updated_at = now()
        where id = ${userId}`
      yield* sql`delete from refresh_chain where user_id = ${userId}`
      yield* sql`delete from known_address where user_id = ${userId}`
      yield* sql`delete from device_login where user_id = ${userId}`
      yield* sql`delete from password_reset where user_id = ${userId}`
      const withdrawn = yield* sql<{ readonly organizationId: string }>`
        update member set accepted_at = null
        where user_id = ${userId} and accepted_at is not null
          and organization_id is distinct from ${except ?? null}::uuid
        returning organization_id as "organizationId"`
      return withdrawn.map(({ organizationId }) => organizationId)
    }, Effect.orDie),

    /** The user's pending memberships, newest first. */
    pending: (userId: string): Effect.Effect<ReadonlyArray<PendingMembership>> =>
      sql<PendingMembership>`
        select member.organization_id as "organizationId", member.role,
          exists (
            select from invitation
            where invitation.organization_id = member.organization_id
              and invitation.user_id = member.user_id and expires_at > now()
          ) as "isInvited"
        from member
        where user_id = ${userId} and accepted_at is null
        order by created_at desc, organization_id`.pipe(Effect.orDie),

    setRole: ({ organizationId, role, userId }: Membership & { readonly role: Role }) =>
      sql`
        update member set role = ${role}
        where organization_id = ${organizationId} and user_id = ${userId}
      `.pipe(Effect.asVoid, Effect.orDie),

    /** Deletes the open invitation with the membership. */
    remove: Effect.fnUntraced(function* ({ organizationId, userId }: Membership) {
      yield* sql`
        delete from invitation where organization_id = ${organizationId} and user_id = ${userId}`
      yield* sql`
        delete from member where organization_id = ${organizationId} and user_id = ${userId}`
    }, Effect.orDie),

    /** Replaces the user's invitation from this organization. */
    invite: Effect.fnUntraced(function* (
      { organizationId, userId }: Membership,
      { digest, isVouched, mailDigest }: InvitationDigests,
    ) {
      yield* sql`
        insert into invitation
          (organization_id, user_id, digest, mail_digest, is_vouched, expires_at)
        values (${organizationId}, ${userId}, ${digest ?? null}, ${mailDigest ?? null}, ${isVouched},
          now() + make_interval(days => ${inviteLifetimeDays}))
        on conflict (organization_id, user_id) do update set
          digest = excluded.digest, mail_digest = excluded.mail_digest,
          is_vouched = excluded.is_vouched, created_at = now(), expires_at = excluded.expires_at`
    }, Effect.orDie),
  }
})

export class MemberStore extends Context.Service<MemberStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/MemberStore",
) {
  static readonly layer = Layer.effect(MemberStore, make)
}

// Identifies a member: by user id or address; in one organization, or in the one joined first (spec 7).
export type MemberKey = ({ readonly userId: string } | { readonly email: string }) & {
  readonly organizationId: string | undefined
}
