/**
 * Time of the main thread that scripts take at load: what Chromium's trace says of compiling them,
 * running them and calling their functions, until a moment after the title of the first page view is
 * read. Nothing else of the page counts, and neither does time in which the thread waited or the
 * machine ran something else. Each load is a first visit: a fresh profile, nothing in a cache.
 *
 * The scripts take turns, so a machine that gets busy is busy for all of them.
 */
import type { Browser } from "puppeteer-core"
import { launchBrowser } from "../test/browser/support/browsers.ts"
import { Collector } from "../test/browser/support/collector.ts"
import type { ComposedSettings } from "../test/browser/support/composed-script.ts"
import { median } from "./median.ts"

/** Of the page's own timers; the title is read after 50 ms. */
const QUIET_MS = 150
/** Names of the trace's events that carry the address of the script they work on. */
const WORK = new Set(["EvaluateScript", "v8.compile", "FunctionCall"])
/** Set by every page when its script has run. */
const DONE = "window.isDone"

/** A text, or the settings of a pixel that has a script of its own. */
export type BenchScript = string | ComposedSettings

export interface LoadCost {
  /** Milliseconds of the task that the script's arrival is, medians: the page waits for this. */
  readonly atOnce: number
  /** And with what the script does later, when the browser is idle or a timer rings. */
  readonly inAll: number
  /** Of the least and the most expensive load. */
  readonly range: readonly [number, number]
}

export interface LoadOptions {
  readonly scripts: readonly BenchScript[]
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

/** In the order of the scripts. */
export const loadCosts = async (options: LoadOptions): Promise<readonly LoadCost[]> => {
  const collector = await Collector.start()
  const browser = await launchBrowser("Chromium")
  const visits = options.scripts.map((script, index) => visitOf(collector, { script, index }))
  const rounds: (readonly LoadTimes[])[] = []
  // The first round warms the browser up and does not count.
  for (let load = 0; load <= options.loads; load++) {
    const round: LoadTimes[] = []
    for (const visit of visits) round.push(await timesOf(browser, visit, options.slower))
    if (load > 0) rounds.push(round)
  }
  await browser.close()
  await collector.close()
  return visits.map((_, index) => summary(rounds.flatMap((round) => round[index] ?? [])))
}

interface Visit {
  readonly page: string
  readonly script: string
}

const visitOf = (
  collector: Collector,
  { index, script }: { readonly index: number; readonly script: BenchScript },
): Visit => {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`
  const path = `/p/${id}.js`
  if (typeof script === "string") {
    collector.pages[`/text/${index}.js`] = {
      html: script,
      headers: { "content-type": "text/javascript" },
    }
  } else {
    collector.pixels[id] = script
  }
  const address = collector.origin() + (typeof script === "string" ? `/text/${index}.js` : path)
  collector.pages[`/${index}`] = {
    html: `<!doctype html><title>Page</title><script async src="${address}" onload="isDone = 1"></script>`,
  }
  return { page: `${collector.origin()}/${index}`, script: address }
}

interface LoadTimes {
  readonly atOnce: number
  readonly inAll: number
}

const timesOf = async (browser: Browser, visit: Visit, slower: number): Promise<LoadTimes> => {
  const events = (await traceOf(browser, visit.page, slower)).filter(
    ({ args, name }) => WORK.has(name) && args.data?.url === visit.script,
  )
  const isLater = ({ name }: TraceEvent) => name === "FunctionCall"
  return { atOnce: outermostMs(events, isLater), inAll: outermostMs(events) }
}

const traceOf = async (
  browser: Browser,
  address: string,
  slower: number,
): Promise<readonly TraceEvent[]> => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.emulateTimezone("America/New_York")
  await page.emulateCPUThrottling(slower)
  await page.tracing.start({ categories: ["devtools.timeline", "v8", "v8.execute"] })
  await page.goto(address)
  await page.waitForFunction(DONE)
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  const trace = await page.tracing.stop()
  await context.close()
  if (!trace) throw new Error("Chromium gave no trace")
  // The trace event format: an object with this list.
  return (JSON.parse(Buffer.from(trace).toString()) as { traceEvents: TraceEvent[] }).traceEvents
}

/** What runs inside of something that counts already counts once. */
const outermostMs = (
  events: readonly TraceEvent[],
  isLeftOut: (event: TraceEvent) => boolean = () => false,
): number => {
  let end = 0
  let sum = 0
  for (const event of events.toSorted((one, other) => one.ts - other.ts)) {
    const { dur = 0, tdur = dur, ts } = event
    if (ts >= end && !isLeftOut(event)) sum += tdur
    end = Math.max(end, ts + dur)
  }
  if (events.length === 0) throw new Error("The trace does not have the script")
  return sum / 1000
}

const summary = (times: readonly LoadTimes[]): LoadCost => {
  const inAll = times.map((time) => time.inAll)
  return {
    atOnce: median(times.map(({ atOnce }) => atOnce)),
    inAll: median(inAll),
    range: [Math.min(...inAll), Math.max(...inAll)],
  }
}
