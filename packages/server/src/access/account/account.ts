// The state of an organization. Also available while the organization is suspended or expired (spec 2.5, 5.3).
import { Context, Effect, Layer, Schema } from "effect"
import { type AccountRow, AccountStore } from "./store.ts"
import { mayUse, OrganizationStatus } from "../organization.ts"

const make = Effect.gen(function* () {
  const store = yield* AccountStore
  const intent = yield* IntentUse
  return {
    status: Effect.fn("Account.status")(function* (organizationId: string) {
      return statusOf(yield* store.read(organizationId), yield* intent.of(organizationId))
    }),
  }
})

export class Account extends Context.Service<Account, Effect.Success<typeof make>>()(
  "@footfall/server/account/Account",
) {
  static readonly layer = Layer.effect(Account, make)
}

const statusOf = (
  row: AccountRow,
  { dataDate, slotsUsed: used }: Effect.Success<ReturnType<IntentUse["Service"]["of"]>>,
): AccountStatus => {
  const { activePixels, creditLimit, creditsUsed, id, name, pausedPixels, slug, status } = row
  const remaining = remainingOf(creditsUsed, creditLimit)
  return {
    healthy: isHealthy(status, remaining),
    organization: { id, slug, name, status },
    credits: {
      used: creditsUsed,
      limit: creditLimit,
      remaining,
      resetsAt: creditLimit === null ? null : row.nextMonthAt,
      heldBack: row.heldBack,
    },
    pixels: { total: activePixels + pausedPixels, active: activePixels, paused: pausedPixels },
    intent: {
      enabled: row.intentEnabled,
      slots: { used, limit: row.intentSlots, remaining: remainingOf(used, row.intentSlots) },
      oneShotEligible: row.oneShotEligible,
      dataDate,
    },
  }
}

// An organization's limits and usage (spec 2.5).

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
    }).annotate({ identifier: "Credits" }),
    pixels: Schema.Struct({ total: Schema.Int, active: Schema.Int, paused: Schema.Int }),
    intent: Schema.Struct({
      enabled: Schema.Boolean,
      slots: Schema.Struct(bounded),
      oneShotEligible: Schema.Boolean,
      /** `YYYY-MM-DD`; null without signals. */
      dataDate: Schema.NullOr(Schema.String),
    }).annotate({ identifier: "IntentAccess" }),
  }).annotate({ identifier: "AccountStatus" }),
) {}

/** An organization without pixels can be healthy. */ // spec 2.5
const isHealthy = (status: OrganizationStatus, remaining: number | null): boolean =>
  mayUse(status) && remaining !== 0

/** If a limit was lowered below the usage, nothing is left. */
const remainingOf = (used: number, limit: number | null): number | null =>
  limit === null ? null : Math.max(0, limit - used)

// How much of its intent access an organization uses. A later room implements it (spec 2.5).
export class IntentUse extends Context.Service<
  IntentUse,
  {
    /** Active audiences that take a slot, and the data date, `YYYY-MM-DD`, null without signals. */
    of(
      organizationId: string,
    ): Effect.Effect<{ readonly slotsUsed: number; readonly dataDate: string | null }>
  }
>()("@footfall/server/account/IntentUse") {}
