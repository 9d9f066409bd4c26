// Takes away old results once an hour, from the start on, one run after the other. A failure is logged and
// tried again the next hour.
import { Effect, Layer } from "effect"
import { ResultRetentionStore } from "./store.ts"

const interval = "1 hour"

export const ResultRetentionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ResultRetentionStore
    yield* store.removeOne.pipe(
      Effect.repeat({ while: (mayBeMore) => mayBeMore }),
      Effect.catchCause((cause) => Effect.logError("old results not removed", cause)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
