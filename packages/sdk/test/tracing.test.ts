// Spans and `traceparent`, with the real OpenTelemetry and an exporter in memory.

import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api"
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { ManualClock } from "./support/manual-clock.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"
import { call, testTransport } from "./support/transport.ts"

const exporter = new InMemorySpanExporter()

beforeAll(() => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  propagation.setGlobalPropagator({
    inject: (from, carrier, setter) => {
      const span = trace.getSpanContext(from)!
      setter.set(carrier, "traceparent", `00-${span.traceId}-${span.spanId}-01`)
    },
    extract: (to) => to,
    fields: () => ["traceparent"],
  })
})
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  propagation.disable()
  context.disable()
})

it("creates one span for a call with all its attempts, and sends its id", async () => {
  await using server = await scriptedServer([refuse(503, "SERVICE_UNAVAILABLE"), succeed([])])

  await testTransport({ baseUrl: server.baseUrl }, new ManualClock()).request(
    call({ path: "/v1/intent/topics/3377/trend" }),
  )

  const [span, ...others] = exporter.getFinishedSpans()
  expect(others).toEqual([])
  expect(span).toMatchObject({
    name: "GET /v1/intent/topics/:id/trend",
    attributes: {
      "http.request.method": "GET",
      "url.template": "/v1/intent/topics/:id/trend",
      "server.address": "127.0.0.1",
    },
  })
  const { spanId, traceId } = span!.spanContext()
  expect(server.received.map(({ headers }) => headers["traceparent"])).toEqual([
    `00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01`,
  ])
})

it("a rejected call is a failed span with the code and no personal data", async () => {
  await using server = await scriptedServer([refuse(404, "NOT_FOUND")])

  await testTransport({ baseUrl: server.baseUrl }, new ManualClock())
    .request(call({ query: { email: "jane@acme.example" } }))
    .catch(() => {})

  const [span] = exporter.getFinishedSpans()
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
  expect(span?.attributes).toMatchObject({
    "http.response.status_code": 404,
    "error.type": "NOT_FOUND",
  })
  expect(JSON.stringify(span?.attributes)).not.toContain("jane")
})

it("the name of a span does not include the query", async () => {
  await using server = await scriptedServer([succeed([])])
  const path = "/v1/data/visitors?email=jane%40harbor.example"

  await testTransport({ baseUrl: server.baseUrl }, new ManualClock()).request(call({ path }))

  const [span] = exporter.getFinishedSpans()
  expect(span?.name).toBe("GET /v1/data/visitors")
  expect(JSON.stringify(span?.attributes)).not.toContain("jane")
})
