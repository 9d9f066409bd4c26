/**
 * Time of the main thread that a script takes at load: what Chromium's trace says of compiling it,
 * running it and calling its functions, until a moment after the title of the first page view is read.
 * Each load is a first visit: a fresh profile, nothing in a cache. The thread's own time counts, not
 * that in which it waited or the machine ran something else.
 */
import type { Browser } from "puppeteer-core"
import { launchBrowser } from "../test/browser/support/browsers.ts"
import { Collector } from "../test/browser/support/collector.ts"
import type { ComposedSettings } from "../test/browser/support/composed-script.ts"
import { PIXEL_ID } from "../test/support/script.ts"

/** Of the page's own timers; the title is read after 50 ms. */
const QUIET_MS = 150
/** Names of the trace's events that carry the address of the script they work on. */
const WORK = new Set(["EvaluateScript", "v8.compile", "FunctionCall"])
/** What no script that keeps an id and sends a page view can do without. */
const FLOOR = `
  const id = /id=(\\d+)/.exec(document.cookie + localStorage.id) || Math.random()
  document.cookie = "id=" + id
  localStorage.id = id
  fetch("/p/${PIXEL_ID}/e", { method: "POST", body: '{"events":[]}', keepalive: true })
  window.footfall = { getVisitorId: () => id }`

export interface LoadOptions {
  /** Of the pixel whose script is loaded; none for the floor, a script that is bare on purpose. */
  readonly settings: ComposedSettings | undefined
  readonly loads: number
  /** How many times slower the processor is than it is. */
  readonly slower: number
}

interface TraceEvent {
  readonly name: string
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly data?: { readonly url?: string } }
}

/** Milliseconds of each load. */
export const loadCostMs = async ({ loads, settings, slower }: LoadOptions): Promise<number[]> => {
  const collector = await Collector.start()
  const browser = await launchBrowser("Chromium")
  const address = `${collector.origin()}${settings ? `/p/${PIXEL_ID}.js` : "/floor.js"}`
  collector.pixels[PIXEL_ID] = settings ?? {}
  collector.pages["/"] = {
    html: `<!doctype html><title>Page</title><script async src="${address}"></script>`,
  }
  collector.pages["/floor.js"] = { html: FLOOR, headers: { "content-type": "text/javascript" } }
  const costs: number[] = []
  // The first one warms the browser up and does not count.
  for (let load = 0; load <= loads; load++) {
    const events = await traceOfLoad(browser, { page: collector.origin(), slower })
    costs.push(outermostMs(events.filter((event) => isWorkOn(address, event))))
  }
  await browser.close()
  await collector.close()
  return costs.slice(1)
}

const traceOfLoad = async (
  browser: Browser,
  { page: address, slower }: { readonly page: string; readonly slower: number },
): Promise<readonly TraceEvent[]> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.emulateTimezone("America/New_York")
  await page.emulateCPUThrottling(slower)
  await page.tracing.start({ categories: ["devtools.timeline", "v8", "v8.execute"] })
  await page.goto(`${address}/`)
  await page.waitForFunction("window.footfall && footfall.getVisitorId")
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  const trace = await page.tracing.stop()
  await context.close()
  if (!trace) throw new Error("Chromium gave no trace")
  // The trace event format: an object with this list.
  return (JSON.parse(Buffer.from(trace).toString()) as { traceEvents: TraceEvent[] }).traceEvents
}

const isWorkOn = (address: string, { args, name }: TraceEvent): boolean =>
  WORK.has(name) && args.data?.url === address

/** What runs inside of something that counts already counts once. */
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
