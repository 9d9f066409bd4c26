// The sync cycle: what was changed about the rules of an organization comes into force at the next
// multiple of `SYNC_CYCLE_SECONDS` (spec 2.6). Replicas share the work: the first to look
// begins the cycle, the others find nothing due. Cycles begin whatever is still to be marked for others, and
// a few organizations are marked side by side. A failure is logged and tried again.
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { TurnSizes } from "../../database/turn-size.ts"
import { every } from "../../jobs/every.ts"
import { CycleStore } from "./store.ts"

/** Length of the sync cycle. */ // spec 1.2
export class SyncCycleSeconds extends Context.Service<SyncCycleSeconds, number>()(
  "@footfall/server/suppression/SyncCycleSeconds",
) {}

/** How late a cycle may begin, and its marks after it. */
const lookInterval = "1 second"
/**
 * People of one turn, between which others get the turn of the organization. Each that is marked changes a page of
 * each index of visitors, and some turns take three times as long as the median. No one waits for the end of a cycle.
 */
const marked = { least: 25, first: 50, most: 1_000, aimedAtMs: 100 }
/** Organizations that are marked side by side. Our bound. */
const markedAtOnceMax = 2

export const SyncCycleWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* CycleStore
    const cycleSeconds = yield* SyncCycleSeconds

    /** What fails for one organization does not keep the others waiting. */
    const alone = <E>(work: Effect.Effect<unknown, E>) =>
      Effect.catchCause(work, (cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.interrupt
          : Effect.logError("sync cycle of an organization failed", cause),
      )
    const beginAll = Effect.flatMap(store.due(cycleSeconds), (organizations) =>
      Effect.forEach(
        organizations,
        (id) => alone(Effect.uninterruptible(store.begin(id, cycleSeconds))),
        { discard: true },
      ),
    )
    const sizes = new TurnSizes(marked)
    /** Whether there are more. */
    const markSome = Effect.fnUntraced(function* (organizationId: string) {
      const size = sizes.of(organizationId)
      const limit = size.next
      let begun = 0
      const hasTurn = Effect.map(Clock.currentTimeMillis, (now) => {
        begun = now
      })
      const people = yield* store.markSome(organizationId, limit, hasTurn)
      size.took(people, (yield* Clock.currentTimeMillis) - begun)
      return people === limit
    })
    const markAll = (organizationId: string) =>
      Effect.andThen(
        Effect.uninterruptible(store.find(organizationId)),
        Effect.uninterruptible(markSome(organizationId)).pipe(
          Effect.repeat({ while: (hasMore) => hasMore }),
        ),
      )
    const markUnmarked = Effect.flatMap(store.unmarked, (organizations) =>
      Effect.forEach(organizations, (id) => alone(markAll(id)), {
        concurrency: markedAtOnceMax,
        discard: true,
      }),
    )
    yield* every(lookInterval, "sync cycle failed", Effect.andThen(beginAll, markUnmarked))
    yield* every(lookInterval, "sync cycle failed", beginAll)
  }),
)
