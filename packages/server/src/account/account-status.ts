// An organization's limits and usage (spec 2.5).
import { Context, type Effect, Schema } from "effect"
import { mayUse, OrganizationStatus } from "../access/organization.ts"

/** A limit and what is left of it; both null means unlimited. */
const bounded = {
  used: Schema.Int,
  limit: Schema.NullOr(Schema.Int),
  remaining: Schema.NullOr(Schema.Int),
}

export class AccountStatus extends Schema.Opaque<AccountStatus>()(
  Schema.Struct({
    healthy: Schema.Boolean,
    organization: Schema.Struct({
      id: Schema.String,
      slug: Schema.String,
      name: Schema.String,
      status: OrganizationStatus,
    }),
    credits: Schema.Struct({
      ...bounded,
      resetsAt: Schema.NullOr(Schema.String),
      heldBack: Schema.Int,
    }),
    pixels: Schema.Struct({ total: Schema.Int, active: Schema.Int, paused: Schema.Int }),
    intent: Schema.Struct({
      enabled: Schema.Boolean,
      slots: Schema.Struct(bounded),
      oneShotEligible: Schema.Boolean,
      /** `YYYY-MM-DD`; null without signals. */
      dataDate: Schema.NullOr(Schema.String),
    }),
  }).annotate({ identifier: "AccountStatus" }),
) {}

/** An organization without pixels can be healthy. */ // spec 2.5
export const isHealthy = (status: OrganizationStatus, remaining: number | null): boolean =>
  mayUse(status) && remaining !== 0

/** If a limit was lowered below the usage, nothing is left. */
export const remainingOf = (used: number, limit: number | null): number | null =>
  limit === null ? null : Math.max(0, limit - used)

// How much of its intent access an organization uses. Later rooms implement it (spec 2.5).
export class IntentUse extends Context.Service<
  IntentUse,
  {
    /** Active audiences that take a slot, and the data date, `YYYY-MM-DD`, null without signals. */
    of(
      organizationId: string,
    ): Effect.Effect<{ readonly slotsUsed: number; readonly dataDate: string | null }>
  }
>()("@footfall/server/account/IntentUse") {}
