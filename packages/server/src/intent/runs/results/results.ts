// Results and statistics of a run (spec 2.12, 2.13, 5.9): the people found at that time, whatever has changed since,
// except for erased people. They exist once the run has completed.
import { Context, Data, Effect, Layer, Schema } from "effect"
import {
  KeyedLists,
  type ListPage,
  type ListPosition,
} from "../../../platform/lists/keyed-lists.ts"
import { type RunKey, RunStatus } from "../run.ts"
import { RunNotFound, Runs } from "../runs.ts"
import { statisticsOf } from "../statistics/statistics.ts"
import type { RunRow } from "../store.ts"
import { type ResultDbRow, type ResultRow, resultRow } from "./result-row.ts"
import { ResultStore } from "./store.ts"

export class RunNotCompleted extends Schema.TaggedError<RunNotCompleted>()("RunNotCompleted", {
  status: RunStatus,
}) {}

class RunPending extends Data.TaggedError("RunPending")<{ readonly run: RunRow }> {}

export interface ResultsPage {
  readonly run: RunRow
  /** Undefined while the run is queued or running. */
  readonly page: ListPage<ResultRow> | undefined
}

const make = Effect.gen(function* () {
  const runs = yield* Runs
  const store = yield* ResultStore
  const lists = yield* KeyedLists

  /** A run that still has results. */
  const find = Effect.fnUntraced(function* (key: RunKey) {
    const run = yield* runs.find(key)
    const { status } = run
    if (status === "queued" || status === "running") return yield* new RunPending({ run })
    if (status !== "completed") return yield* new RunNotCompleted({ status })
    if (run.resultsAreRemoved) return yield* new RunNotFound()
    return run
  })

  return {
    /**
     * One page, by score, overlap and hash.
     *
     * *Errors*: CursorRefused for another list's cursor; RunNotFound, also once the results are past their retention;
     * RunNotCompleted for a failed or canceled run.
     */
    page: Effect.fn("Results.page")(
      function* (key: RunKey, position: ListPosition, limit: number) {
        // Loaded once, after the cursor is checked.
        const completed = yield* Effect.cached(find(key))
        const { organizationId } = key
        const page = yield* lists.page<ResultDbRow, Effect.Error<typeof completed>>(
          {
            organizationId,
            route: "GET /v1/intent/audiences/{id}/runs/{runId}/results",
            // The stored spelling, however the path spells it.
            filters: [key.runId.toLowerCase()],
            position,
            limit,
          },
          {
            parent: completed,
            rows: (start, rowsMax) =>
              Effect.flatMap(completed, ({ id }) =>
                Effect.orDie(store.rows({ organizationId, runId: id }, start, rowsMax)),
              ),
            count: () => Effect.map(completed, ({ resultCount }) => resultCount),
            keyOf: (row) => [String(row.position)],
            mayLag: true,
          },
        )
        const run = yield* completed
        const topics = new Map(run.topics.map((topic) => [topic.topicId, topic]))
        return { run, page: { ...page, rows: page.rows.map((row) => resultRow(row, topics)) } }
      },
      Effect.catchTag("RunPending", ({ run }) => Effect.succeed({ run, page: undefined })),
    ),

    /** Kept as long as the run itself. Errors: RunNotFound, RunNotCompleted. */
    statistics: Effect.fn("Results.statistics")(function* (key: RunKey) {
      const run = yield* runs.find(key)
      const { resultCount, status, tallies } = run
      if (status !== "completed") return yield* new RunNotCompleted({ status })
      // Written together with the status.
      return { run, stats: statisticsOf(resultCount, tallies!, run.topics.length > 0) }
    }),
  }
})

export class Results extends Context.Service<Results, Effect.Success<typeof make>>()(
  "@footfall/server/runs/Results",
) {
  static readonly layer = Layer.effect(Results, make)
}
