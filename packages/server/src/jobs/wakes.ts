// Signals that this process has queued something, which wakes the queue's worker early. Work queued by other processes
// is found by polling, so a lost signal only costs one poll.
import { Context, Effect, Latch, Layer } from "effect"
import type { Queue } from "./queue.ts"

export class JobWakes extends Context.Service<
  JobWakes,
  {
    /** Call it after the commit. Never blocks and never fails. */
    wake(queue: Queue): Effect.Effect<void>
    /** Waits until the queue has been woken since this last returned. */
    next(queue: Queue): Effect.Effect<void>
  }
>()("@footfall/server/jobs/JobWakes") {
  static readonly layer = Layer.sync(JobWakes, () => {
    const latches = new Map<string, Latch.Latch>()
    const latchOf = ({ table }: Queue): Latch.Latch => {
      const known = latches.get(table)
      if (known !== undefined) return known
      const latch = Latch.makeUnsafe()
      latches.set(table, latch)
      return latch
    }
    return JobWakes.of({
      wake: (queue) => Effect.sync(() => latchOf(queue).openUnsafe()),
      next: (queue) =>
        Effect.suspend(() => Effect.andThen(latchOf(queue).await, latchOf(queue).close)),
    })
  })
}
