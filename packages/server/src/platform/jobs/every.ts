// Repeats work while its scope is open: once immediately, then again one interval after each run ends. A failure is
// logged and the next run tries again.
import { type Duration, Effect, type Scope } from "effect"

/** Forks the work into the scope. `failure`: what to log when a run fails. */
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
