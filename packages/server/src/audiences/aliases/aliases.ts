// Brings the aliases of numbers up to date before somebody counts people: after an import, and for what
// visits tell of addresses a minute later at most. Who is not up to date waits for whoever makes them.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { DataVersions } from "../../people/import/data-versions.ts"
import { sharedOrganizationId } from "../../people/import/import-kind.ts"
import type { StatementTimedOut } from "../../visitors/store.ts"
import { AliasStore } from "./store.ts"

/** How long ago aliases of an organization's own may have been made. Our bound, as a sync cycle. */
const ownSecondsMax = 60
/** What is shared changes by imports alone. */
const sharedSecondsMax = 86_400

export class Aliases extends Context.Service<
  Aliases,
  {
    /** Settles what is shared and what is the organization's own. */
    settle(organizationId: string): Effect.Effect<void, DatabaseError | StatementTimedOut>
  }
>()("@footfall/server/audiences/Aliases") {
  static readonly layer = Layer.effect(
    Aliases,
    Effect.gen(function* () {
      const store = yield* AliasStore
      const versions = yield* DataVersions

      const settleOne = Effect.fnUntraced(function* (
        organizationId: string,
        basis: string,
        secondsMax: number,
      ) {
        if (yield* store.isMadeOf(organizationId, basis, secondsMax)) return
        yield* store.make(organizationId, basis, secondsMax)
      })

      return Aliases.of({
        settle: Effect.fn("Aliases.settle")(function* (organizationId: string) {
          const basis = `${yield* versions.of("people")} ${yield* store.newestNumber}`
          yield* settleOne(sharedOrganizationId, basis, sharedSecondsMax)
          yield* settleOne(organizationId, basis, ownSecondsMax)
        }),
      })
    }),
  )
}
