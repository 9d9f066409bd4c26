// Queues daily runs (spec 4.2): one per data date for each audience with daily refresh, from the first date after its
// activation. An audience with a run in progress waits for it. Any number of processes may do this at once, because a
// run's key is unique.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AudienceKey, AudienceLifecycleStore } from "../../audiences/lifecycle/store.ts"
import { JobWakes } from "../../../platform/jobs/queue.ts"
import { Catalog } from "../../topics/catalog/catalog.ts"
import { runQueue } from "../run.ts"
import { frozen } from "../runs.ts"
import { RunStore } from "../store.ts"
import { DailyRunStore, type DueAudience } from "./store.ts"
import { every } from "../../../platform/jobs/every.ts"

/** Audiences per batch. */
const audiencesMax = 200

const make = Effect.gen(function* () {
  const store = yield* DailyRunStore
  const runs = yield* RunStore
  const audiences = yield* AudienceLifecycleStore
  const catalog = yield* Catalog
  const wakes = yield* JobWakes
  const random = yield* SecureRandom.SecureRandom

  const startOne = Effect.fnUntraced(function* ({ dataDate, ...key }: DueAudience) {
    const topics = yield* catalog.byId
    const id = yield* random.uuidV4()
    yield* runs.transaction(
      Effect.gen(function* () {
        // The lock orders this against pausing or deleting: the later one sees the earlier.
        const audience = yield* audiences.findForChange(key)
        if (audience === undefined || !audience.dailyRefreshEnabled) return
        yield* runs.insert({
          ...frozen(audience, topics, { date: dataDate, hasSignals: true }),
          id,
          runType: "daily",
          idempotencyKey: `daily:${key.audienceId}:${dataDate}`,
        })
      }),
    )
  })

  /** Starts every daily run that is due. */
  const start = Effect.gen(function* () {
    let behind: AudienceKey | undefined
    for (;;) {
      const due = yield* store.due(behind, audiencesMax)
      yield* Effect.forEach(due, startOne, { discard: true })
      if (due.length > 0) yield* wakes.wake(runQueue)
      if (due.length < audiencesMax) return
      behind = due.at(-1)
    }
  }).pipe(Effect.withSpan("DailyRuns.start"))

  return { start }
})

export class DailyRuns extends Context.Service<DailyRuns, Effect.Success<typeof make>>()(
  "@footfall/server/runs/DailyRuns",
) {
  static readonly layer = Layer.effect(DailyRuns, make)
}

/** Starts due daily runs every minute. */
export const DailyRunWorker = Layer.effectDiscard(
  every(
    "1 minute",
    "could not start daily runs",
    Effect.flatMap(DailyRuns, ({ start }) => start),
  ),
)
