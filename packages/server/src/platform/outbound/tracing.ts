// Exports traces as OTLP over HTTP in JSON, if OTEL_EXPORTER_OTLP_ENDPOINT names a collector. There are spans for
// requests (http/answer.ts), services and statements. They contain route patterns and statement texts, never bodies,
// queries or parameters. If the collector is down, only spans are lost.
import { Layer, References } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { version } from "../../version.ts"

/** Without a collector, creating a span for each statement and service call would be wasted. */
export const NoTracing = Layer.succeed(References.TracerEnabled, false)

export const Tracing = (endpoint: string) =>
  Layer.merge(
    OtlpTracer.layer({
      url: `${endpoint}/v1/traces`,
      resource: { serviceName: "footfall-server", serviceVersion: version },
    }).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])),
    // The platform's own span contains the whole URL, including the query.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
  )
