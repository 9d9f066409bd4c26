/**
 * `npm run bench -w @footfall/pixel`: what a pixel costs a page, in bytes beside other trackers and in
 * time of the main thread. Builds first; needs Chromium. Fails above the bars of decisions.md 6.1.
 */
import build from "../test/support/build.ts"
import { loadCostMs } from "./load-cost.ts"
import { median } from "./median.ts"
import { sizeOf } from "./size.ts"
import { trackers } from "./trackers.ts"
import { composedScript, fullScript } from "../test/browser/support/composed-script.ts"
import { PIXEL_ID } from "../test/support/script.ts"

/** Issue 5 of the founders: at load, on a machine 6 times slower. */
const LOAD_MS_MAX = 5
const LOADS = 20

const scripts = [
  {
    name: "Footfall, every part",
    settings: { emailCapture: "all", spa: "hash", excludedPaths: ["/app"] },
  },
  { name: "Footfall, default settings", settings: {} },
  { name: "Footfall, core", settings: { consent: "granted" } },
] as const

build()

const rows = [
  ...scripts.map(({ name, settings }, index) => ({
    name,
    ...sizeOf(index ? composedScript(PIXEL_ID, settings) : fullScript(PIXEL_ID, settings)),
  })),
  ...trackers,
].sort((one, other) => one.gzip - other.gzip)

console.log("script".padEnd(46), "raw".padStart(8), "gzip".padStart(8), "brotli".padStart(8))
for (const { brotli, gzip, name, raw } of rows) {
  const cells = [raw, gzip, brotli].map((bytes) => bytes.toLocaleString("en").padStart(8))
  console.log(name.padEnd(46), ...cells)
}

console.log(
  `\nmain thread at load, Chromium, 6 times slower, ${LOADS} first visits (at most ${LOAD_MS_MAX} ms)`,
)
for (const { name, settings } of scripts) {
  const costs = await loadCostMs(settings, LOADS)
  const cost = median(costs)
  if (cost > LOAD_MS_MAX) process.exitCode = 1
  const spread = `${Math.min(...costs).toFixed(2)} to ${Math.max(...costs).toFixed(2)}`
  console.log(name.padEnd(46), `${cost.toFixed(2)} ms, ${spread}`)
}
