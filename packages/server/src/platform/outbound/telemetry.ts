// Exports traces, metrics and logs as OTLP over HTTP in JSON, if OTEL_EXPORTER_OTLP_ENDPOINT names a collector. There are
// spans for requests (http/answer.ts), services and statements. They contain route patterns and statement texts, never
// bodies, queries or parameters. If the collector is down, only what it would have received is lost.
import { Effect, Layer, References, type Tracer } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpLogger, OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { version } from "../../version.ts"
import { exportInterval, MetricsAreExported } from "../metrics/exported.ts"

/** Without a collector, creating a span for each statement and service call would be wasted. */
export const NoTelemetry = Layer.succeed(References.TracerEnabled, false)

export const Telemetry = (endpoint: string) => {
  const resource = { serviceName: "footfall-server", serviceVersion: version }
  return Layer.mergeAll(
    OtlpTracer.layer({ url: `${endpoint}/v1/traces`, resource }),
    OtlpMetrics.layer({
      url: `${endpoint}/v1/metrics`,
      resource,
      exportInterval,
    }),
    OtlpLogger.layer({ url: `${endpoint}/v1/logs`, resource, excludeLogSpans: true }),
  ).pipe(
    Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]),
    Layer.merge(Layer.succeed(MetricsAreExported, true)),
    // The platform's own span contains the whole URL, including the query.
    Layer.merge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)),
  )
}

/** The W3C header that makes a receiver's spans children of ours. Nothing where no spans are created. */
export const traceHeaders = Effect.gen(function* () {
  const span = yield* Effect.option(Effect.currentSpan)
  if (!(yield* References.TracerEnabled) || span._tag === "None") return {}
  return { traceparent: traceparentOf(span.value) }
})

const traceparentOf = ({ sampled, spanId, traceId }: Tracer.Span): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
