// SQL for organizations.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { type ListStart, pageNewestFirst } from "../../platform/database/lists.ts"
import type { Organization, OrganizationStatus } from "../organization.ts"

/** Fields its members may set; undefined ones do not change. */
export interface OrganizationPatch {
  readonly name?: string | undefined
  readonly timeZone?: string | undefined
  readonly excludedIps?: ReadonlyArray<string> | undefined
  readonly retentionDays?: number | null | undefined
}

/** Fields only the operator may set; undefined ones do not change. */ // spec 1.1
export interface OperatorSettings {
  readonly status?: OrganizationStatus | undefined
  /** Credits per calendar month; null means unlimited. */
  readonly creditLimit?: number | null | undefined
  readonly isIntentEnabled?: boolean | undefined
  /** Active audiences; null means unlimited. */
  readonly intentSlots?: number | null | undefined
  readonly isOneShotEligible?: boolean | undefined
}

export interface SetOrganization {
  readonly id: string
  readonly status: OrganizationStatus
  readonly creditLimit: number | null
  readonly intentEnabled: boolean
  readonly intentSlots: number | null
  readonly oneShotEligible: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    organization.id, organization.name, organization.slug, organization.status,
    organization.time_zone as "timeZone",
    organization.excluded_ips as "excludedIps", organization.retention_days as "retentionDays",
    ${isoTime("organization.created_at")} as "createdAt",
    ${isoTime("organization.updated_at")} as "updatedAt",
    organization.created_at::text as "createdText"`)

  const orSame = (value: unknown, column: string) =>
    value === undefined ? sql.literal(column) : sql`${value}`

  return {
    /** Every organization of the installation, oldest first. */
    all: Effect.orDie(
      sql<Organization>`select ${columns} from organization order by created_at, id`,
    ),

    page: (
      userId: string,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<Organization>> =>
      Effect.orDie(
        sql<Organization>`
          select ${columns}
          from member
          join organization on organization.id = member.organization_id
          where member.user_id = ${userId} and member.accepted_at is not null
            ${pageNewestFirst(sql, start, limit, ["organization.created_at", "organization.id"])}`,
      ),

    count: (userId: string): Effect.Effect<number> =>
      sql<{ readonly organizations: number }>`
        select count(*)::int as organizations from member
        where user_id = ${userId} and accepted_at is not null
      `.pipe(
        Effect.map((rows) => rows[0]!.organizations),
        Effect.orDie,
      ),

    /** How many the user owns. Locks the user until the transaction ends, so that two requests can't both be the last. */
    lockOwned: (userId: string): Effect.Effect<number> =>
      sql`select pg_advisory_xact_lock(hashtextextended(${`organizations of ${userId}`}, 0))`.pipe(
        Effect.andThen(
          sql<{ readonly organizations: number }>`
            select count(*)::int as organizations from member
            where user_id = ${userId} and role = 'owner' and accepted_at is not null`,
        ),
        Effect.map((rows) => rows[0]!.organizations),
        Effect.orDie,
      ),

    get: (id: string): Effect.Effect<Organization> =>
      sql<Organization>`select ${columns} from organization where id = ${id}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** False if another organization has the slug. */
    insert: (organization: {
      readonly id: string
      readonly name: string
      readonly slug: string
      readonly createdBy: string
    }): Effect.Effect<boolean> =>
      sql`
        insert into organization (id, name, slug, created_by)
        values (${organization.id}, ${organization.name}, ${organization.slug},
          ${organization.createdBy})
        on conflict (slug) do nothing
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Whose turns the organization takes. Undefined if it does not exist. */
    party: (id: string): Effect.Effect<string | undefined, SqlError.SqlError> =>
      sql<{ readonly party: string }>`select party from organization where id = ${id}`.pipe(
        Effect.map((rows) => rows[0]?.party),
      ),

    /** The database's spelling of a time zone. Undefined if it does not know it. */
    findTimeZone: (timeZone: string): Effect.Effect<string | undefined> =>
      sql<{ readonly name: string }>`
        select name from pg_timezone_names where lower(name) = lower(${timeZone}) limit 1
      `.pipe(
        Effect.map((rows) => rows[0]?.name),
        Effect.orDie,
      ),

    update: (id: string, { excludedIps, name, retentionDays, timeZone }: OrganizationPatch) =>
      sql`
        update organization set
          name = coalesce(${name ?? null}, name),
          time_zone = coalesce(${timeZone ?? null}, time_zone),
          excluded_ips = coalesce(${excludedIps === undefined ? null : [...excludedIps]}::text[], excluded_ips),
          retention_days = ${
            retentionDays === undefined ? sql.literal("retention_days") : sql`${retentionDays}::int`
          },
          updated_at = now()
        where id = ${id}
      `.pipe(Effect.asVoid, Effect.orDie),

    /** Locks the row until the transaction ends. `id`: any text. */
    lockStatus: (id: string): Effect.Effect<Option.Option<OrganizationStatus>> =>
      sql<{ readonly status: OrganizationStatus }>`
        select status from organization where id::text = lower(${id}) for update
      `.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0]?.status)),
        Effect.orDie,
      ),

    set: (id: string, settings: OperatorSettings): Effect.Effect<SetOrganization> =>
      sql<SetOrganization>`
        update organization set
          status = ${orSame(settings.status, "status")},
          credit_limit = ${orSame(settings.creditLimit, "credit_limit")},
          intent_enabled = ${orSame(settings.isIntentEnabled, "intent_enabled")},
          intent_slots = ${orSame(settings.intentSlots, "intent_slots")},
          one_shot_eligible = ${orSame(settings.isOneShotEligible, "one_shot_eligible")},
          updated_at = now()
        where id = ${id}
        returning id, status, credit_limit as "creditLimit", intent_enabled as "intentEnabled",
          intent_slots as "intentSlots", one_shot_eligible as "oneShotEligible"`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),
  }
})

export class OrganizationStore extends Context.Service<
  OrganizationStore,
  Effect.Success<typeof make>
>()("@footfall/server/access/OrganizationStore") {
  static readonly layer = Layer.effect(OrganizationStore, make)
}
