// Traces by OTLP over HTTP in JSON, where OTEL_EXPORTER_OTLP_ENDPOINT names a collector. Spans are those of
// requests (http/answer.ts), services and statements: patterns of routes and texts of statements, never
// bodies, queries or parameters. A collector that is away costs the spans, and nothing else.
import { Layer, References } from "effect"
import { FetchHttpClient, HttpMiddleware } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { version } from "../version.ts"

/** No one collects spans, and each statement and service call would make one. */
export const NoTracing = Layer.succeed(References.TracerEnabled, false)

export const Tracing = (endpoint: string) =>
  Layer.merge(
    OtlpTracer.layer({
      url: `${endpoint}/v1/traces`,
      resource: { serviceName: "footfall-server", serviceVersion: version },
    }).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])),
    // The span of the platform names the whole address, and with it whatever a query holds.
    Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true),
  )
