// Writes to suppression rules take turns. They wait here, because in the database each would hold a connection that
// other organizations need while it waits for the list's lock.
import { Context, Effect, Layer, Schema } from "effect"
import { makePartyTurns } from "../../platform/jobs/fair-turns.ts"

/** No turn became free within the maximum wait. */
export class RuleWritesBusy extends Schema.TaggedError<RuleWritesBusy>()("RuleWritesBusy", {}) {}

/** The wait is shorter than that of a client. Applying an import may take longer. */
const writes = {
  turns: 4,
  turnsOfOne: 1,
  wait: "20 seconds",
  busy: () => new RuleWritesBusy(),
} as const

export class RuleWrites extends Context.Service<
  RuleWrites,
  {
    /** Runs a write when the organization's party gets a turn. Fails with RuleWritesBusy after 20 seconds. */
    run<A, E>(
      organizationId: string,
      write: Effect.Effect<A, E>,
    ): Effect.Effect<A, E | RuleWritesBusy>
  }
>()("@footfall/server/suppression/RuleWrites") {
  static readonly layer = Layer.effect(
    RuleWrites,
    Effect.map(makePartyTurns(writes), ({ run }) => RuleWrites.of({ run })),
  )
}
