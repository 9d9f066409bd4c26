// Every statement about users as members of organizations. A token names a user, so the one look-up
// that comes before the organization is known is by user; everything else asks with the organization.
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { type ListStart, listVersion, pageNewestFirst } from "../../database/lists.ts"
import { OrganizationStatus } from "../organization.ts"
import { Role } from "../role.ts"
import { inviteLifetimeDays } from "./invitation.ts"

/** What authentication needs of a member. */
export class MemberRights extends Schema.Opaque<MemberRights>()(
  Schema.Struct({
    userId: Schema.String,
    organizationId: Schema.String,
    organizationStatus: OrganizationStatus,
    isIntentEnabled: Schema.Boolean,
    role: Role,
  }),
) {}

export class MemberRow extends Schema.Opaque<MemberRow>()(
  Schema.Struct({
    userId: Schema.String,
    email: Schema.String,
    name: Schema.NullOr(Schema.String),
    role: Role,
    createdAt: Schema.DateTimeUtcFromDate,
    /** `createdAt` as the database writes it, to the microsecond. */
    createdText: Schema.String,
  }),
) {}

export interface Membership {
  readonly organizationId: string
  readonly userId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    member.user_id as "userId", user_account.email, user_account.name, member.role,
    member.created_at as "createdAt", member.created_at::text as "createdText"`)

  const find = SqlSchema.findOneOption({
    Request: Schema.Struct({
      userId: Schema.NullOr(Schema.String),
      email: Schema.NullOr(Schema.String),
      organizationId: Schema.NullOr(Schema.String),
    }),
    Result: MemberRights,
    execute: ({ email, organizationId, userId }) => sql`
      select
        member.user_id as "userId",
        member.organization_id as "organizationId",
        organization.status as "organizationStatus",
        organization.intent_enabled as "isIntentEnabled",
        member.role
      from user_account
      join member on member.user_id = user_account.id
      join organization on organization.id = member.organization_id
      where ${userId === null ? sql`user_account.email = ${email}` : sql`user_account.id = ${userId}`}
        ${organizationId === null ? sql.literal("") : sql`and member.organization_id = ${organizationId}`}
      order by member.created_at, member.organization_id
      limit 1`,
  })

  const page = (organizationId: string, start: ListStart, limit: number) =>
    SqlSchema.findAll({
      Request: Schema.Void,
      Result: MemberRow,
      execute: () => sql`
        select ${columns}
        from member
        join user_account on user_account.id = member.user_id
        where member.organization_id = ${organizationId}
          ${pageNewestFirst(sql, start, limit, ["member.created_at", "member.user_id"])}`,
    })(undefined)

  const get = SqlSchema.findOneOption({
    Request: Schema.Struct({ organizationId: Schema.String, userId: Schema.String }),
    Result: MemberRow,
    execute: ({ organizationId, userId }) => sql`
      select ${columns}
      from member
      join user_account on user_account.id = member.user_id
      where member.organization_id = ${organizationId} and member.user_id = ${userId}`,
  })

  return {
    /** Without an organization: in the one joined first. */ // spec 5.12
    find: (key: MemberKey): Effect.Effect<Option.Option<MemberRights>> =>
      Effect.orDie(
        find({
          userId: "userId" in key ? key.userId : null,
          email: "email" in key ? key.email : null,
          organizationId: key.organizationId ?? null,
        }),
      ),

    page: (
      organizationId: string,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<MemberRow>> => Effect.orDie(page(organizationId, start, limit)),

    /** Of the list of members. */
    version: (organizationId: string): Effect.Effect<string> =>
      listVersion(sql, organizationId, ["member"]),

    count: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly members: number }>`
        select count(*)::int as members from member where organization_id = ${organizationId}
      `.pipe(
        Effect.map((rows) => rows[0]!.members),
        Effect.orDie,
      ),

    get: (membership: Membership): Effect.Effect<Option.Option<MemberRow>> =>
      Effect.orDie(get(membership)),

    /** Addresses of owners and admins, those who joined first before the others. */
    administrators: (organizationId: string, limit: number): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly email: string }>`
        select user_account.email
        from member
        join user_account on user_account.id = member.user_id
        where member.organization_id = ${organizationId} and member.role in ('owner', 'admin')
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

    hasOtherOwner: ({ organizationId, userId }: Membership): Effect.Effect<boolean> =>
      sql`
        select user_id from member
        where organization_id = ${organizationId} and role = 'owner' and user_id <> ${userId}
        limit 1
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** False when there is a user of the address already. */
    insertUser: (user: { readonly id: string; readonly email: string }): Effect.Effect<boolean> =>
      sql`
        insert into user_account (id, email) values (${user.id}, ${user.email})
        on conflict (email) do nothing
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /**
     * The user of an address, locked to the end of the transaction. `isPending`: without a password, and
     * in no other organization that could have invited it.
     */
    lockUser: (
      email: string,
      organizationId: string,
    ): Effect.Effect<{ readonly id: string; readonly isPending: boolean }> =>
      sql<{ readonly id: string; readonly isPending: boolean }>`
        select id, password_hash is null and not exists (
          select from member
          where member.user_id = user_account.id and organization_id <> ${organizationId}
        ) as "isPending"
        from user_account
        where email = ${email}
        for update
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** False when the user is a member already. */
    insert: ({ organizationId, role, userId }: Membership & { readonly role: Role }) =>
      sql`
        insert into member (organization_id, user_id, role)
        values (${organizationId}, ${userId}, ${role})
        on conflict (organization_id, user_id) do nothing
        returning user_id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    setRole: ({ organizationId, role, userId }: Membership & { readonly role: Role }) =>
      sql`
        update member set role = ${role}
        where organization_id = ${organizationId} and user_id = ${userId}
      `.pipe(Effect.asVoid, Effect.orDie),

    /** The open invitation goes with the membership. */
    remove: Effect.fnUntraced(function* ({ organizationId, userId }: Membership) {
      yield* sql`
        delete from invitation where organization_id = ${organizationId} and user_id = ${userId}`
      yield* sql`
        delete from member where organization_id = ${organizationId} and user_id = ${userId}`
    }, Effect.orDie),

    /** In place of the one the user had. */
    invite: Effect.fnUntraced(function* (
      { organizationId, userId }: Membership,
      digest: Uint8Array,
    ) {
      yield* sql`
        insert into invitation (organization_id, user_id, digest, expires_at)
        values (${organizationId}, ${userId}, ${digest},
          now() + make_interval(days => ${inviteLifetimeDays}))
        on conflict (user_id) do update set
          organization_id = excluded.organization_id, digest = excluded.digest,
          created_at = now(), expires_at = excluded.expires_at`
    }, Effect.orDie),
  }
})

export class MemberStore extends Context.Service<MemberStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/MemberStore",
) {
  static readonly layer = Layer.effect(MemberStore, make)
}

// How a member is named by a token: by the user's id, or, from outside, by a verified address; in one
// organization, or in the one joined first (spec 7).
export type MemberKey = ({ readonly userId: string } | { readonly email: string }) & {
  readonly organizationId: string | undefined
}
