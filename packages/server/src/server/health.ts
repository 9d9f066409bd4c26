// What the front page says of this server's health. Anyone may ask, so the database is asked at most once in five seconds.
import { Context, Effect } from "effect"
import { Migrations } from "../database/migrations.ts"
import { remembered } from "../database/remembered.ts"
import { ConnectionWait, requestWaitMs } from "../database/statement-limits.ts"
import type { Health } from "../http/front-page.ts"
import { MetricsStore } from "../metrics/store.ts"

const freshness = "5 seconds"

const answerMax = "2 seconds"

/** Page views are worked off within seconds; this long means that no worker takes them. */
const lagMaxSeconds = 60

export const makeHealth = Effect.gen(function* () {
  const { inbox } = yield* MetricsStore
  const context = yield* Effect.context<Effect.Services<typeof Migrations.isCurrent>>()
  const health: Effect.Effect<Health> = Effect.gen(function* () {
    if (!(yield* Migrations.isCurrent)) return "unreachable"
    const { lagSeconds } = yield* inbox
    return lagSeconds > lagMaxSeconds ? "behind" : "ready"
  }).pipe(
    Effect.timeout(answerMax),
    Effect.catchCause(() => Effect.succeed<Health>("unreachable")),
    Effect.provideContext(Context.add(context, ConnectionWait, requestWaitMs)),
  )
  return yield* remembered(health, freshness)
})
