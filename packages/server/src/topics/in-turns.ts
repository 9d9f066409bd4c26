// Long work of the processor in short pieces, between which the process answers other requests.
import { Clock, Effect } from "effect"

/** How long a piece may take before others get their turn. Units: nanoseconds, here 5 milliseconds. */
const turnNanos = 5_000_000n

/** Does the work on each item, in order. One item is never divided. */
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
