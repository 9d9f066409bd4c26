// Rules may be costly to ask. Only a few are worked at at once, so that they never take all connections
// of a process; the others wait for a bounded time.
import { Context, Deferred, Effect, Layer, Schema, Semaphore } from "effect"

/** Statements of rules that run at the same time, of the connections of a process. Our bound. */
const statementsMax = 4
/** How long a statement waits for its turn. Our bound, that of a statement itself. */
const waitMax = "10 seconds"

/** The rule, or too many others, took longer than a request may. */
export class QueryTooCostly extends Schema.TaggedError<QueryTooCostly>()("QueryTooCostly", {
  reason: Schema.Literals(["time", "busy"]),
}) {}

export class RuleTurns extends Context.Service<
  RuleTurns,
  {
    /** Runs the effect when it has a turn. Errors: QueryTooCostly, when it got none for 10 seconds. */
    take<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | QueryTooCostly>
  }
>()("@footfall/server/visitors/RuleTurns") {
  static readonly layer = Layer.effect(
    RuleTurns,
    Effect.gen(function* () {
      const turns = yield* Semaphore.make(statementsMax)
      const take = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
        const hasTurn = yield* Deferred.make<void>()
        const worked = turns.withPermit(
          Effect.andThen(Deferred.succeed(hasTurn, undefined), effect),
        )
        const gaveUp = Effect.sleep(waitMax).pipe(
          Effect.andThen(Deferred.isDone(hasTurn)),
          Effect.flatMap((isWorking) =>
            isWorking ? Effect.never : new QueryTooCostly({ reason: "busy" }),
          ),
        )
        return yield* Effect.raceFirst(worked, gaveUp)
      })
      return RuleTurns.of({ take })
    }),
  )
}
