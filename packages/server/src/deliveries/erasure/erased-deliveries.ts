// What an erasure takes out of deliveries, in its own transaction.
import { Effect } from "effect"
import type { ErasurePart } from "../../identification/erasure/later-erasure.ts"
import { DeliveryErasureStore } from "./store.ts"

export const erasedDeliveries = Effect.map(
  DeliveryErasureStore,
  ({ erase }): ErasurePart =>
    ({ addresses, organizationId }) =>
      erase(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
