// The topics of visitors, with imported signals in ClickHouse (spec 18.2): the same suite as on Postgres.
import { vi } from "vitest"

vi.stubEnv("SIGNAL_STORE", "clickhouse")
await import("../../visitor-topics/model.test.ts")
