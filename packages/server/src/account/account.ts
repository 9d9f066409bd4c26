// The state of an organization. Available at any time, also while the organization is suspended or expired (spec 2.5,
// 5.3).
import { Context, Effect, Layer } from "effect"
import { type AccountStatus, IntentUse, isHealthy, remainingOf } from "./account-status.ts"
import { type AccountRow, AccountStore } from "./store.ts"

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
