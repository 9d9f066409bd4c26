// Traces by OTLP (spec 1.2, OTEL_EXPORTER_OTLP_ENDPOINT): one span per request, under the caller's, with patterns and
// statements and no personal data.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import { startServer } from "../support/server.ts"

interface Span {
  readonly name: string
  readonly traceId: string
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

const spans = (): ReadonlyArray<Span> =>
  bodies
    .map((body) => JSON.parse(body.slice(body.indexOf(" "))))
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"

test("a request is a span under its caller's, and its statements are child spans", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint())
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
  expect(bodies.every((body) => body.startsWith("/v1/traces "))).toBe(true)
  expect(bodies.join()).toContain(response.headers.get("x-request-id"))
  expect(bodies.join()).not.toMatch(/jane|acme|127\.0\.0\.1/)
  expect(bodies.join()).not.toContain(server.apiKey)
})
