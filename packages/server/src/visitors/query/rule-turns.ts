// Rules may be costly to ask. Only a few are worked at at once, so that they never take all connections of a process.
// The turns are shared fairly: a free one goes to the organization that holds the fewest, and the last one never to an
// organization that holds all the others, so no one's rules keep another organization waiting for theirs to end.
// Waiting is bounded.
import { Context, Effect, Layer, Schema } from "effect"

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

interface Waiting {
  readonly organizationId: string
  readonly begin: () => void
}

export class RuleTurns extends Context.Service<
  RuleTurns,
  {
    /** Runs the effect when the organization has a turn. Errors: RulesBusy, when it got none for 10 seconds. */
    take<A, E>(organizationId: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E | RulesBusy>
  }
>()("@footfall/server/visitors/RuleTurns") {
  static readonly layer = Layer.sync(RuleTurns, () => {
    const waiting = new Set<Waiting>()
    /** Turns by organization; one that holds none is not here. */
    const held = new Map<string, number>()
    let free = statementsMax
    const heldBy = (organizationId: string) => held.get(organizationId) ?? 0

    /** Of those who may have a turn the one that holds the fewest; of these who came first. */
    const next = (): Waiting | undefined => {
      let first: Waiting | undefined
      for (const one of waiting) {
        const count = heldBy(one.organizationId)
        if (count >= statementsPerOrganizationMax) continue
        if (first === undefined || count < heldBy(first.organizationId)) first = one
      }
      return first
    }

    const give = () => {
      while (free > 0) {
        const one = next()
        if (one === undefined) return
        waiting.delete(one)
        free--
        held.set(one.organizationId, heldBy(one.organizationId) + 1)
        one.begin()
      }
    }

    const giveBack = (organizationId: string) => {
      free++
      const left = heldBy(organizationId) - 1
      if (left === 0) held.delete(organizationId)
      else held.set(organizationId, left)
      give()
    }

    const take = <A, E>(organizationId: string, effect: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        let hasTurn = false
        let one: Waiting | undefined
        const turn = Effect.callback<void>((resume) => {
          const begin = () => {
            hasTurn = true
            resume(Effect.void)
          }
          waiting.add((one = { organizationId, begin }))
          give()
        })
        return Effect.timeoutOrElse(turn, {
          duration: waitMax,
          orElse: () => Effect.fail(new RulesBusy()),
        }).pipe(
          Effect.andThen(effect),
          // However it ends, and whenever it is interrupted.
          Effect.ensuring(
            Effect.sync(() => {
              if (hasTurn) giveBack(organizationId)
              else if (one !== undefined) waiting.delete(one)
            }),
          ),
        )
      })
    return RuleTurns.of({ take })
  })
}
