/**
 * The same cases in each browser. Every test gets a new profile, a new collector and one open page, and ends with a
 * check that no page it opened had an uncaught error. Starting Firefox costs as much processor time as ten tests, so
 * all cases of a browser are in one file and share one process of it.
 *
 * Visitors are in New York, outside the consent region, unless a test says otherwise.
 */
import type { Browser, BrowserContext, Cookie, Page } from "puppeteer-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest"
import { PIXEL_ID } from "../../support/script.ts"
import { browserNames, launchBrowser, NOT_DRIVEN } from "./browsers.ts"
import type { BrowserName, BrowserOptions } from "./browsers.ts"
import { Collector } from "./collector.ts"
import type { ComposedSettings } from "./composed-script.ts"
import { needs } from "../../../../../scripts/test-run/programs.ts"

export interface TagOptions {
  readonly id?: string
  readonly query?: string
  readonly attributes?: string
}

/** Which browsers to use, if not all of them, and how they start. */
export interface BrowserChoice extends BrowserOptions {
  readonly names?: readonly BrowserName[]
}

/**
 * Waits until the script of the page has run. It asks at intervals: a browser stops the animation frames of a tab that
 * is covered.
 */
export const hasRun = async (page: Page): Promise<void> => {
  await page.waitForFunction("window.footfall && footfall.getVisitorId", { polling: 50 })
}

export class Stage {
  collector!: Collector
  page!: Page
  context!: BrowserContext
  readonly pageErrors: string[] = []
  /** Parts of errors that come from the page or the browser, whenever they are reported. */
  readonly expectedErrors: string[] = []
  readonly consoleLines: string[] = []
  readonly name: BrowserName
  readonly #browser: Browser
  readonly #preloads = [NOT_DRIVEN]

  constructor(name: BrowserName, browser: Browser) {
    this.name = name
    this.#browser = browser
  }

  async start(): Promise<void> {
    this.collector = await Collector.start()
    this.context = await this.#browser.createBrowserContext()
    this.page = await this.newPage()
  }

  async close(): Promise<void> {
    await this.context.close()
    await this.collector.close()
  }

  /** A tab of the same profile. The code set with `before` runs there too. */
  async newPage(options: { readonly background?: boolean } = {}): Promise<Page> {
    const page = await this.context.newPage(options)
    await page.emulateTimezone("America/New_York")
    // The script ignores an automated browser.
    await page.evaluateOnNewDocument(
      "Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })",
    )
    for (const code of this.#preloads) await page.evaluateOnNewDocument(code)
    // Chromium and Firefox report a thrown error differently: one as an Error, one as a value.
    page.on("pageerror", (error) => this.pageErrors.push(String(error)))
    page.on("console", (message) => this.consoleLines.push(message.text()))
    return page
  }

  /** Runs in each page before any of its own code. */
  async before(code: string): Promise<void> {
    this.#preloads.push(code)
    await this.page.evaluateOnNewDocument(code)
  }

  /** Settings of the pixel, as the server embeds them. */
  set settings(settings: ComposedSettings) {
    this.collector.pixels[PIXEL_ID] = settings
  }

  tag({ attributes = "", id = PIXEL_ID, query = "" }: TagOptions = {}): string {
    return `<script async src="${this.collector.origin()}/p/${id}.js${query}" ${attributes}></script>`
  }

  serve(path: string, html = this.tag(), headers = {}): void {
    this.collector.pages[path] = { html: `<!doctype html><title>${path}</title>${html}`, headers }
  }

  /** Opens a page and waits until its script has run. */
  async open(path: string, host?: string): Promise<void> {
    await this.page.goto(this.collector.origin(host) + path)
    await hasRun(this.page)
  }

  run(code: string): Promise<unknown> {
    return this.page.evaluate(code)
  }

  /** Opens a page without a pixel, so that the previous page is left and sends its events. */
  async leave(): Promise<void> {
    this.serve("/left", "")
    await this.page.goto(`${this.collector.origin()}/left`)
  }

  /** The paths of all page views: tracks a last event, leaves the page, and waits for that event. */
  async pathsAtTheEnd(): Promise<readonly string[]> {
    await this.run("footfall.track('end')")
    await this.leave()
    await this.collector.waitFor("track", 1)
    return this.paths()
  }

  /** The paths of the page views so far, in the order in which they happened. */
  paths(): readonly string[] {
    return this.collector
      .stored("page")
      .toSorted((one, other) => Date.parse(String(one["time"])) - Date.parse(String(other["time"])))
      .map(({ url }) => new URL(String(url)).pathname)
  }

  /**
   * The cookies of every site. Chromium stores a cookie written to `document.cookie` a moment later, so this waits
   * until the page reads it back.
   */
  async cookies(): Promise<Cookie[]> {
    await this.run("document.cookie")
    return this.context.cookies()
  }

  /** Everything the browser stores for the page's site: cookies and every kind of storage. */
  async kept(): Promise<readonly string[]> {
    const stored = await this.run(
      `(async () => [
         ...Object.keys(localStorage), ...Object.keys(sessionStorage),
         ...(await indexedDB.databases()).map(({ name }) => name),
         ...(window.caches ? await caches.keys() : []),
       ])()`,
    )
    const cookies = await this.cookies()
    return [...cookies.map(({ name }) => name), ...(stored as string[])]
  }
}

/** Which cases of a subject run in which browser. */
export interface Where {
  /**
   * Declares cases for one browser only: those that only the script's own code decides, and that
   * use no browser feature that another case doesn't test in every browser.
   */
  readonly once: (declare: () => void) => void
  /**
   * Rows that differ only in what the script's own code decides: all of them in one browser, the
   * first one in the others.
   */
  readonly rows: <const Row>(rows: readonly Row[]) => readonly Row[]
}

/** The browser of a file, and the running test's stage, to declare a subject's cases. */
type Declare = (name: BrowserName, shared: () => Browser) => void

/** A subject: the same cases in each browser. `stage()` is the running test's. */
export const inBrowsers =
  (
    subject: string,
    cases: (stage: () => Stage, where: Where) => void,
    { names, ...options }: BrowserChoice = {},
  ): Declare =>
  (name, shared) => {
    if (names && !names.includes(name)) return
    // Only Chromium has a smaller form.
    const isOwn =
      options.preferences !== undefined || (options.whole === true && name === "Chromium")
    const isOne = name === browserNames[0]
    describe.each([subject])("%s", () => {
      let own: Browser | undefined
      let stage: Stage

      beforeAll(async () => void (isOwn && (own = await launchBrowser(name, options))), 60_000)
      afterAll(() => own?.close())
      beforeEach(async () => {
        stage = new Stage(name, own ?? shared())
        await stage.start()
      })
      afterEach(async () => {
        await stage.close()
        const isExpected = (error: string) =>
          stage.expectedErrors.some((part) => error.includes(part))
        expect(stage.pageErrors.filter((error) => !isExpected(error))).toEqual([])
      })

      cases(() => stage, {
        once: (declare) => void (isOne && declare()),
        rows: (rows) => (isOne ? rows : rows.slice(0, 1)),
      })
    })
  }

/** Declares the cases of all subjects in a browser. They share one process of it, and each test has its own profile. */
export const declareIn = (name: BrowserName, subjects: readonly Declare[]): void => {
  const options = { timeout: 90_000, ...needs(name === "Firefox" ? "firefox" : "chromium") }
  describe(`in ${name}`, options, () => {
    let browser: Browser
    beforeAll(async () => void (browser = await launchBrowser(name)), 60_000)
    afterAll(() => browser.close())
    for (const declare of subjects) declare(name, () => browser)
  })
}
