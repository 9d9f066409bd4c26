// Loaded before the server (`node --import`). It measures the event loop delay and writes it to the file in
// LOOP_DELAY_FILE when the process exits.
import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

export interface LoopDelay {
  readonly p99Ms: number
  readonly maxMs: number
}

const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()
process.on("exit", () => {
  const delay: LoopDelay = { p99Ms: delays.percentile(99) / 1e6, maxMs: delays.max / 1e6 }
  writeFileSync(process.env["LOOP_DELAY_FILE"] ?? "/dev/null", JSON.stringify(delay))
})
