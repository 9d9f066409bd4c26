// The part of kept results in an erasure: at once, though it would have 24 hours (spec 5.1).
import { Effect } from "effect"
import type { ErasurePart } from "../../identification/erasure/later-erasure.ts"
import { ResultErasureStore } from "./erasure-store.ts"

export const erasedResults = Effect.map(
  ResultErasureStore,
  (store): ErasurePart =>
    ({ addresses, organizationId }) =>
      store.erase(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
