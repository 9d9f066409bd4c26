// Limits how many rules, searches and lists of ended periods run at once, because they can be expensive: they never take
// all connections of a process, and one party never takes all turns.
import { Context, Effect, Layer, Schema } from "effect"
import { statementLimitMs } from "../../../platform/database/statement-limits.ts"
import type { StatementTimedOut } from "../../../platform/database/statement-timeout.ts"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"

/** Rule statements that run at the same time in a process. */
const statementsMax = 4

/** Rule statements of one party. */
const statementsPerPartyMax = statementsMax - 1

/** How long a statement waits for its turn, the same as its own time limit. */
const waitMax = "10 seconds"

/** Counting the people or companies of such a list gives up after this. */ // spec 5.1
export const countMsMax = 2_000

/** The statement took longer than a request may. Repeating it unchanged would fail again. */
export class QueryTooSlow extends Schema.TaggedError<QueryTooSlow>()("QueryTooSlow", {
  /** The time limit it exceeded. */
  seconds: Schema.Number,
}) {}

/** The rows of a list, or QueryTooSlow if their statement exceeded its time limit. */
export const orTooSlow = <A>(rows: Effect.Effect<A, StatementTimedOut>) =>
  Effect.catchTag(
    rows,
    "StatementTimedOut",
    () => new QueryTooSlow({ seconds: statementLimitMs / 1_000 }),
  )

/** No turn became free within the maximum wait. */
export class RulesBusy extends Schema.TaggedError<RulesBusy>()("RulesBusy", {}) {}

export class RuleTurns extends Context.Service<
  RuleTurns,
  {
    /** Runs the effect when the organization's party gets a turn. Fails with RulesBusy after 10 seconds. */
    take<A, E>(organizationId: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E | RulesBusy>
    /** Like `take`, for the rows of a list. */
    rows<A>(
      organizationId: string,
      rows: Effect.Effect<A, StatementTimedOut>,
    ): Effect.Effect<A, QueryTooSlow | RulesBusy>
  }
>()("@footfall/server/visitors/RuleTurns") {
  static readonly layer = Layer.effect(
    RuleTurns,
    Effect.gen(function* () {
      const { run } = yield* makePartyTurns({
        turns: statementsMax,
        turnsOfOne: statementsPerPartyMax,
        wait: waitMax,
        busy: () => new RulesBusy(),
      })
      return RuleTurns.of({
        take: run,
        rows: (organizationId, rows) => run(organizationId, orTooSlow(rows)),
      })
    }),
  )
}
