// The sync cycle: what was changed about the rules of an organization comes into force at the next
// multiple of `SYNC_CYCLE_SECONDS` (spec 2.6). Replicas share the work: the first to look
// begins the cycle, the others find nothing due. Cycles begin whatever is still to be marked for others, and
// people are marked in rounds: one turn of each organization, then the next of each that has more, so a large
// organization keeps no other from its marks. A failure is logged and tried again.
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
/** Organizations whose people are found side by side, and as many that are marked. Our bound. */
const atOnceMax = 2
/** Rounds that follow each other at once; then organizations that failed are tried again too. Our bound. */
const roundsMax = 100

export const SyncCycleWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* CycleStore
    const cycleSeconds = yield* SyncCycleSeconds

    /** What fails for one organization does not keep the others waiting: then it is `otherwise`. */
    const alone = <A, E>(work: Effect.Effect<A, E>, otherwise: A) =>
      Effect.catchCause(Effect.uninterruptible(work), (cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.interrupt
          : Effect.as(Effect.logError("sync cycle of an organization failed", cause), otherwise),
      )
    const beginAll = Effect.flatMap(store.due(cycleSeconds), (organizations) =>
      Effect.forEach(organizations, (id) => alone(store.begin(id, cycleSeconds), undefined), {
        discard: true,
      }),
    )
    const findAll = Effect.flatMap(store.toSearch, (organizations) =>
      Effect.forEach(organizations, (id) => alone(store.find(id), undefined), {
        concurrency: atOnceMax,
        discard: true,
      }),
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
    /** One turn of each organization but those that failed. Whether one has more. */
    const round = Effect.fnUntraced(function* (failed: Set<string>) {
      const organizations = (yield* store.unmarked).filter((id) => !failed.has(id))
      const hasMore = yield* Effect.forEach(
        organizations,
        (id) =>
          alone<boolean | undefined, unknown>(markSome(id), undefined).pipe(
            Effect.tap((more) =>
              Effect.sync(() => {
                if (more === undefined) failed.add(id)
              }),
            ),
          ),
        { concurrency: atOnceMax },
      )
      return hasMore.includes(true)
    })
    const markAll = Effect.suspend(() =>
      round(new Set()).pipe(Effect.repeat({ while: (hasMore) => hasMore, times: roundsMax - 1 })),
    )
    yield* every(lookInterval, "sync cycle failed", Effect.andThen(beginAll, findAll))
    yield* every(lookInterval, "sync cycle failed", markAll)
    // However long the finding takes.
    yield* every(lookInterval, "sync cycle failed", beginAll)
  }),
)
