// The sync cycle: rule changes take effect at the next multiple of `SYNC_CYCLE_SECONDS` (spec 2.6). Processes share the
// work: the first one begins the cycle, and the others find nothing due. New cycles begin even while marks of others
// are pending. People are marked in rounds, one turn per organization, so a large organization does not delay the
// others. Logs failures and retries.
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { TurnSizes } from "../../../platform/database/turn-size.ts"
import { every } from "../../../platform/jobs/every.ts"
import { CycleStore } from "./store.ts"

/** Length of the sync cycle. */ // spec 1.2
export class SyncCycleSeconds extends Context.Service<SyncCycleSeconds, number>()(
  "@footfall/server/suppression/SyncCycleSeconds",
) {}

/** How late a cycle can begin, and how late marking can start after it. */
const lookInterval = "1 second"
/**
 * People marked per turn; other work gets the organization's turn in between. Marking one person changes a page of
 * every visitor index, and some turns take three times the median. No one waits for a cycle to end.
 */
const marked = { least: 25, first: 50, most: 1_000, aimedAtMs: 100 }
/** Organizations searched at the same time, and as many that are marked. */
const atOnceMax = 2
/** Consecutive rounds before organizations that failed are retried. */
const roundsMax = 100

export const SyncCycleWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* CycleStore
    const cycleSeconds = yield* SyncCycleSeconds

    /** Runs the work so that its failure does not affect other organizations; returns `otherwise` if it fails. */
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
    /** Returns whether there are more. */
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
    /** One turn for each organization that has not failed. Returns whether one has more. */
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
    // Begins cycles no matter how long finding people takes.
    yield* every(lookInterval, "sync cycle failed", beginAll)
  }),
)
