// Writes down what becomes of a delivery's contacts while others are sent: part after part, in the order of
// the batches, so that at most a hundred contacts are begun and not written down. Ends with its scope.
// A half of a batch is written down alone where that is quicker than sending the other: with a slow database
// two writes would take twice the time of one.
import { Clock, Deferred, Effect, Fiber, Semaphore, Stream } from "effect"
import type { Claim, ClaimLost } from "../../jobs/queue.ts"
import { batchSize } from "../delivery.ts"
import type { PlannedContact } from "../plan.ts"
import type { BatchProgress } from "../sending/batch-progress.ts"
import type { DeliveryStore } from "../store.ts"
import type { DeliveryWork } from "./delivery-work.ts"

/** For recording the result of a batch when the work is ended from outside. */
const interruptedMsMax = 2_000

/** Settled contacts that may be written down while others are sent. */
const partSize = batchSize / 2

/** A batch that is being sent. */
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
  let present: Batch | undefined
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

  /** Asks for it to be written down, after all that was asked for before. */
  const ask = Effect.fnUntraced(function* (batch: Batch) {
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
    /** Fails as soon as something cannot be written down. */
    broken: Deferred.await(broken),
    /** The delivery as it was written down last. */
    work: () => work,

    /** Lets a batch settle, and gives the fiber that ends when all of it is written down. */
    settle: Effect.fnUntraced(function* (batch: Batch, settled: Stream.Stream<PlannedContact>) {
      const { progress } = batch
      present = batch
      let isHalfDecided = false
      yield* Stream.runForEach(settled, () => {
        if (isHalfDecided || progress.isWhole || progress.settled < partSize) return Effect.void
        isHalfDecided = true
        const sendingMs = clock.currentTimeMillisUnsafe() - (progress.begunAt ?? 0)
        return writingMs > sendingMs ? Effect.void : ask(batch)
      })
      return yield* ask(batch)
    }),

    /** Records the result of the current batch, when the work is ended from outside. */
    interrupted: Effect.suspend(() =>
      present?.progress.hasNews === true ? ask(present) : Effect.succeed(last),
    ).pipe(Effect.flatMap(Fiber.await), Effect.timeoutOption(interruptedMsMax), Effect.asVoid),
  }
})
