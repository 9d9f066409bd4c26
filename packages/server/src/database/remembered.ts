// Caches what is read from the database at most once per interval. Failures are not cached: the next caller tries
// again, so a database that returns is used at once.
import { type Duration, Effect } from "effect"

export const remembered = <A, E, R>(question: Effect.Effect<A, E, R>, duration: Duration.Input) =>
  Effect.map(Effect.cachedInvalidateWithTTL(question, duration), ([answer, forget]) =>
    Effect.onError(answer, () => forget),
  )
