/**
 * Time of the main thread that a script takes at load: what Chromium's trace says of compiling it,
 * running it and calling its functions, until a moment after the title of the first page view is read.
 * Each load is a first visit: a fresh profile, nothing in a cache, the processor 6 times slower.
 */
import type { Browser } from "puppeteer-core"
import { launchBrowser } from "../test/browser/support/browsers.ts"
import { Collector } from "../test/browser/support/collector.ts"
import type { ComposedSettings } from "../test/browser/support/composed-script.ts"
import { PIXEL_ID } from "../test/support/script.ts"

const SLOWER = 6
/** Of the page's own timers; the title is read after 50 ms. */
const QUIET_MS = 300
/** Names of the trace's events that carry the address of the script they work on. */
const WORK = new Set(["EvaluateScript", "v8.compile", "FunctionCall"])

interface TraceEvent {
  readonly name: string
  readonly ts: number
  readonly dur?: number
  /** Of the thread itself: without the time in which the machine ran something else. */
  readonly tdur?: number
  readonly args: { readonly data?: { readonly url?: string } }
}

export const loadCostMs = async (settings: ComposedSettings, loads: number): Promise<number[]> => {
  const collector = await Collector.start()
  const browser = await launchBrowser("Chromium")
  collector.pixels[PIXEL_ID] = settings
  collector.pages["/"] = {
    html: `<!doctype html><title>Page</title><script async src="${collector.origin()}/p/${PIXEL_ID}.js"></script>`,
  }
  const costs: number[] = []
  // The first one warms the browser up and does not count.
  for (let load = 0; load <= loads; load++) costs.push(await costOfLoad(browser, collector))
  await browser.close()
  await collector.close()
  return costs.slice(1)
}

const costOfLoad = async (browser: Browser, collector: Collector): Promise<number> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.emulateTimezone("America/New_York")
  await page.emulateCPUThrottling(SLOWER)
  await page.tracing.start({ categories: ["devtools.timeline", "v8", "v8.execute"] })
  await page.goto(`${collector.origin()}/`)
  await page.waitForFunction("window.footfall && footfall.getVisitorId")
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  const trace = await page.tracing.stop()
  await context.close()
  if (!trace) throw new Error("Chromium gave no trace")
  // The format of a trace file: https://chromium.googlesource.com/catapult, trace event format.
  const { traceEvents } = JSON.parse(Buffer.from(trace).toString()) as { traceEvents: TraceEvent[] }
  return outermostMs(traceEvents.filter((event) => isWorkOn(`${collector.origin()}/p/`, event)))
}

const isWorkOn = (address: string, { args, name }: TraceEvent): boolean =>
  WORK.has(name) && args.data?.url?.startsWith(address) === true

/** In milliseconds: what runs inside of something that counts already counts once. */
const outermostMs = (events: readonly TraceEvent[]): number => {
  let end = 0
  let sum = 0
  for (const { dur = 0, tdur = dur, ts } of events.toSorted((one, other) => one.ts - other.ts)) {
    if (ts >= end) sum += tdur
    end = Math.max(end, ts + dur)
  }
  if (events.length === 0) throw new Error("The trace does not have the script")
  return sum / 1000
}
