/**
 * Sizes of other trackers: their main files from npm, measured as ours on 2026-11-22. Where a package
 * has no file for a page, its module bundled (`esbuild --bundle --minify --format=esm`). Umami, matomo
 * and jitsu are not on npm as such a file; theirs were measured in September 2026.
 */
import type { Size } from "./size.ts"

export interface Tracker extends Size {
  readonly name: string
}

export const trackers: readonly Tracker[] = [
  { name: "fathom-client 3.7.2 (bundled; a loader only)", raw: 2391, gzip: 934, brotli: 765 },
  { name: "plausible-tracker 0.3.9 (bundled)", raw: 2333, gzip: 1127, brotli: 945 },
  { name: "insights-js 1.2.11", raw: 4989, gzip: 1809, brotli: 1601 },
  { name: "umami 3.1.0", raw: 4595, gzip: 2224, brotli: 1963 },
  { name: "@plausible-analytics/tracker 0.4.6 (bundled)", raw: 6117, gzip: 2608, brotli: 2303 },
  { name: "openpanel web 1.4.1", raw: 8929, gzip: 3262, brotli: 2912 },
  { name: "swetrix 4.6.1", raw: 21_702, gzip: 6194, brotli: 5474 },
  { name: "ackee-tracker 5.1.3", raw: 21_151, gzip: 8364, brotli: 7608 },
  { name: "snowplow browser-tracker 4.10.1", raw: 51_358, gzip: 17_423, brotli: 15_642 },
  { name: "matomo.js (October 2024)", raw: 67_474, gzip: 21_998, brotli: 19_064 },
  { name: "segment analytics-next 1.84.3", raw: 114_551, gzip: 31_322, brotli: 27_445 },
  { name: "mixpanel 2.83.0", raw: 104_067, gzip: 33_579, brotli: 29_489 },
  { name: "jitsu p.js 1.11.0", raw: 150_150, gzip: 39_680, brotli: 33_627 },
  { name: "amplitude 2.48.1", raw: 253_718, gzip: 68_867, brotli: 58_094 },
  { name: "rudderstack 3.34.1, lite", raw: 333_290, gzip: 85_477, brotli: 70_159 },
  { name: "posthog-js 1.449.2", raw: 379_782, gzip: 122_168, brotli: 102_457 },
]
