// Caches a value from the database for an interval. Failures are not cached: the next caller tries again, so a
// recovered database is used at once.
import { type Duration, Effect } from "effect"

export const remembered = <A, E, R>(effect: Effect.Effect<A, E, R>, duration: Duration.Input) =>
  Effect.map(Effect.cachedInvalidateWithTTL(effect, duration), ([cached, forget]) =>
    Effect.onError(cached, () => forget),
  )
