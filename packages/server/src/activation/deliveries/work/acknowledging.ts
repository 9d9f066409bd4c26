// Stores the results of a delivery's contacts while others are sent: part after part, in batch order, so that at most a
// hundred contacts are started but not stored. Ends with its scope. Half a batch is stored separately only if storing
// is faster than sending the other half; with a slow database, two writes would take twice as long as one.
import { Clock, Deferred, Effect, Fiber, Semaphore } from "effect"
import type { Claim, ClaimLost } from "../../../platform/jobs/queue.ts"
import { batchSize } from "../delivery.ts"
import type { Leave } from "../sending/batch.ts"
import type { BatchProgress } from "../sending/batch-progress.ts"
import type { DeliveryStore } from "../store.ts"
import type { DeliveryWork } from "../delivery-work.ts"

/** Time limit for storing a batch's results when the work is interrupted. */
const interruptedMsMax = 2_000

/** Settled contacts that may be stored while others are sent. */
const partSize = batchSize / 2

/** A batch in progress. */
export interface Batch {
  readonly index: number
  readonly progress: BatchProgress
}

export const acknowledging = Effect.fnUntraced(function* (
  store: DeliveryStore["Service"],
  claim: Claim,
  first: DeliveryWork,
) {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const window = yield* Semaphore.make(batchSize)
  const broken = yield* Deferred.make<never, ClaimLost>()
  let work = first
  let last: Fiber.Fiber<void> = yield* Effect.forkIn(Effect.void, scope)
  let current: Batch | undefined
  let writingMs = 0

  const write = Effect.fnUntraced(function* ({ index, progress }: Batch) {
    // A previously requested part may have included the last contact.
    if (progress.isTaken) return
    const news = progress.take()
    const { acknowledgements } = work
    const settled = { ...news, batchIndex: index, acknowledgements }
    const begun = clock.currentTimeMillisUnsafe()
    const acknowledged = yield* store.acknowledge(claim, work, settled)
    writingMs = clock.currentTimeMillisUnsafe() - begun
    work = { ...work, ...acknowledged }
    yield* window.release(news.sent.length + news.failed.length)
  })

  /** Requests that the batch be stored, after everything requested before. */
  const requestWrite = Effect.fnUntraced(function* (batch: Batch) {
    const before = last
    last = yield* Fiber.await(before).pipe(
      Effect.andThen(write(batch)),
      Effect.catchCause((cause) => Effect.asVoid(Deferred.failCause(broken, cause))),
      Effect.forkIn(scope),
    )
    return last
  })

  return {
    window,
    /** Fails as soon as something can't be stored. */
    broken: Deferred.await(broken),
    /** The delivery as last stored. */
    work: () => work,

    /**
     * Lets `sending` send a batch; it calls `settled` each time a contact has settled, and `stumbled` each time an
     * attempt has failed: the first one is stored at once, so that the destination shows it. Returns the fiber that ends
     * once the whole batch is stored.
     */
    settle: Effect.fnUntraced(function* (
      batch: Batch,
      sending: (stored: Pick<Leave, "settled" | "stumbled">) => Effect.Effect<void>,
    ) {
      const { progress } = batch
      current = batch
      let isHalfDecided = false
      let hasStumbled = false
      yield* sending({
        settled: () => {
          if (isHalfDecided || progress.isWhole || progress.settled < partSize) return undefined
          isHalfDecided = true
          const sendingMs = clock.currentTimeMillisUnsafe() - (progress.begunAt ?? 0)
          return writingMs > sendingMs ? undefined : Effect.asVoid(requestWrite(batch))
        },
        stumbled: () => {
          if (hasStumbled || progress.failedAttempts === 0) return undefined
          hasStumbled = true
          return Effect.asVoid(requestWrite(batch))
        },
      })
      return yield* requestWrite(batch)
    }),

    /** Stores the current batch's results when the work is interrupted. */
    interrupted: Effect.suspend(() =>
      current?.progress.hasNews === true ? requestWrite(current) : Effect.succeed(last),
    ).pipe(Effect.flatMap(Fiber.await), Effect.timeoutOption(interruptedMsMax), Effect.asVoid),
  }
})
