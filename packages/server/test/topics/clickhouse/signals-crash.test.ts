// An import of signals killed at any moment, with the signals in ClickHouse (spec 18.2): the same suite as on Postgres.
import { vi } from "vitest"

vi.stubEnv("SIGNAL_STORE", "clickhouse")
await import("../../crash/signals.test.ts")
