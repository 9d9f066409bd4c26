// Works off the queue of deliveries (spec 4.4). Most of the time a delivery waits for an endpoint, so
// a process works at many.
import { Effect, Layer } from "effect"
import { work } from "../jobs/worker.ts"
import { deliveryQueue } from "./delivery.ts"
import { Deliverer } from "./work/deliverer.ts"
import { DeliveryWorkStore } from "./work/store.ts"

const deliveriesAtOnce = 60

export const DeliveryWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { jobs } = yield* DeliveryWorkStore
    const deliverer = yield* Deliverer
    yield* work({
      queue: deliveryQueue,
      jobs,
      atOnce: deliveriesAtOnce,
      claim: jobs.claim,
      perform: deliverer.perform,
      fail: deliverer.giveUp,
    })
  }),
)
