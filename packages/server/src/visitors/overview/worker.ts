// Keeps the overview's totals up to date.
import { Effect, Layer } from "effect"
import { every } from "../../jobs/every.ts"
import { Overviews } from "./overview.ts"

export const OverviewWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { refresh } = yield* Overviews
    yield* every("2 seconds", "overview not worked out", refresh)
  }),
)
