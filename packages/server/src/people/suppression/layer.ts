// Wires the suppression room together.
import { Layer } from "effect"
import { CycleStore } from "./cycle/store.ts"
import { Matching } from "./matching/matching.ts"
import { MatchingStore } from "./matching/store.ts"
import { OriginStore } from "./origin-store.ts"
import { SuppressionStore } from "./store.ts"
import { RuleWrites } from "./rule-writes.ts"
import { Suppression } from "./suppression.ts"

/** The stores of this room. */
export const SuppressionStores = Layer.mergeAll(
  CycleStore.layer,
  MatchingStore.layer,
  OriginStore.layer,
  SuppressionStore.layer,
)

export const SuppressionServices = Layer.mergeAll(Matching.layer, Suppression.layer).pipe(
  Layer.provideMerge(RuleWrites.layer),
)
