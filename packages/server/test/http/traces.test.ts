// Traces, metrics and logs by OTLP (spec 1.2, OTEL_EXPORTER_OTLP_ENDPOINT): one span per request, under the caller's,
// with patterns and statements and no personal data.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import { startServer } from "../support/server.ts"

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: { readonly stringValue?: string; readonly intValue?: number }
  }>
}

let collector: Server
const bodies: Array<string> = []

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    bodies.push(`${request.url} ${await text(request)}`)
    response.end("{}")
  })
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
})
afterEach(() => {
  vi.unstubAllEnvs()
  bodies.length = 0
})
afterAll(() => void collector.close())

const endpoint = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

const exported = () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint())
  vi.stubEnv("LOG_LEVEL", "info")
}

const spans = (): ReadonlyArray<Span> =>
  bodies
    .filter((body) => body.startsWith("/v1/traces "))
    .map((body) => JSON.parse(body.slice(body.indexOf(" "))))
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"

test("a request is a span under its caller's, and its statements are child spans", async () => {
  exported()
  const server = await startServer({ workers: false })
  const response = await server.get("/v1/data/visitors?email=jane%40acme.example", {
    traceparent: `00-${traceId}-${spanId}-01`,
  })
  await server.get("/v1/data/pixels", { traceparent: `00-${traceId}-${spanId}-01` })
  // Closing sends the remaining traces.
  await server.close()

  const pixels = spans().find(({ name }) => name === "GET /v1/data/pixels")
  expect(pixels).toMatchObject({ traceId, parentSpanId: spanId })
  expect(pixels?.attributes).toEqual(
    expect.arrayContaining([
      { key: "http.route", value: { stringValue: "/v1/data/pixels" } },
      expect.objectContaining({ key: "http.response.status_code" }),
    ]),
  )
  expect(spans().filter((span) => span.traceId === traceId).length).toBeGreaterThan(2)
  expect(new Set(bodies.map((body) => body.split(" ", 1)[0]))).toEqual(
    new Set(["/v1/traces", "/v1/metrics", "/v1/logs"]),
  )
  expect(bodies.join()).toContain(response.headers.get("x-request-id"))
  expect(bodies.join()).not.toMatch(/jane|acme|127\.0\.0\.1/)
  expect(bodies.join()).not.toContain(server.apiKey)
})

test("a message to a receiver continues the trace, and none is added without a collector", async () => {
  const received: Array<string | undefined> = []
  const receiver = createServer(async (request, response) => {
    await text(request)
    received.push(request.headers["traceparent"] as string | undefined)
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const sendTest = async () => {
    const server = await startServer({ workers: false, allowPrivateWebhooks: true })
    const { webhook } = await server.sdk.webhooks.create({
      name: "Seen",
      url,
      trigger: "every_update",
    })
    await server.sdk.webhooks.test(webhook.id)
    await server.close()
  }
  await sendTest()
  exported()
  await sendTest()
  receiver.close()

  const [without, traceparent] = received
  expect(without).toBeUndefined()
  const [, trace, parent] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(traceparent ?? "") ?? []
  const ours = spans().filter((span) => span.traceId === trace)
  expect(ours.map(({ name }) => name)).toContainEqual(
    expect.stringMatching(/^POST \/v1\/data\/webhooks\/:\w+\/test$/),
  )
  expect(ours).toContainEqual(expect.objectContaining({ spanId: parent }))
})

test("metrics are sent under the names of /metrics, without anyone scraping them", async () => {
  exported()
  const server = await startServer({ workers: false })
  await server.get("/v1/data/pixels")
  await server.close()

  const metrics = bodies
    .filter((body) => body.startsWith("/v1/metrics "))
    .map((body) => JSON.parse(body.slice(body.indexOf(" "))))
    .flatMap(({ resourceMetrics }) => resourceMetrics)
  const names = metrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics)
    .map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      "footfall_http_requests",
      "footfall_http_request_seconds",
      "process_resident_memory_bytes",
    ]),
  )
  expect(metrics[0].resource.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "footfall-server" },
  })
})

test("log entries are sent with the id of their request, beside the lines on standard error", async () => {
  exported()
  const server = await startServer({ workers: false })
  const response = await server.get("/v1/data/visitors?email=jane%40acme.example", {
    traceparent: `00-${traceId}-${spanId}-01`,
  })
  await server.close()

  const records = bodies
    .filter((body) => body.startsWith("/v1/logs "))
    .map((body) => JSON.parse(body.slice(body.indexOf(" "))))
    .flatMap(({ resourceLogs }) => resourceLogs)
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap((scope) => scope.logRecords)
  const requestId = response.headers.get("x-request-id")
  expect(records.some((record) => JSON.stringify(record).includes(requestId!))).toBe(true)
  expect(JSON.stringify(records)).not.toMatch(/jane|acme/)
})
