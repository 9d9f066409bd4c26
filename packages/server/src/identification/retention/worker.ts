// Applies retention once an hour, from the start on. A failure is logged and tried again the next hour.
import { Effect, Layer } from "effect"
import { Retention } from "./retention.ts"

const interval = "1 hour"

export const RetentionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const retention = yield* Retention
    yield* retention.apply.pipe(
      Effect.catchCause((cause) => Effect.logError("retention not applied", cause)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
