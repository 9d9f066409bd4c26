// Keeps identification running while its scope is open: immediately when this process has stored events, and once a
// second for events of other processes. If a pass has to wait, the next one starts in other lanes. Organizations
// handled apart each wait on their own. The worker never spins: without more to do it waits, and after a failure it
// waits a second. Failures are logged and stop nothing; closing the scope lets running transactions finish.
import { Effect, Fiber, FiberMap, FiberSet, Layer, Option, Semaphore } from "effect"
import { Arrivals } from "../../collect/visits/arrivals.ts"
import { apartMax, Identification, type PassResult } from "./identification.ts"

/** How long events stored by another process may wait. */
const pollInterval = "1 second"

/**
 * Minimum time between two batches that were not full, so that a steady trickle is processed in batches instead of one
 * by one.
 */
const restInterval = "100 millis"

/**
 * A pass that takes longer is waiting for Postgres or for a lock, so the next one starts in other lanes. A
 * process far from Postgres then identifies several times as many events.
 */
const heldUpAfter = "30 millis"

/** Concurrent passes per process, one connection each. */
const passesMax = 4

export const IdentificationWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const identification = yield* Identification
    const arrivals = yield* Arrivals
    const passes = yield* FiberSet.make<PassResult | undefined>()
    const places = yield* Semaphore.make(passesMax)
    const apart = yield* FiberMap.make<string, void>()
    const placesApart = yield* Semaphore.make(apartMax)

    /** Undefined if it failed. */
    const uninterrupted = <E>(pass: Effect.Effect<PassResult, E>) =>
      Effect.uninterruptible(pass).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("identification failed", cause), undefined),
        ),
      )

    /** Returns before its pass does if the pass has to wait. */
    const pass = Effect.gen(function* () {
      yield* places.take(1)
      const running = yield* FiberSet.run(
        passes,
        Effect.ensuring(uninterrupted(identification.pass), places.release(1)),
      )
      const ended = yield* Effect.timeoutOption(Fiber.join(running), heldUpAfter)
      if (Option.isNone(ended)) {
        running.addObserver(() => arrivals.notify())
        return { events: 0, hasMore: true }
      }
      return ended.value
    })

    /** Runs passes one after the other, with a pause after the last. */
    const runUntilIdle = (one: Effect.Effect<PassResult | undefined>) =>
      Effect.repeat(one, { while: (result) => result?.hasMore === true }).pipe(
        Effect.flatMap((last) => Effect.sleep(last === undefined ? pollInterval : restInterval)),
      )
    const runApart = (organizationId: string) =>
      runUntilIdle(placesApart.withPermit(uninterrupted(identification.passApart(organizationId))))

    yield* Effect.timeoutOption(arrivals.next, pollInterval).pipe(
      Effect.andThen(runUntilIdle(pass)),
      Effect.forever,
      Effect.forkScoped,
    )
    yield* identification.apart.pipe(
      Effect.flatMap((organizationIds) =>
        Effect.forEach(
          organizationIds,
          (id) => FiberMap.run(apart, id, runApart(id), { onlyIfMissing: true }),
          { discard: true },
        ),
      ),
      Effect.andThen(Effect.sleep(restInterval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
