// Work that a process repeats for as long as its scope is open: at once, and again an interval after each turn has
// ended. A failure is logged and stops nothing; the next turn tries again.
import { type Duration, Effect, type Scope } from "effect"

/** Forks the work into the scope. `failure`: what the log says when a turn fails. */
export const every = <E, R>(
  interval: Duration.Input,
  failure: string,
  work: Effect.Effect<unknown, E, R>,
): Effect.Effect<void, never, R | Scope.Scope> =>
  work.pipe(
    Effect.catchCause((cause) => Effect.logError(failure, cause)),
    Effect.andThen(Effect.sleep(interval)),
    Effect.forever,
    Effect.forkScoped,
    Effect.asVoid,
  )
