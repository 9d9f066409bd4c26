// Looks for daily runs that are due once a minute, from the start on (spec 4.2.3). A failure is logged and
// tried again the next minute.
import { Effect, Layer } from "effect"
import { DailyRuns } from "./daily-runs.ts"

const interval = "1 minute"

export const DailyRunWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const daily = yield* DailyRuns
    yield* daily.start.pipe(
      Effect.catchCause((cause) => Effect.logError("daily runs not started", cause)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
