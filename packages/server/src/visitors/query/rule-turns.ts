// Rules may be costly to ask. Only a few are worked at at once, so that they never take all connections of a process,
// and one organization never has all of their turns.
import { Context, type Effect, Layer, Schema } from "effect"
import { makeFairTurns } from "../../jobs/fair-turns.ts"

/** Statements of rules that run at the same time, of the connections of a process. Our bound. */
const statementsMax = 4

/** Those of one organization. */
const statementsPerOrganizationMax = statementsMax - 1

/** How long a statement waits for its turn. Our bound, that of a statement itself. */
const waitMax = "10 seconds"

/** The rule took longer than a request may: it will again, so it is not to be asked again as it is. */
export class QueryTooSlow extends Schema.TaggedError<QueryTooSlow>()("QueryTooSlow", {
  /** The time it had. */
  seconds: Schema.Number,
}) {}

/** Other rules took all turns for longer than one waits. */
export class RulesBusy extends Schema.TaggedError<RulesBusy>()("RulesBusy", {}) {}

export class RuleTurns extends Context.Service<
  RuleTurns,
  {
    /** Runs the effect when the organization has a turn. Errors: RulesBusy, when it got none for 10 seconds. */
    take<A, E>(organizationId: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E | RulesBusy>
  }
>()("@footfall/server/visitors/RuleTurns") {
  static readonly layer = Layer.sync(RuleTurns, () => {
    const { run } = makeFairTurns({
      turns: statementsMax,
      turnsOfOne: statementsPerOrganizationMax,
      wait: waitMax,
      busy: () => new RulesBusy(),
    })
    return RuleTurns.of({ take: run })
  })
}
