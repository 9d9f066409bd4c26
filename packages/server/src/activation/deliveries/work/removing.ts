// Removes who left the audience, after a delivery's contacts (spec 2.16): batch after batch, each stored before the next
// begins. At most a batch is asked about again after a crash, and notes tell its own work then.
import { Effect, Semaphore } from "effect"
import type { Target } from "../../destinations/targets/target.ts"
import { isClosing } from "../../../platform/jobs/worker.ts"
import { batchSize } from "../delivery.ts"
import { type DeliveryWork, eventSource } from "../delivery-work.ts"
import type { PlannedRemoval } from "../plan.ts"
import { sendBatch } from "../sending/batch.ts"
import { BatchProgress } from "../sending/batch-progress.ts"
import type { DeliveryStore } from "../store.ts"
import type { BatchContext, BatchesEnded } from "./batches.ts"

export const sendRemovals = Effect.fnUntraced(function* (
  store: DeliveryStore["Service"],
  { claim, closing, leaving, look, promptness, route }: BatchContext,
  first: DeliveryWork,
  firstTarget: Target,
) {
  let work = first
  let target = firstTarget
  const ended = (because: BatchesEnded["because"]): BatchesEnded => ({ work, target, because })
  for (;;) {
    const removals = yield* store.nextRemovals(work)
    if (removals.length === 0) return ended("all-settled")
    if (isClosing(closing)) return ended("pause")
    if (isClosing(leaving)) return ended("turn-over")
    const progress = new BatchProgress<PlannedRemoval, PlannedRemoval>(removals, work.streak)
    // A planned delivery has a time.
    const channel = route.removing(target, eventSource(work, target), work.removingAt!)
    yield* sendBatch(removals, channel, progress, {
      leaving,
      promptness,
      window: yield* Semaphore.make(batchSize),
      mayBeSent: () => true,
      stumbled: () => undefined,
      settled: () => undefined,
    })
    const settled = { ...progress.take(), acknowledgements: work.acknowledgements }
    work = { ...work, ...(yield* store.acknowledgeRemovals(claim, work, settled)) }
    if (progress.halt !== undefined) return ended(progress.halt)
    const looked = yield* look
    target = looked.target
    if (looked.standing !== "go") return ended(looked.standing)
  }
})
