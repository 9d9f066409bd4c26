// Sends session-end events a few seconds after they are due, 30 minutes after a session's last event (spec 8.5).
// Processes take turns. Logs failures and retries.
import { Effect, Layer } from "effect"
import { Occasions } from "../../../people/visitors/occasions.ts"
import { every } from "../../../platform/jobs/every.ts"
import { JobWakes } from "../../../platform/jobs/queue.ts"
import { SessionEndStore } from "./session-end-store.ts"
import { TriggerStore } from "./store.ts"

/** Sessions per transaction; other work gets the organization's turn in between. */
const endedPerBatchMax = 1_000

/**
 * Announces ended sessions, at most `limit` per organization, each organization in its own transaction. Returns how
 * many.
 */
export const announceEnded = Effect.fnUntraced(function* (limit: number) {
  const ends = yield* SessionEndStore
  const occasions = yield* Occasions
  const store = yield* TriggerStore
  const counts = yield* Effect.forEach(yield* ends.organizations(limit), (organizationId) =>
    store.inTurn(
      organizationId,
      Effect.gen(function* () {
        const ended = yield* ends.ended(organizationId, limit)
        yield* occasions.announce(
          ended.map((session) => ({ ...session, kind: "session_end" as const })),
        )
        return ended.length
      }),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
})

export const SessionEndWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const occasions = yield* Occasions
    const wakes = yield* JobWakes

    const announceDue = Effect.uninterruptible(announceEnded(endedPerBatchMax)).pipe(
      Effect.tap((ended) => (ended > 0 ? wakes.wake(occasions.queue) : Effect.void)),
      Effect.repeat({ while: (ended) => ended >= endedPerBatchMax }),
    )
    yield* every("5 seconds", "could not queue session-end events", announceDue)
  }),
)
