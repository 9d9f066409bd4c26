// Writes down what becomes of a delivery's contacts while others are sent: part after part, in the order of
// the batches, so that at most a hundred contacts are begun and not written down. Ends with its scope.
// A half of a batch is written down alone where that is quicker than sending the other: with a slow database
// two writes would take twice the time of one.
import { Clock, Deferred, Effect, Fiber, Semaphore } from "effect"
import type { Claim, ClaimLost } from "../../jobs/queue.ts"
import { batchSize } from "../delivery.ts"
import type { BatchProgress } from "../sending/batch-progress.ts"
import type { DeliveryWork } from "./delivery-work.ts"
import type { DeliveryWorkStore } from "./store.ts"

/** For writing down what a batch came to when the work is ended from outside. */
const lastWordsMsMax = 2_000

/** A batch that is being sent. */
export interface Batch {
  readonly index: number
  /** When its first contact was. Units: milliseconds. */
  begunAt: number
  readonly progress: BatchProgress
}

export const acknowledging = Effect.fnUntraced(function* (
  store: DeliveryWorkStore["Service"],
  claim: Claim,
  first: DeliveryWork,
) {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const window = yield* Semaphore.make(batchSize)
  const broken = yield* Deferred.make<never, ClaimLost>()
  let work = first
  let last: Fiber.Fiber<void> = yield* Effect.forkIn(Effect.void, scope)
  let partOf: Batch | undefined
  let writingMs = 0

  const write = Effect.fnUntraced(function* ({ index, progress }: Batch) {
    // A part that was asked for may have had the last contact in it.
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

  /** After all that was asked for before. */
  const next = Effect.fnUntraced(function* (writing: Effect.Effect<void, ClaimLost>) {
    const before = last
    last = yield* Fiber.await(before).pipe(
      Effect.andThen(writing),
      Effect.catchCause((cause) => Effect.asVoid(Deferred.failCause(broken, cause))),
      Effect.forkIn(scope),
    )
    return last
  })

  return {
    window,
    /** Fails as soon as something cannot be written down. */
    broken: Deferred.await(broken),
    /** The delivery as it was written down last. */
    work: () => work,
    /** Half of a batch is settled: asks for it to be written down, if that is worth it. */
    part: (batch: Batch) =>
      Effect.suspend(() => {
        const isDecided = partOf === batch
        partOf = batch
        const sendingMs = clock.currentTimeMillisUnsafe() - batch.begunAt
        return isDecided || writingMs > sendingMs ? Effect.void : Effect.asVoid(next(write(batch)))
      }),
    /** Asks for the rest of a batch, or as much of it as there is; the fiber ends when it is written down. */
    rest: (batch: Batch) => next(write(batch)),
    /** When the work is ended from outside. */
    lastWords: (batch: Batch | undefined): Effect.Effect<void> =>
      Effect.suspend(() =>
        batch?.progress.hasNews === true ? next(write(batch)) : Effect.succeed(last),
      ).pipe(Effect.flatMap(Fiber.await), Effect.timeoutOption(lastWordsMsMax), Effect.asVoid),
  }
})
