// The signal that this process has put something in a queue. It only wakes the queue's worker early: what
// other processes put there is found by looking, so a lost signal costs a poll.
import { Context, Effect, Latch, Layer } from "effect"
import type { Queue } from "./queue.ts"

export class JobWakes extends Context.Service<
  JobWakes,
  {
    /** Called after a commit; never blocks, never fails. */
    wake(queue: Queue): Effect.Effect<void>
    /** Waits until the queue was woken since the last time this returned. */
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
