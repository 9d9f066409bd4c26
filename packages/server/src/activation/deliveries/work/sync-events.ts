// The two events around a delivery's contacts: `started` before the first, `completed` once the last has settled (spec
// 8.3, 8.4). Each gets as many attempts as a contact.
import { Clock, DateTime, Effect } from "effect"
import { syncCompleted, syncStarted } from "../../destinations/events/intent-event.ts"
import type { EventType } from "../../destinations/destination.ts"
import type { Target } from "../../destinations/targets/target.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { messageIdOf } from "../../../platform/outbound/signing.ts"
import { contactWaitsMs } from "../sending/batch.ts"
import { contactAttemptsMax } from "../sending/batch-progress.ts"
import { postEvent } from "../sending/route.ts"
import type { Outcome } from "../sending/outcome.ts"
import { type DeliveryWork, type Ending, eventSource } from "../delivery-work.ts"

export interface EventSent {
  readonly outcome: Outcome
  /** All recorded attempts, including the current ones. */
  readonly attempts: number
}

const millisecondsOf = (at: string): number => DateTime.makeUnsafe(at).epochMilliseconds

export const subscribes = ({ config }: Target, event: EventType): boolean =>
  config.destinationType === "webhook" && config.eventTypes.includes(event)

/** For a longer Retry-After the whole delivery is postponed. */
const isRetryable = (outcome: Outcome, isLast: boolean): boolean =>
  outcome.type === "transient" ||
  (isLast && outcome.type === "parked" && outcome.retryAfterSeconds === null)

export const makeSyncEvents = Effect.map(Outbound, (outbound) => {
  const send = Effect.fnUntraced(function* (
    { config, secrets }: Target,
    message: { readonly id: string; readonly body: string },
    attemptsBefore: number,
    isLast: boolean,
  ) {
    // Only webhooks subscribe to events.
    const { timeoutMs, url } = config as Extract<typeof config, { url: string }>
    for (let tries = 1; ; tries++) {
      const attempts = attemptsBefore + tries
      const endpoint = { url, timeoutMs, secrets }
      const at = yield* Clock.currentTimeMillis
      const outcome = yield* postEvent(outbound, endpoint, { ...message, attempt: attempts, at })
      if (!isRetryable(outcome, isLast) || tries === contactAttemptsMax)
        return { outcome, attempts }
      const retryAfterSeconds = outcome.type === "transient" ? outcome.retryAfterSeconds : null
      yield* Effect.sleep(Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000))
    }
  })

  return {
    started: (work: DeliveryWork, target: Target): Effect.Effect<EventSent> => {
      const id = messageIdOf(work.deliveryId, "intent.audience.sync.started", "")
      const body = syncStarted({ id, timestamp: work.startedAt }, eventSource(work, target))
      return send(target, { id, body }, work.startedAttempts, false)
    },

    /** `settledAt`: when the last contact settled, which is the time of completion. */
    completed: (
      work: DeliveryWork,
      target: Target,
      { error, status }: Ending,
      settledAt: string,
    ): Effect.Effect<EventSent> => {
      const { failedCount: failed, sentCount: sent, skippedCount: skipped, startedAt } = work
      const id = messageIdOf(work.deliveryId, "intent.audience.sync.completed", "")
      const body = syncCompleted({ id, timestamp: settledAt }, eventSource(work, target), {
        status: status === "completed" ? "completed" : "failed",
        counts: {
          source: work.sourceCount,
          processed: sent + skipped + failed,
          sent,
          skipped,
          failed,
        },
        removedSinceBaseline: work.removedSinceBaseline,
        errorCode: error?.code ?? null,
        errorMessage: error?.message ?? null,
        startedAt,
        completedAt: settledAt,
        durationMs: millisecondsOf(settledAt) - millisecondsOf(startedAt),
      })
      return send(target, { id, body }, work.completedAttempts, true)
    },
  }
})
