// The versions of what imports bring. Whoever changes topics, signals or people raises the version in the
// same transaction, so what a process remembers of them is good for as long as the version is the same,
// whichever process changed them. Source: spec 5.7.12.
import { Context, Effect, Layer, Scope } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { DataKind } from "./import-kind.ts"
import { joined } from "./joined.ts"
import { DataVersionStore } from "./store.ts"

export class DataVersions extends Context.Service<
  DataVersions,
  {
    /** One text for the versions of these kinds: equal texts, equal data. Costs one small look-up. */
    of(...kinds: ReadonlyArray<DataKind>): Effect.Effect<string, DatabaseError>
    /** Part of the transaction that changed data of the kind; best its last statement. */
    raise(kind: DataKind): Effect.Effect<void, DatabaseError>
    /**
     * What `load` gives, loaded again only after data of one of the kinds has changed.
     *
     * *Guarantee*: never older than the last change that was committed when it was asked for; one
     * load at a time, and one look-up for all who ask at once. A failure is not remembered.
     */
    remember<A, E>(
      kinds: ReadonlyArray<DataKind>,
      load: Effect.Effect<A, E>,
    ): Effect.Effect<Effect.Effect<A, E | DatabaseError>>
  }
>()("@footfall/server/people/DataVersions") {
  static readonly layer = Layer.effect(
    DataVersions,
    Effect.gen(function* () {
      const store = yield* DataVersionStore
      const scope = yield* Effect.scope

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

      return DataVersions.of({ of: (...kinds) => store.of(kinds), raise: store.raise, remember })
    }),
  )
}
