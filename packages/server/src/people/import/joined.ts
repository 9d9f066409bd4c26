// One run of an effect for all who ask for it at once. Who asks while a run is under way is not answered
// from it but waits for the next one, together with everyone else who does: an answer is never older
// than its question, and however many ask, there are two runs at most, one under way and one to come.
import { Deferred, Effect, type Scope, Semaphore } from "effect"

export const joined = Effect.fnUntraced(function* <A, E>(
  run: Effect.Effect<A, E>,
): Effect.fn.Return<Effect.Effect<A, E>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const turn = yield* Semaphore.make(1)
  let toCome: Deferred.Deferred<A, E> | undefined
  const begin = (answer: Deferred.Deferred<A, E>) =>
    Effect.suspend(() => {
      toCome = undefined
      return run
    }).pipe(turn.withPermit, Deferred.into(answer))
  return Effect.gen(function* () {
    if (toCome !== undefined) return yield* Deferred.await(toCome)
    const answer = Deferred.makeUnsafe<A, E>()
    toCome = answer
    // Of the scope, not of the one who asks first: that one may go away before the others.
    yield* Effect.uninterruptible(Effect.forkIn(begin(answer), scope))
    return yield* Deferred.await(answer)
  })
})
