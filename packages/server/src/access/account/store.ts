// SQL for the account. All values are from the same time, by the database's clock.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { OrganizationStatus } from "../organization.ts"
import { isoTime } from "../../platform/database/iso-time.ts"

export interface AccountRow {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly status: OrganizationStatus
  readonly creditsUsed: number
  readonly creditLimit: number | null
  /** Start of the next calendar month in the organization's time zone. */
  readonly nextMonthAt: string
  readonly heldBack: number
  readonly activePixels: number
  readonly pausedPixels: number
  readonly intentEnabled: boolean
  readonly intentSlots: number | null
  readonly oneShotEligible: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nextMonthAt = sql.literal(
    isoTime(
      `(date_trunc('month', now() at time zone o.time_zone) + interval '1 month')
        at time zone o.time_zone at time zone 'utc'`,
    ),
  )

  return {
    /** The caller's key belongs to the organization, so it exists. */
    read: (organizationId: string): Effect.Effect<AccountRow> =>
      sql<AccountRow>`
        select
          o.id, o.slug, o.name, o.status, coalesce(c.used, 0) as "creditsUsed",
          o.credit_limit as "creditLimit",
          ${nextMonthAt} as "nextMonthAt",
          (
            select count(*)::int from visitor v
            where v.organization_id = o.id and v.held_back
          ) as "heldBack",
          p.active as "activePixels", p.paused as "pausedPixels",
          o.intent_enabled as "intentEnabled", o.intent_slots as "intentSlots",
          o.one_shot_eligible as "oneShotEligible"
        from organization o
        left join credit_month c
          on c.organization_id = o.id
          and c.month = date_trunc('month', now() at time zone o.time_zone)::date
        cross join lateral (
          select
            count(*) filter (where status = 'active')::int as active,
            count(*) filter (where status = 'paused')::int as paused
          from pixel
          where pixel.organization_id = o.id and deleted_at is null
        ) as p
        where o.id = ${organizationId}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),
  }
})

export class AccountStore extends Context.Service<AccountStore, Effect.Success<typeof make>>()(
  "@footfall/server/account/AccountStore",
) {
  static readonly layer = Layer.effect(AccountStore, make)
}
