/**
 * A page in happy-dom with the script, and a server that only records. The clock stands still until
 * a test advances it (`vi.useFakeTimers` must be on). Every page is a new browser realm.
 */
import { Window } from "happy-dom"
import { vi } from "vitest"
import { PIXEL_ID, scriptText } from "./script.ts"

export interface SentEvent {
  readonly [field: string]: unknown
}

export interface SentBatch {
  readonly [field: string]: unknown
  readonly events: readonly SentEvent[]
}

type Answer = number | Error | { readonly status: number; readonly retryAfter?: string }

interface Request {
  readonly address: string
  readonly init: { readonly [option: string]: unknown }
  readonly batch: SentBatch
}

export interface PageOptions {
  readonly url?: string
  readonly src?: string
  readonly settings?: object
  /** The file of the build. Default: the one with every part. `none`: no script. */
  readonly script?: string
  readonly attributes?: { readonly [name: string]: string }
  /** Runs in the page before the script, to break things or push commands. */
  readonly before?: string
  readonly visibility?: "hidden"
  /** Cookies and local storage of an earlier page. */
  readonly earlier?: Page
}

export interface Page {
  readonly window: Window
  readonly requests: readonly Request[]
  /**
   * The next responses, in order: a status, an Error for no response, or a status with Retry-After.
   * Then 204.
   */
  readonly answers: Answer[]
  readonly beacons: readonly SentBatch[]
  readonly consoleLines: readonly string[]
  /** Runs code in the page. */
  run(code: string): unknown
  load(settings?: object): void
  advance(milliseconds: number): Promise<void>
  batches(): readonly SentBatch[]
  events(type?: string): readonly SentEvent[]
  setVisibility(state: "visible" | "hidden"): void
}

export const SCRIPT_URL = `https://pixel.example/p/${PIXEL_ID}.js`

export const openPage = (options: PageOptions = {}): Page => {
  const window = new Window({
    url: options.url ?? "https://www.tidewater.example/",
    settings: {
      disableJavaScriptFileLoading: true,
      handleDisabledFileLoadingAsSuccess: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      enableJavaScriptEvaluation: true,
    },
  })
  const requests: Request[] = []
  const beacons: SentBatch[] = []
  const answers: Answer[] = []
  const consoleLines: string[] = []
  const run = (code: string): unknown => window.eval(code)
  let visibility: string = options.visibility ?? "visible"

  const say =
    (level: string) =>
    (...parts: unknown[]) =>
      void consoleLines.push([level, ...parts].join(" "))
  // Browser features that happy-dom lacks, and those that a test must observe or control.
  Object.assign(window, {
    setTimeout,
    clearTimeout,
    setInterval,
    clearInterval,
    Date,
    console: { debug: say("debug"), warn: say("warn"), error: say("error") },
    fetch: async (address: string, init: { body: string }) => {
      const answer = answers.shift() ?? 204
      requests.push({ address, init, batch: JSON.parse(init.body) as SentBatch })
      if (answer instanceof Error) throw answer
      const { status, retryAfter = null } = typeof answer === "number" ? { status: answer } : answer
      return { status, headers: new Map([["retry-after", retryAfter]]) }
    },
  })
  run("Object.defineProperty(Request.prototype, 'keepalive', { value: true, configurable: true })")
  Object.defineProperty(window.document, "hidden", {
    get: () => visibility === "hidden",
    configurable: true,
  })
  Object.defineProperty(window.navigator, "webdriver", { value: false, configurable: true })
  Object.defineProperty(window.navigator, "sendBeacon", {
    value: (_address: string, body: string) => beacons.push(JSON.parse(body) as SentBatch) > 0,
  })
  if (options.earlier) {
    window.document.cookie = options.earlier.window.document.cookie + ";path=/"
    for (const [name, value] of Object.entries(options.earlier.window.localStorage)) {
      window.localStorage.setItem(name, String(value))
    }
  }

  // No layout either: every element takes up room.
  for (const side of ["offsetWidth", "offsetHeight"]) {
    Object.defineProperty(window.HTMLElement.prototype, side, { value: 20, configurable: true })
  }

  const tag = window.document.createElement("script")
  tag.setAttribute("src", options.src ?? SCRIPT_URL)
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    tag.setAttribute(name, value)
  }
  window.document.head.appendChild(tag)

  const load = (settings = options.settings ?? {}) => {
    Object.defineProperty(window.document, "currentScript", { value: tag, configurable: true })
    run(scriptText(settings, options.script))
    Object.defineProperty(window.document, "currentScript", { value: null, configurable: true })
  }

  if (options.before) run(options.before)
  if (options.script !== "none") load()
  return {
    window,
    requests,
    answers,
    beacons,
    consoleLines,
    run,
    load,
    advance: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    batches: () => requests.map((request) => request.batch),
    events: (type) =>
      requests
        .flatMap((request) => request.batch.events)
        .filter((event) => type === undefined || event["type"] === type),
    setVisibility: (state) => {
      visibility = state
      window.document.dispatchEvent(new window.Event("visibilitychange"))
    },
  }
}
