// Keeps identification going for as long as its scope is open: at once when this process has stored
// events, and once a second for what other processes stored. One pass follows the other; a pass that something
// holds up does not keep this process from the next, at other lanes. Organizations that are worked at apart
// wait for others, each by itself. Never busy: when nothing more is to be done at once it waits again,
// and after a failure a second. A failure is logged and stops nothing; closing the scope lets the running
// transactions end first.
import { Effect, Fiber, FiberMap, FiberSet, Layer, Option, Semaphore } from "effect"
import { Arrivals } from "../visits/arrivals.ts"
import { apartMax, Identification, type PassResult } from "./identification.ts"

/** How long events stored by another process may wait. */
const pollInterval = "1 second"

/**
 * The least time between two batches that were not full, so that a steady trickle is worked off in
 * batches and not event by event.
 */
const restInterval = "100 millis"

/** A pass that takes longer is left to itself, and the next one begins. A turn is to take 200 ms. */
const heldUpAfter = "500 millis"

/** Passes of one process at the same time, each with a connection. Our bound. */
const passesMax = 3

export const IdentificationWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const identification = yield* Identification
    const arrivals = yield* Arrivals
    const passes = yield* FiberSet.make<PassResult | undefined>()
    const places = yield* Semaphore.make(passesMax)
    const apart = yield* FiberMap.make<string, void>()
    const placesApart = yield* Semaphore.make(apartMax)

    /** Undefined: it failed. */
    const whole = <E>(pass: Effect.Effect<PassResult, E>) =>
      Effect.uninterruptible(pass).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("identification failed", cause), undefined),
        ),
      )

    /** Ends before its pass does when that is held up. */
    const pass = Effect.gen(function* () {
      yield* places.take(1)
      const running = yield* FiberSet.run(
        passes,
        Effect.ensuring(whole(identification.pass), places.release(1)),
      )
      const ended = yield* Effect.timeoutOption(Fiber.join(running), heldUpAfter)
      if (Option.isNone(ended)) {
        running.addObserver(() => arrivals.notify())
        return { events: 0, hasMore: true }
      }
      return ended.value
    })

    /** One after the other, and a rest after the last. */
    const workOff = (one: Effect.Effect<PassResult | undefined>) =>
      Effect.repeat(one, { while: (result) => result?.hasMore === true }).pipe(
        Effect.flatMap((last) => Effect.sleep(last === undefined ? pollInterval : restInterval)),
      )
    const workOffApart = (organizationId: string) =>
      workOff(placesApart.withPermit(whole(identification.passApart(organizationId))))

    yield* Effect.timeoutOption(arrivals.next, pollInterval).pipe(
      Effect.andThen(workOff(pass)),
      Effect.forever,
      Effect.forkScoped,
    )
    yield* identification.apart.pipe(
      Effect.flatMap((organizationIds) =>
        Effect.forEach(
          organizationIds,
          (id) => FiberMap.run(apart, id, workOffApart(id), { onlyIfMissing: true }),
          { discard: true },
        ),
      ),
      Effect.andThen(Effect.sleep(restInterval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
