// Version numbers of imported data. Every transaction that changes topics, signals or people raises their version.
// So a process can cache what it read for as long as the version stays the same, no matter which process makes the
// changes. Source: spec 5.7.12.
import { Context, Deferred, Effect, Layer, Scope, Semaphore } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { OnReplica } from "../../platform/database/on-replica.ts"
import type { DataKind } from "./import-kind.ts"
import { ImportsStore } from "./store.ts"

// Shares one run of an effect among concurrent callers. A caller that arrives during a run waits for the next run,
// together with all others that arrive meanwhile, so a result is never older than its request. At most two runs
// exist at a time: the current one and the next one.

export const joined = Effect.fnUntraced(function* <A, E>(
  run: Effect.Effect<A, E>,
): Effect.fn.Return<Effect.Effect<A, E>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const turn = yield* Semaphore.make(1)
  let next: Deferred.Deferred<A, E> | undefined
  const begin = (answer: Deferred.Deferred<A, E>) =>
    Effect.suspend(() => {
      next = undefined
      return run
    }).pipe(turn.withPermit, Deferred.into(answer))
  return Effect.gen(function* () {
    if (next !== undefined) return yield* Deferred.await(next)
    const answer = Deferred.makeUnsafe<A, E>()
    next = answer
    // Runs in the outer scope: the first caller may be interrupted before the others, or may read from a replica.
    const run = Effect.provideService(begin(answer), OnReplica, false)
    yield* Effect.uninterruptible(Effect.forkIn(run, scope))
    return yield* Deferred.await(answer)
  })
})

const make = Effect.gen(function* () {
  const store = yield* ImportsStore
  const scope = yield* Effect.scope

  /**
   * Caches the result of `load` until data of one of the kinds changes.
   *
   * *Guarantee*: the result is never older than the last change committed before the call. One load runs at a time,
   * and concurrent callers share one lookup. A failure is not cached.
   */
  const remember = Effect.fnUntraced(function* <A, E>(
    kinds: ReadonlyArray<DataKind>,
    load: Effect.Effect<A, E>,
  ) {
    let known: { readonly version: string; readonly value: A } | undefined
    /** Reads the version first, so a change during the load causes another load next time. */
    const current = Effect.gen(function* () {
      const version = yield* store.current(kinds)
      if (known?.version !== version) known = { version, value: yield* load }
      return known.value
    })
    return yield* Effect.provideService(joined(current), Scope.Scope, scope)
  })

  return {
    /** Returns one text for the versions of these kinds: equal texts mean equal data. Costs one small lookup. */
    current: (...kinds: ReadonlyArray<DataKind>): Effect.Effect<string, DatabaseError> =>
      store.current(kinds),
    /** Like `current`, for the people of these owners only: organizations, or `sharedOrganizationId`. */
    currentPeople: (...owners: ReadonlyArray<string>): Effect.Effect<string, DatabaseError> =>
      store.currentPeople(owners),
    /** Call this in the transaction that changes the owner's data of this kind, preferably as its last statement. */
    raise: (
      ...[kind, owner]: [kind: Exclude<DataKind, "people">] | [kind: DataKind, owner: string]
    ): Effect.Effect<void, DatabaseError> =>
      kind === "people" && owner !== undefined
        ? Effect.andThen(store.raise(kind), store.raisePeople(owner))
        : store.raise(kind),
    remember,
  }
})

export class DataVersions extends Context.Service<DataVersions, Effect.Success<typeof make>>()(
  "@footfall/server/imports/DataVersions",
) {
  static readonly layer = Layer.effect(DataVersions, make)
}
