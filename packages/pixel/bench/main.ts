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
const SLOWER = 6
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

const floor = {
  name: "a bare script: id in cookie and local storage, one fetch",
  settings: undefined,
}

console.log(`\nmain thread at load, Chromium, median of ${LOADS} first visits, milliseconds`)
console.log(
  "script".padEnd(56),
  "full speed".padStart(10),
  `${SLOWER} times slower (at most ${LOAD_MS_MAX})`,
)
for (const { name, settings } of [floor, ...scripts]) {
  const atFullSpeed = median(await loadCostMs({ settings, loads: LOADS, slower: 1 }))
  const costs = await loadCostMs({ settings, loads: LOADS, slower: SLOWER })
  if (settings && median(costs) > LOAD_MS_MAX) process.exitCode = 1
  const spread = `${Math.min(...costs).toFixed(1)} to ${Math.max(...costs).toFixed(1)}`
  const cells = [atFullSpeed, median(costs)].map((cost) => cost.toFixed(1).padStart(10))
  console.log(name.padEnd(56), ...cells, ` ${spread}`)
}
