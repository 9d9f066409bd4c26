// If the collector doesn't respond, only what it would have received is lost.
import { afterEach, expect, test, vi } from "vitest"
import { startServer } from "../support/server.ts"

afterEach(() => void vi.unstubAllEnvs())

test("requests are answered and the server stops while the collector is down", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
  const server = await startServer({ workers: false })

  expect((await server.get("/v1/data/pixels")).status).toBe(200)
  await server.close()
})
