// What is counted as OpenMetrics text (spec 5.15). Effect writes the older Prometheus format,
// in which a counter has no ending of its own and the text no end.
import type { Context } from "effect"
import { PrometheusMetrics } from "effect/observability"

export const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

/** Every metric of the registry in the context. */
export const openMetrics = (context: Context.Context<never>): string => {
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
