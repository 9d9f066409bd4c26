// Every statement about users and their memberships. A token names a user, and so the one look-up
// that comes before the organization is known is by user; everything else asks with the organization.
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationStatus } from "../organization.ts"
import { Role } from "../role.ts"
import type { MemberKey } from "./member-key.ts"

/** What authentication needs of a member. */
export class MemberRow extends Schema.Opaque<MemberRow>()(
  Schema.Struct({
    userId: Schema.String,
    organizationId: Schema.String,
    organizationStatus: OrganizationStatus,
    role: Role,
  }),
) {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const find = SqlSchema.findOneOption({
    Request: Schema.Struct({
      userId: Schema.NullOr(Schema.String),
      email: Schema.NullOr(Schema.String),
      organizationId: Schema.NullOr(Schema.String),
    }),
    Result: MemberRow,
    execute: ({ email, organizationId, userId }) => sql`
      select
        member.user_id as "userId",
        member.organization_id as "organizationId",
        organization.status as "organizationStatus",
        member.role
      from user_account
      join member on member.user_id = user_account.id
      join organization on organization.id = member.organization_id
      where ${userId === null ? sql`user_account.email = ${email}` : sql`user_account.id = ${userId}`}
        ${organizationId === null ? sql.literal("") : sql`and member.organization_id = ${organizationId}`}
      order by member.created_at, member.organization_id
      limit 1`,
  })

  return {
    /** Without an organization: the one joined first. decisions.md 5.12. */
    find: (key: MemberKey): Effect.Effect<Option.Option<MemberRow>> =>
      Effect.orDie(
        find({
          userId: "userId" in key ? key.userId : null,
          email: "email" in key ? key.email : null,
          organizationId: key.organizationId ?? null,
        }),
      ),
  }
})

export class MemberStore extends Context.Service<MemberStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/MemberStore",
) {
  static readonly layer = Layer.effect(MemberStore, make)
}
