// The room over its stores.
import { Layer } from "effect"
import { TargetStore } from "../destinations/targets/store.ts"
import { AutomaticDeliveryStore } from "./automatic/store.ts"
import { Deliveries } from "./deliveries.ts"
import { DeliveryErasureStore } from "./erasure/store.ts"
import { PlanStore } from "./planning/store.ts"
import { DeliveryStore } from "./store.ts"
import { DeliveryWorkStore } from "./work/store.ts"

/** The rows of the room. */
export const DeliveryStores = Layer.mergeAll(
  AutomaticDeliveryStore.layer,
  DeliveryErasureStore.layer,
  DeliveryStore.layer,
  Layer.provide(DeliveryWorkStore.layer, [PlanStore.layer, TargetStore.layer]),
)

export const DeliveryServices = Deliveries.layer
