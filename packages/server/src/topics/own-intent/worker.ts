// Looks once a minute whether a day has ended, so own intent is counted between 00:15 and 00:16 UTC, or
// as soon as a server runs again. A failure is logged and tried again the next minute.
import { Effect, Layer } from "effect"
import { OwnIntent } from "./own-intent.ts"

const lookInterval = "1 minute"

export const OwnIntentWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const ownIntent = yield* OwnIntent
    yield* ownIntent.workOff.pipe(
      Effect.catchCause((cause) => Effect.logError("own intent not counted", cause)),
      Effect.andThen(Effect.sleep(lookInterval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
