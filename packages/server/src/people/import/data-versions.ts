// The versions of what imports bring. Whoever changes topics, signals or people raises the version in the
// same transaction, so what a process remembers of them is good for as long as the version is the same,
// whichever process changed them. Source: spec 5.7.12.
import { Context, Deferred, Effect, Layer, Scope, Semaphore } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { OnReplica } from "../../database/on-replica.ts"
import type { DataKind } from "./import-kind.ts"
import { DataVersionStore } from "./store.ts"

// One run of an effect for all who ask for it at once. Who asks while a run is under way is not answered
// from it but waits for the next one, together with everyone else who does: an answer is never older
// than its question, and however many ask, there are two runs at most, one under way and one to come.

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
    // Of the scope, not of the one who asks first: that one may go away before the others, or read from a replica.
    const run = Effect.provideService(begin(answer), OnReplica, false)
    yield* Effect.uninterruptible(Effect.forkIn(run, scope))
    return yield* Deferred.await(answer)
  })
})

const make = Effect.gen(function* () {
  const store = yield* DataVersionStore
  const scope = yield* Effect.scope

  /**
   * What `load` gives, loaded again only after data of one of the kinds has changed.
   *
   * *Guarantee*: never older than the last change that was committed when it was asked for; one
   * load at a time, and one look-up for all who ask at once. A failure is not remembered.
   */
  const remember = Effect.fnUntraced(function* <A, E>(
    kinds: ReadonlyArray<DataKind>,
    load: Effect.Effect<A, E>,
  ) {
    let known: { readonly version: string; readonly value: A } | undefined
    /** The version is read first: what changes while it loads is loaded the next time. */
    const current = Effect.gen(function* () {
      const version = yield* store.of(kinds)
      if (known?.version !== version) known = { version, value: yield* load }
      return known.value
    })
    return yield* Effect.provideService(joined(current), Scope.Scope, scope)
  })

  return {
    /** One text for the versions of these kinds: equal texts, equal data. Costs one small look-up. */
    of: (...kinds: ReadonlyArray<DataKind>): Effect.Effect<string, DatabaseError> =>
      store.of(kinds),
    /** As `of`, for the people of these owners alone: organizations, or `sharedOrganizationId`. */
    ofPeople: (...owners: ReadonlyArray<string>): Effect.Effect<string, DatabaseError> =>
      store.ofPeople(owners),
    /** Part of the transaction that changed data of the kind of an owner; best its last statement. */
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
  "@footfall/server/people/DataVersions",
) {
  static readonly layer = Layer.effect(DataVersions, make)
}
