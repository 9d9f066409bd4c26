// GET /metrics (spec 5.15). Public, so queries that cost the database something run at most once in five seconds.
import { Clock, Context, Effect, Metric, Schedule } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { remembered } from "../database/remembered.ts"
import { ConnectionWait, requestWaitMs } from "../database/statement-limits.ts"
import { version } from "../../version.ts"
import { makeDatabaseMetrics } from "./database-metrics.ts"
import { exportInterval, MetricsAreExported } from "./exported.ts"

// Metrics of the process, named as Node dashboards expect: CPU, memory, event loop delay since the last scrape, active
// resources. Read on request.

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const build = gauge("footfall_build_info", "The running version; always 1")
const processor = Metric.counter("process_cpu_seconds", {
  description: "Processor time, user and system",
})
const started = gauge("process_start_time_seconds", "When the process started, in Unix time")
const resident = gauge("process_resident_memory_bytes", "Memory of the process")
const heapUsed = gauge("nodejs_heap_size_used_bytes", "Heap in use")
const heapTotal = gauge("nodejs_heap_size_total_bytes", "Reserved heap")
const delay = gauge("nodejs_eventloop_lag_seconds", "Delay of the event loop since the last scrape")
const resources = gauge("nodejs_active_resources", "What keeps the process running, by type")

/** Sampling interval of the event loop delay. Units: milliseconds. */
const resolution = 20
const nanoseconds = 1e9
const quantiles = { "0.5": 50, "0.99": 99, "1": 100 } as const

/** Sets the values; watches the event loop while the scope is open. */
const makeProcessMetrics = Effect.gen(function* () {
  const loop = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  )
  let counted = 0
  const types = new Set<string>()
  return (context: Context.Context<never>, nowMs: number): void => {
    const { system, user } = process.cpuUsage()
    const seconds = (system + user) / 1e6
    processor.updateUnsafe(seconds - counted, context)
    counted = seconds
    const memory = process.memoryUsage()
    Metric.withAttributes(build, { version }).updateUnsafe(1, context)
    started.updateUnsafe(Math.round(nowMs / 1000 - process.uptime()), context)
    resident.updateUnsafe(memory.rss, context)
    heapUsed.updateUnsafe(memory.heapUsed, context)
    heapTotal.updateUnsafe(memory.heapTotal, context)
    const active = Object.groupBy(process.getActiveResourcesInfo(), (type) => type)
    for (const type of new Set([...types, ...Object.keys(active)])) {
      types.add(type)
      // own keys: `groupBy` returns an object without a prototype
      Metric.withAttributes(resources, { type }).updateUnsafe(active[type]?.length ?? 0, context)
    }
    for (const [quantile, percent] of Object.entries(quantiles)) {
      const late = Math.max(0, loop.percentile(percent) / nanoseconds - resolution / 1000)
      Metric.withAttributes(delay, { quantile }).updateUnsafe(late, context)
    }
    loop.reset()
  }
})

const freshness = "5 seconds"

export const metricsRoutes = [{ method: "GET", path: "/metrics" }] as const

export const MetricsRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<never>()
    const setProcess = yield* makeProcessMetrics
    const setDatabase = yield* makeDatabaseMetrics
    const update = Effect.gen(function* () {
      setProcess(context, yield* Clock.currentTimeMillis)
      yield* setDatabase
    }).pipe(Effect.provideContext(Context.add(context, ConnectionWait, requestWaitMs)))
    if (yield* MetricsAreExported)
      yield* Effect.forkScoped(Effect.repeat(update, Schedule.spaced(exportInterval)))
    const text = yield* Effect.as(update, context).pipe(Effect.map(openMetrics), (text) =>
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
 * All metrics of the context's registry as OpenMetrics text. Effect writes the older Prometheus format, whose counters
 * have no suffix and whose text has no end marker.
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
  return [...lines, ...durationsOf(lines), "# EOF", ""].join("\n")
}

/** Histograms of seconds again, under the names that the conventions of OpenTelemetry give durations. */
const durationsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = lines.flatMap((line) => /^# TYPE (\w+)_seconds histogram$/.exec(line)?.[1] ?? [])
  return names.flatMap((name) =>
    lines
      .filter((line) => line.includes(`${name}_seconds`))
      .map((line) => line.replace(`${name}_seconds`, `${name}_duration_seconds`)),
  )
}
