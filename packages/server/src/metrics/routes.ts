// GET /metrics (spec 5.15). Public, so what costs the database something is asked at most once
// in five seconds, however often someone looks.
import { Clock, Context, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { remembered } from "../database/remembered.ts"
import { ConnectionWait, requestWaitMs } from "../database/statement-limits.ts"
import { makeDatabaseMetrics } from "./database-metrics.ts"
import { makeProcessMetrics } from "./process-metrics.ts"
import { PrometheusMetrics } from "effect/observability"

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

const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

/**
 * Every metric of the registry in the context, as OpenMetrics text. Effect writes the older Prometheus format, in
 * which a counter has no ending of its own and the text no end.
 */
const openMetrics = (context: Context.Context<never>): string => {
  let counter: string | undefined
  const lines = PrometheusMetrics.formatUnsafe(context)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [mark, kind, name, type] = line.split(" ", 4)
      if (mark === "#" && kind === "TYPE") counter = type === "counter" ? name : undefined
      const isSample = counter !== undefined && /^[{ ]/.test(line.slice(counter.length))
      return isSample && counter !== undefined && line.startsWith(counter)
        ? `${counter}_total${line.slice(counter.length)}`
        : line
    })
  return [...lines, "# EOF", ""].join("\n")
}
