// Keeps identification going for as long as its scope is open: at once when this process has stored
// events, and once a second for what other processes stored. What is worked at apart has a loop of its own,
// for it waits for others. Never busy: when nothing more is to be done at once it waits again, and after a
// failure a second. A failure is logged and stops nothing; closing the scope lets the running transactions
// end first.
import { Effect, Layer } from "effect"
import { Arrivals } from "../visits/arrivals.ts"
import { Identification, type PassResult } from "./identification.ts"

/** How long events stored by another process may wait. */
const pollInterval = "1 second"

/**
 * The least time between two batches that were not full, so that a steady trickle is worked off in
 * batches and not event by event.
 */
const restInterval = "100 millis"

export const IdentificationWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const identification = yield* Identification
    const arrivals = yield* Arrivals

    const workOff = <E>(pass: Effect.Effect<PassResult, E>) =>
      Effect.uninterruptible(pass).pipe(
        Effect.repeat({ while: ({ hasMore }) => hasMore }),
        Effect.tap(() => Effect.sleep(restInterval)),
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logError("identification failed", cause),
            Effect.sleep(pollInterval),
          ),
        ),
      )

    yield* Effect.timeoutOption(arrivals.next, pollInterval).pipe(
      Effect.andThen(workOff(identification.pass)),
      Effect.forever,
      Effect.forkScoped,
    )
    yield* workOff(identification.passApart).pipe(Effect.forever, Effect.forkScoped)
  }),
)
