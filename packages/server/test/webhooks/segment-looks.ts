// The workers behind alerts about segments (spec 8.7), twice, as in two processes.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WatchStore } from "../../src/activation/webhooks/segments/watch-store.ts"
import { SegmentWatching } from "../../src/activation/webhooks/segments/watching.ts"
import { CompanyStore } from "../../src/people/visitors/companies/store.ts"
import { ScoreComputing } from "../../src/people/score/computing.ts"
import { ScoreComputingStore } from "../../src/people/score/computing-store.ts"
import { testLayer } from "../people/people-layer.ts"

const otherProcess = Layer.fresh(SegmentWatching.layer)

export const workers = Layer.mergeAll(
  SegmentWatching.layer,
  Layer.provide(ScoreComputing.layer, ScoreComputingStore.layer),
).pipe(
  Layer.provideMerge(Layer.merge(CompanyStore.layer, WatchStore.layer)),
  Layer.provideMerge(testLayer),
)

/** Both processes look at all people and companies until nothing is left to do. */
export const lookAtAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { pass } = yield* SegmentWatching
  const scores = yield* ScoreComputing
  const other = yield* Effect.provide(SegmentWatching, otherProcess)
  yield* scores.pass
  yield* pass
  yield* sql`update segment_watch set next_sweep_at = now() where not is_over and not is_sweeping`
  for (;;) {
    yield* scores.pass
    yield* Effect.all([pass, other.pass], { concurrency: "unbounded" })
    const left = yield* sql`
      select from segment_stale
      union all select from score_stale
      union all select from score_stale_company
      union all select from segment_watch
        where is_sweeping or (not is_over and (next_sweep_at <= now() or verified_from is null))
      limit 1`
    if (left.length === 0) return
    yield* Effect.sleep("20 millis")
  }
})
