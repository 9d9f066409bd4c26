// Maps requests and responses to the services of runs and results; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { replay } from "../../access/repeats/repeats.ts"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import {
  cursorRefused,
  hintIfEmpty,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { Results, type RunNotCompleted } from "./results/results.ts"
import type { Run } from "./run.ts"
import { Runs } from "./runs.ts"
import type { RunRow } from "./store.ts"
import { RunsApi } from "./api.ts"

/** spec 1.6. */
const runsPageSizeDefault = 25

export const RunsHandlers = HttpApiBuilder.group(
  footfall.add(RunsApi),
  "runs",
  Effect.fn(function* (handlers) {
    const runs = yield* Runs
    const results = yield* Results

    const keyOf = Effect.fnUntraced(function* (params: {
      readonly id: string
      readonly runId: string
    }) {
      const { organizationId } = yield* Caller
      return { organizationId, audienceId: params.id, runId: params.runId }
    })

    return handlers.handleAll({
      start: Effect.fnUntraced(
        function* ({ headers, params }) {
          const started = yield* runs.start(yield* Caller, params.id, headers["idempotency-key"])
          const answer = yield* success(wireOf(started.run))
          // Both have the same body, so the status is set here; 202 is the contract's first.
          return started.isReplay ? replay(answer) : answer
        },
        Effect.catchTags({
          RunNotFound: () => notFound,
          AudienceNotActive: ({ status }) =>
            refuse({
              code: "AUDIENCE_NOT_ACTIVE",
              message: `The audience is ${status}. Activate it first.`,
              details: { status },
            }),
          RunInProgress: ({ runId, status }) =>
            refuse({
              code: "RUN_IN_PROGRESS",
              message: `Another run of this audience is ${status}. Wait for it to end.`,
              details: { status, runId },
            }),
        }),
      ),
      list: Effect.fnUntraced(
        function* ({ params, query }) {
          const { organizationId } = yield* Caller
          const limit = query.limit ?? runsPageSizeDefault
          const key = { organizationId, audienceId: params.id }
          const page = yield* runs.list(key, query.status, yield* positionOf(query), limit)
          return yield* success(page.rows.map(wireOf), listMetaOf(page, limit, "runs"))
        },
        Effect.catchTags({ RunNotFound: () => notFound, CursorRefused: cursorRefused }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(wireOf(yield* runs.find(yield* keyOf(params))))
        },
        Effect.catchTag("RunNotFound", () => notFound),
      ),
      cancel: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(wireOf(yield* runs.cancel(yield* Caller, yield* keyOf(params))))
        },
        Effect.catchTags({
          RunNotFound: () => notFound,
          RunNotQueued: ({ status }) =>
            refuse({
              code: "RUN_NOT_QUEUED",
              message: `The run is ${status}. Only a queued run can be canceled.`,
              details: { status },
            }),
        }),
      ),
      results: Effect.fnUntraced(
        function* ({ params, query }) {
          const limit = query.limit ?? pageSizeDefault
          const position = yield* positionOf(query)
          const { page, run } = yield* results.page(yield* keyOf(params), position, limit)
          const wire = wireOf(run)
          if (page === undefined) {
            const offset = query.offset ?? 0
            const none = { state: run.status, results: [], total: 0, limit, offset }
            return yield* success({ run: wire, ...none }, { hasMore: false, nextCursor: null })
          }
          const { hasMore, nextCursor, offset, rows, total } = page
          return yield* success(
            // Always known, because it is stored with the run.
            { run: wire, results: rows, total: total ?? 0, limit, offset },
            { hasMore, nextCursor, ...(total === 0 ? hintIfEmpty(rows, "results") : {}) },
          )
        },
        Effect.catchTags({
          RunNotFound: () => notFound,
          RunNotCompleted: notCompleted,
          CursorRefused: cursorRefused,
        }),
      ),
      stats: Effect.fnUntraced(
        function* ({ params }) {
          const { run, stats } = yield* results.statistics(yield* keyOf(params))
          return yield* success({ run: wireOf(run), stats })
        },
        Effect.catchTags({ RunNotFound: () => notFound, RunNotCompleted: notCompleted }),
      ),
    })
  }),
)

const wireOf = ({
  config: _config,
  createdKey: _createdKey,
  hasSignals: _hasSignals,
  resultsAreRemoved: _resultsAreRemoved,
  tallies: _tallies,
  topics: _topics,
  ...run
}: RunRow): Run => run

const notCompleted = ({ status }: RunNotCompleted) =>
  refuse({
    code: "RUN_NOT_COMPLETED",
    message: `The run is ${status}. Wait until it is completed.`,
    details: { status },
  })
