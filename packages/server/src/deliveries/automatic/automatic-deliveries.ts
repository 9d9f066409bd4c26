// What a completed run sets off here: a delivery to every active destination that has had its first one.
import { Effect } from "effect"
import { JobWakes } from "../../jobs/wakes.ts"
import type { RunCompletion } from "../../runs/run.ts"
import { deliveryQueue } from "../delivery.ts"
import { AutomaticDeliveryStore } from "./store.ts"

/** The part of deliveries in the completion of a run. A wake that comes before the commit costs a poll. */
export const automaticDeliveries = Effect.gen(function* () {
  const store = yield* AutomaticDeliveryStore
  const wakes = yield* JobWakes
  return {
    completed: (run) => Effect.andThen(store.queue(run), wakes.wake(deliveryQueue)),
  } satisfies RunCompletion["Service"]
})
