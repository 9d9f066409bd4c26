// The two events around a delivery's contacts: `started` before the first, `completed` once the last has settled (spec
// 8.3, 8.4). Each gets as many attempts as a contact.
import { Clock, DateTime, Effect } from "effect"
import { formatsOf } from "../../destinations/events/format.ts"
import {
  syncCompleted,
  type SyncOutcome,
  syncStarted,
} from "../../destinations/events/intent-event.ts"
import type { EventType, WebhookDestinationConfig } from "../../destinations/destination.ts"
import { endpointOf, type Target } from "../../destinations/targets/target.ts"
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

/** Only webhooks subscribe to events. */
const webhookOf = ({ config }: Target) => config as WebhookDestinationConfig

/** For a longer Retry-After the whole delivery is postponed. */
const isRetryable = (outcome: Outcome, isLast: boolean): boolean =>
  outcome.type === "transient" ||
  (isLast && outcome.type === "parked" && outcome.retryAfterSeconds === null)

export const makeSyncEvents = Effect.map(Outbound, (outbound) => {
  const send = Effect.fnUntraced(function* (
    target: Target,
    message: { readonly id: string; readonly body: string; readonly contentType: string },
    attemptsBefore: number,
    isLast: boolean,
  ) {
    const endpoint = endpointOf(target, webhookOf(target))
    for (let tries = 1; ; tries++) {
      const attempts = attemptsBefore + tries
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
      const format = formatsOf(webhookOf(target))("intent.audience.sync.started")
      const body = syncStarted({ id, timestamp: work.startedAt }, eventSource(work, target), format)
      return send(
        target,
        { id, body, contentType: format.contentType },
        work.startedAttempts,
        false,
      )
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
      const format = formatsOf(webhookOf(target))("intent.audience.sync.completed")
      const sync: SyncOutcome = {
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
      }
      const head = { id, timestamp: settledAt }
      const body = syncCompleted(head, eventSource(work, target), sync, format)
      const { contentType } = format
      return send(target, { id, body, contentType }, work.completedAttempts, true)
    },
  }
})
