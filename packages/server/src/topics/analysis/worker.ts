// Removes site analyses that are kept no longer, once an hour, from the start on. A failure is logged and tried again
// the next hour.
import { Effect, Layer } from "effect"
import { SiteAnalysisStore } from "./store.ts"

const interval = "1 hour"

export const SiteAnalysisRetentionWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* SiteAnalysisStore
    yield* store.prune.pipe(
      Effect.catchCause((cause) => Effect.logError("site analyses not pruned", cause)),
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
