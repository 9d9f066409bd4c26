// Applies the retention of delivery records and payloads, and cleans up after deleted webhooks (spec 1.2, 1.8). Safe to
// run in several processes.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { PageViewStore } from "../triggers/page-view-store.ts"
import { rememberedSessionDays, SessionEndStore } from "../triggers/session-end-store.ts"
import { WebhookRetentionStore } from "./store.ts"
import { every } from "../../../platform/jobs/every.ts"

/** `WEBHOOK_LOG_DAYS` and `WEBHOOK_PAYLOAD_DAYS`. */ // spec 1.2
export const WebhookDays = Context.Reference<{
  readonly log: number
  readonly payload: number
}>("@footfall/server/webhooks/WebhookDays", { defaultValue: () => ({ log: 30, payload: 7 }) })

/** Rows per statement. */
const rowsMax = 5_000

const make = Effect.gen(function* () {
  const store = yield* WebhookRetentionStore
  const ends = yield* SessionEndStore
  const pageViews = yield* PageViewStore
  const days = yield* WebhookDays

  const all = (batch: Effect.Effect<number, DatabaseError>) =>
    Effect.repeat(batch, { while: (rows) => rows === rowsMax })

  /** Deletes everything past its retention. Fails with DatabaseError; the next run deletes the rest. */
  const apply = Effect.forEach(
    [
      store.forgetPayloads(days.payload, rowsMax),
      store.deleteRecords(days.log, rowsMax),
      store.skipOfDeleted(rowsMax),
      store.forgetOfDeleted(rowsMax),
      store.forgetQuestionsOfDeleted(rowsMax),
      store.forgetCompaniesOfDeleted(rowsMax),
      store.forgetCompanies(rowsMax),
      store.deleteDeleted(rowsMax),
      ends.forgetSessions(rowsMax),
      pageViews.forgetSessions(rememberedSessionDays, rowsMax),
    ],
    all,
    { discard: true },
  ).pipe(Effect.withSpan("WebhookRetention.apply"))

  return { apply }
})

export class WebhookRetention extends Context.Service<
  WebhookRetention,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/WebhookRetention") {
  static readonly layer = Layer.effect(WebhookRetention, make)
}

/** Runs every minute, so data of a deleted webhook is deleted soon. */
export const WebhookRetentionWorker = Layer.effectDiscard(
  every(
    "1 minute",
    "could not apply webhook retention",
    Effect.flatMap(WebhookRetention, ({ apply }) => apply),
  ),
)
