// A server with CLICKHOUSE_CLUSTER (spec 18.2.7): the same suite as with one ClickHouse server.
import { vi } from "vitest"

vi.stubEnv("SIGNALS_ON_CLUSTER", "on")
await import("./server.test.ts")
