// Sends session-end events a few seconds after they are due, 30 minutes after a session's last event (spec 8.5).
// Processes take turns. Logs failures and retries.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { JobWakes } from "../../jobs/wakes.ts"
import { webhookQueue } from "../sending/queue.ts"
import { Triggers } from "./triggers.ts"

/** Sessions per transaction; other work gets the organization's turn in between. */
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
