// Brings the aliases of numbers up to date before someone counts people: after a change of addresses or
// numbers at once, and for addresses seen in visits a minute later at most. Making them may take longer than a
// request may. So whoever asks for those of an owner in this process waits for the same run, without a connection,
// and only for a bounded time; the run goes on for whoever asks next.
import { Context, type Duration, Effect, Layer, Scope } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import { joined } from "../../people/import/data-versions.ts"
import { sharedOrganizationId } from "../../access/organization.ts"
import { RulesBusy } from "../../visitors/query/rule-turns.ts"
import type { StatementTimedOut } from "../../visitors/store.ts"
import { AliasStore } from "./store.ts"

/** Organizations whose own aliases are made at the same time, each by a connection. Our bound. */
const madeAtOnceMax = 2

/** How long the run of an organization waits for its turn. Our bound. */
const turnWait = "2 minutes"

/** Owners whose runs are remembered. Our bound. */
const rememberedMax = 1_000

type Failed = DatabaseError | StatementTimedOut | RulesBusy

export class Aliases extends Context.Service<
  Aliases,
  {
    /** Settles what is shared and what is the organization's own. Errors: RulesBusy after `wait`. */
    settle(organizationId: string, wait: Duration.Input): Effect.Effect<void, Failed>
  }
>()("@footfall/server/audiences/Aliases") {
  static readonly layer = Layer.effect(
    Aliases,
    Effect.gen(function* () {
      const store = yield* AliasStore
      const scope = yield* Effect.scope
      const runs = new Map<string, Effect.Effect<void, Failed>>()
      const { run } = makeFairTurns({
        turns: madeAtOnceMax,
        turnsOfOne: 1,
        wait: turnWait,
        busy: () => new RulesBusy(),
      })

      /** The run of another organization never keeps what is shared from being made. */
      const made = Effect.fnUntraced(function* (owner: string) {
        const known = runs.get(owner)
        if (known !== undefined) return yield* known
        const make: Effect.Effect<void, Failed> =
          owner === sharedOrganizationId ? store.make(owner) : run(owner, store.make(owner))
        const one = yield* Scope.provide(joined(make), scope)
        runs.set(owner, one)
        // What a map holds first was put in first.
        if (runs.size > rememberedMax) runs.delete(runs.keys().next().value!)
        return yield* one
      })

      return Aliases.of({
        settle: Effect.fn("Aliases.settle")(function* (organizationId, wait) {
          const owners = yield* store.outOfDate(organizationId)
          yield* Effect.timeoutOrElse(Effect.forEach(owners, made, { discard: true }), {
            duration: wait,
            orElse: () => Effect.fail(new RulesBusy()),
          })
        }),
      })
    }),
  )
}
