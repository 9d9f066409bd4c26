// Brings the aliases of numbers up to date before someone counts people: after a change of addresses or
// numbers at once, and within a minute for addresses learned from visits. Who is not up to date
// waits for whoever makes them.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import type { StatementTimedOut } from "../../visitors/store.ts"
import { AliasStore } from "./store.ts"

export class Aliases extends Context.Service<
  Aliases,
  {
    /** Settles what is shared and what is the organization's own. */
    settle(organizationId: string): Effect.Effect<void, DatabaseError | StatementTimedOut>
  }
>()("@footfall/server/audiences/Aliases") {
  static readonly layer = Layer.effect(
    Aliases,
    Effect.map(AliasStore, (store) =>
      Aliases.of({
        settle: Effect.fn("Aliases.settle")(function* (organizationId: string) {
          const owners = yield* store.outOfDate(organizationId)
          yield* Effect.forEach(owners, store.make, { discard: true })
        }),
      }),
    ),
  )
}
