// Ends requests whose time is over: one fiber looks after all that are under way, because a timer and a race
// of fibers for each would take a third of the time of sending it (Node 24, November 2026). Idle when nothing
// is under way.
import { Clock, Effect, Latch } from "effect"

/** So much later than its time a request may end. */
const tickMs = 50

/** `end`: called once, unless `cancel` comes first. */
export interface Deadline {
  cancel(): void
}

interface Due {
  readonly at: number
  readonly end: () => void
}

/** Gives what sets a deadline; looks after it for as long as the scope is open. */
export const makeDeadlines = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const underWay = yield* Latch.make()
  /** By the time they have: each in the order of beginning, which is that of ending. */
  const queues = new Map<number, Set<Due>>()

  const sweep = Effect.sync(() => {
    const now = clock.currentTimeMillisUnsafe()
    for (const [timeoutMs, queue] of queues) {
      for (const due of queue) {
        if (due.at > now) break
        queue.delete(due)
        due.end()
      }
      if (queue.size === 0) queues.delete(timeoutMs)
    }
    if (queues.size === 0) underWay.closeUnsafe()
  })
  const tick = underWay.await.pipe(Effect.andThen(Effect.sleep(tickMs)), Effect.andThen(sweep))
  yield* Effect.forkScoped(Effect.forever(tick))

  return (timeoutMs: number, end: () => void): Deadline => {
    const due = { at: clock.currentTimeMillisUnsafe() + timeoutMs, end }
    let queue = queues.get(timeoutMs)
    if (queue === undefined) queues.set(timeoutMs, (queue = new Set()))
    queue.add(due)
    underWay.openUnsafe()
    return { cancel: () => queues.get(timeoutMs)?.delete(due) }
  }
})
