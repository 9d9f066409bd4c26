// Keeps person-number aliases current before people are counted: at once after addresses or numbers change, and within
// a minute for addresses seen in visits. Computing them may take longer than a request is allowed. Requests for the
// same owner therefore share one run and wait for it without a connection and for a limited time; the run continues for
// later requests.
import { Context, type Duration, Effect, Layer, Scope } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"
import { joined } from "../../../people/imports/data-versions.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import { RulesBusy } from "../../../people/visitors/query/rule-turns.ts"
import type { StatementTimedOut } from "../../../platform/database/statement-timeout.ts"
import { AliasStore } from "./store.ts"

/** Organizations whose aliases are computed at the same time, one connection each. */
const concurrencyMax = 2

/** How long an organization's run waits for its turn. */
const turnWait = "2 minutes"

/** Maximum owners whose runs are remembered. */
const rememberedMax = 1_000

type Failed = DatabaseError | StatementTimedOut | RulesBusy

export class Aliases extends Context.Service<
  Aliases,
  {
    /** Brings the shared aliases and the organization's own up to date. Errors: RulesBusy after `wait`. */
    settle(organizationId: string, wait: Duration.Input): Effect.Effect<void, Failed>
  }
>()("@footfall/server/audiences/Aliases") {
  static readonly layer = Layer.effect(
    Aliases,
    Effect.gen(function* () {
      const store = yield* AliasStore
      const scope = yield* Effect.scope
      const runs = new Map<string, Effect.Effect<void, Failed>>()
      const { run } = yield* makePartyTurns({
        turns: concurrencyMax,
        turnsOfOne: 1,
        wait: turnWait,
        busy: () => new RulesBusy(),
      })

      /** An organization's run never blocks the run for the shared aliases. */
      const computed = Effect.fnUntraced(function* (owner: string) {
        const known = runs.get(owner)
        if (known !== undefined) return yield* known
        const make: Effect.Effect<void, Failed> =
          owner === sharedOrganizationId ? store.make(owner) : run(owner, store.make(owner))
        const one = yield* Scope.provide(joined(make), scope)
        runs.set(owner, one)
        // A Map keeps insertion order.
        if (runs.size > rememberedMax) runs.delete(runs.keys().next().value!)
        return yield* one
      })

      return Aliases.of({
        settle: Effect.fn("Aliases.settle")(function* (organizationId, wait) {
          const owners = yield* store.outOfDate(organizationId)
          yield* Effect.timeoutOrElse(Effect.forEach(owners, computed, { discard: true }), {
            duration: wait,
            orElse: () => Effect.fail(new RulesBusy()),
          })
        }),
      })
    }),
  )
}
