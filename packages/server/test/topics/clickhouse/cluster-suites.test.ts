// Signals and old events in a ClickHouse cluster of two shards (spec 18.2.7): the same suites as on one server. FOOTFALL_SOAK=1 for
// all of them.
import { vi } from "vitest"

vi.stubEnv("SIGNALS_ON_CLUSTER", "on")
vi.stubEnv("SIGNAL_STORE", "clickhouse")
await import("./remote-signals.test.ts")
await import("./signals-copy.test.ts")
await import("../../audiences/model.test.ts")
if (process.env["FOOTFALL_SOAK"] === "1") {
  await import("../../identification/event-archive.test.ts")
  await import("../signals-import.test.ts")
  await import("../../runs/model.test.ts")
}
