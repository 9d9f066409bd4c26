// Wires the deliveries room together, including its hooks for earlier rooms.
import { Effect, Layer } from "effect"
import { TargetStore } from "../destinations/targets/store.ts"
import type { ErasurePart } from "../../people/erasure/later-erasure.ts"
import { every } from "../../platform/jobs/every.ts"
import { JobWakes } from "../../platform/jobs/queue.ts"
import { requestsEndWithin, work } from "../../platform/jobs/worker.ts"
import type { RunCompletion } from "../../intent/runs/run.ts"
import { Deliveries } from "./deliveries.ts"
import { deliveryQueue } from "./delivery.ts"
import { DeliveryStore } from "./store.ts"
import { Deliverer, DeliveryPlaces } from "./work/deliverer.ts"
import { DestinationErasures } from "./erasures/store.ts"
import { ErasureWork } from "./erasures/worker.ts"

export const DeliveryStores = Layer.provide(DeliveryStore.layer, TargetStore.layer)

export const DeliveryServices = Deliveries.layer

/** Works through the queue of deliveries, and forgets the batches of runs whose results are gone. */ // spec 4.4
export const DeliveryWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { forgetBatches, jobs } = yield* DeliveryStore
    yield* every("1 hour", "could not forget old batches", forgetBatches)
    const deliverer = yield* Deliverer
    const { places } = yield* DeliveryPlaces
    yield* work({
      queue: deliveryQueue,
      jobs,
      atOnce: places,
      closesWithin: requestsEndWithin,
      claim: deliverer.claim,
      perform: deliverer.perform,
      fail: deliverer.giveUp,
    })
  }),
).pipe(Layer.provide(Deliverer.layer))

/** Starts automatic deliveries when a run completes. A wake before the commit only costs a poll. */
export const automaticDeliveries = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const wakes = yield* JobWakes
  return {
    completed: (run) => Effect.andThen(store.queueAutomatic(run), wakes.wake(deliveryQueue)),
  } satisfies RunCompletion["Service"]
})

/** Carries out erasures at destinations. */ // spec 2.16.10
export const DestinationErasureWorker = Layer.effectDiscard(ErasureWork).pipe(
  Layer.provide(TargetStore.layer),
)

/**
 * What an erasure deletes from deliveries, in its own transaction. Destinations that have the person are asked to erase
 * them too.
 */
export const erasedDeliveries = Effect.gen(function* () {
  const { erase } = yield* DeliveryStore
  const erasures = yield* DestinationErasures
  return ((person) => {
    const { addresses, organizationId } = person
    const hashes = addresses.map(({ emailHash }) => emailHash)
    return Effect.andThen(erasures.queue(person, hashes), erase(organizationId, hashes))
  }) satisfies ErasurePart
})
