// Splits long CPU work into short pieces, so the process can answer requests in between.
import { Clock, Effect } from "effect"

/** Maximum length of a piece. Units: nanoseconds, here 5 milliseconds. */
const turnNanos = 5_000_000n

/** Does the work on each item, in order. A single item is never split. */
export const inTurns = Effect.fnUntraced(function* <A>(
  items: Iterable<A>,
  work: (item: A) => void,
) {
  const clock = yield* Clock.Clock
  let begun = clock.currentTimeNanosUnsafe()
  for (const item of items) {
    work(item)
    if (clock.currentTimeNanosUnsafe() - begun < turnNanos) continue
    yield* Effect.yieldNow
    begun = clock.currentTimeNanosUnsafe()
  }
})
