// Counts and times requests by route, method and status. Labels are route patterns, never paths: no id, name or other
// text from a stranger becomes a label, so their number is bounded.
import { type Context, Metric } from "effect"
import { matchesPath, type RoutePattern } from "./allowed-methods.ts"

/** Units: seconds. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const requests = Metric.counter("footfall_http_requests", {
  description: "Requests by route, method and status",
  incremental: true,
})
const durations = Metric.histogram("footfall_http_request_seconds", {
  description: "Time to the first byte of the response, by route and method",
  boundaries,
})

export interface AnsweredRequest {
  readonly method: string
  /** The route pattern; undefined for an unknown path. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

export const countRequest = (
  { method, route, seconds, status }: AnsweredRequest,
  context: Context.Context<never>,
): void => {
  const labels = { route: route ?? "none", method: methods.has(method) ? method : "other" }
  Metric.withAttributes(durations, labels).updateUnsafe(seconds, context)
  Metric.withAttributes(requests, { ...labels, status: String(status) }).updateUnsafe(1, context)
}

/** Finds the pattern of a path among routes with the same number of segments; literal segments take precedence. */
export const makeRouteOf = (routes: ReadonlyArray<RoutePattern>) => {
  const patterns = [...new Set(routes.map(({ path }) => path))]
    .map((pattern) => ({ pattern, segments: pattern.split("/") }))
    .sort((one, other) => wildness(one.segments) - wildness(other.segments))
  return (path: string): string | undefined => {
    const segments = path.split("/")
    return patterns.find(
      (route) =>
        (route.segments.length === segments.length || route.pattern.endsWith("*")) &&
        matchesPath(route.segments, segments),
    )?.pattern
  }
}

const wildness = (segments: ReadonlyArray<string>): number =>
  segments.filter((segment) => segment.startsWith(":") || segment === "*").length
