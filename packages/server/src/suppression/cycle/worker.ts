// The sync cycle: what was changed about the rules of an organization comes into force at the next
// multiple of `SYNC_CYCLE_SECONDS` (decisions.md 2.6). Replicas share the work: whoever looks first
// begins the cycle, the others find nothing due. A failure is logged and tried again.
import { Context, Effect, Layer } from "effect"
import { CycleStore } from "./store.ts"

/** Length of the sync cycle. decisions.md 1.2. */
export class SyncCycleSeconds extends Context.Service<SyncCycleSeconds, number>()(
  "@footfall/server/suppression/SyncCycleSeconds",
) {}

/** How late a cycle may begin. */
const lookSecondsMax = 1

export const SyncCycleWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* CycleStore
    const cycleSeconds = yield* SyncCycleSeconds

    const look = Effect.gen(function* () {
      const organizations = yield* store.due(cycleSeconds)
      yield* Effect.forEach(
        organizations,
        (id) => Effect.uninterruptible(store.begin(id, cycleSeconds)),
        {
          discard: true,
        },
      )
    }).pipe(Effect.catchCause((cause) => Effect.logError("sync cycle failed", cause)))

    yield* look.pipe(
      Effect.andThen(Effect.sleep(`${lookSecondsMax} seconds`)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)
