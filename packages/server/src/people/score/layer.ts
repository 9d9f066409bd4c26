// Wires the scores together.
import { Layer } from "effect"
import { ScoreComputing } from "./computing.ts"
import { ScoreComputingStore } from "./computing-store.ts"
import { Scores } from "./scores.ts"
import { ScoreStore } from "./store.ts"

export { ScoreWorker } from "./computing.ts"
export { ScoreHandlers } from "./handlers.ts"

export const ScoreServices = Layer.mergeAll(
  Layer.provide(ScoreComputing.layer, ScoreComputingStore.layer),
  Layer.provide(Scores.layer, ScoreStore.layer),
)
