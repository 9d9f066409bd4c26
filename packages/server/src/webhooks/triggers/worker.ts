// Tells webhooks of sessions that have ended: 30 minutes after their last event, and a few seconds
// (spec 8.5). Replicas take turns. A failure is logged and tried again.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { JobWakes } from "../../jobs/wakes.ts"
import { webhookQueue } from "../sending/queue.ts"
import { Triggers } from "./triggers.ts"

/** Sessions of one transaction, between which others get the turn of the organization. */
export const endedPerBatchMax = 1_000

export const SessionEndWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const triggers = yield* Triggers
    const wakes = yield* JobWakes

    const pullDue = Effect.uninterruptible(triggers.pullEnded(endedPerBatchMax)).pipe(
      Effect.tap((ended) => (ended > 0 ? wakes.wake(webhookQueue) : Effect.void)),
      Effect.repeat({ while: (ended) => ended >= endedPerBatchMax }),
    )
    yield* every("5 seconds", "ends of sessions not told", pullDue)
  }),
)
