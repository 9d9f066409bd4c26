// Removes site analyses that are no longer kept, once an hour, from the start on.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { SiteAnalysisStore } from "./store.ts"

export const SiteAnalysisRetentionWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "site analyses not pruned",
    Effect.flatMap(SiteAnalysisStore, ({ prune }) => prune),
  ),
)
