// The import of signals, kept in ClickHouse (spec 18.2): the same suite as on Postgres.
// FOOTFALL_SOAK=1 for more imports.
import { vi } from "vitest"

vi.stubEnv("SIGNAL_STORE", "clickhouse")
await import("../signals-import.test.ts")
