// Applies the retention of signals once an hour, from the start on. A failure is logged and tried again
// the next hour.
import { Effect, Layer } from "effect"
import { SignalRetention } from "./signal-retention.ts"

const interval = "1 hour"

export const SignalRetentionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const retention = yield* SignalRetention
    yield* retention.apply.pipe(
      Effect.catchCause((cause) => Effect.logError("retention of signals not applied", cause)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
