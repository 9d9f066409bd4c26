// GET /metrics (spec 5.15). Public, so what costs the database something is asked at most once
// in five seconds, however often someone looks.
import { Clock, Context, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { remembered } from "../../database/remembered.ts"
import { ConnectionWait, requestWaitMs } from "../../database/statement-limits.ts"
import { makeDatabaseMetrics } from "./database-metrics.ts"
import { openMetrics, openMetricsType } from "./open-metrics.ts"
import { makeProcessMetrics } from "./process-metrics.ts"

const freshness = "5 seconds"

export const metricsRoutes = [{ method: "GET", path: "/metrics" }] as const

export const MetricsRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const setProcess = yield* makeProcessMetrics
    const setDatabase = yield* makeDatabaseMetrics
    const text = yield* Effect.gen(function* () {
      yield* setDatabase
      setProcess(context, yield* Clock.currentTimeMillis)
      return openMetrics(context)
    }).pipe(Effect.provideContext(Context.add(context, ConnectionWait, requestWaitMs)), (text) =>
      remembered(text, freshness),
    )
    yield* router.add(
      "GET",
      "/metrics",
      Effect.map(text, (body) =>
        HttpServerResponse.text(body, {
          contentType: openMetricsType,
          headers: { "cache-control": "no-store" },
        }),
      ),
    )
  }),
)
