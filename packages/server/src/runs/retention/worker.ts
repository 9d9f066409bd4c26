// Removes old results once an hour, from the start on, one run after the other.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { ResultRetentionStore } from "./store.ts"

export const ResultRetentionWorker = Layer.effectDiscard(
  every(
    "1 hour",
    "old results not removed",
    Effect.flatMap(ResultRetentionStore, ({ removeOne }) =>
      Effect.repeat(removeOne, { while: (mayBeMore) => mayBeMore }),
    ),
  ),
)
