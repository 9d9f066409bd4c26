/**
 * The script in a real Chromium, against a collector on loopback: what only a browser can show.
 * Prerendering is not among it: driven by playwright, Chromium asks for the page and never runs it;
 * `page-views.test.ts` has that rule.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { hasChromium, launchChromium } from "./support/chromium.ts"
import { Collector } from "./support/collector.ts"
import { PIXEL_ID } from "./support/script.ts"

describe.runIf(hasChromium)("in Chromium", { timeout: 30_000 }, () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let collector: Collector
  let pageErrors: string[]

  beforeAll(async () => {
    browser = await launchChromium()
  }, 60_000)
  afterAll(() => browser.close())

  beforeEach(async () => {
    collector = await Collector.start()
    context = await browser.newContext()
    page = await context.newPage()
    pageErrors = []
    page.on("pageerror", (error) => pageErrors.push(error.message))
  })
  afterEach(async () => {
    await context.close()
    await collector.close()
    expect(pageErrors).toEqual([])
  })

  const serve = (path: string, html: string, headers = {}) => {
    collector.pages[path] = { html: `<!doctype html><title>${path}</title>${html}`, headers }
  }
  const open = async (path: string) => {
    await page.goto(collector.origin() + path)
    await page.waitForFunction("window.footfall && footfall.getVisitorId")
  }
  /** Goes where no pixel is, so that the page is left for good and its events are sent. */
  const leave = async () => {
    serve("/left", "")
    await page.goto(collector.origin() + "/left")
  }
  const paths = () =>
    collector.events("page").map((event) => new URL(String(event["url"])).pathname)

  test("each path inside a single-page site is one page view, back and forward too", async () => {
    serve("/", collector.tag)
    await open("/")

    await page.evaluate("history.pushState({}, '', '/pushed')")
    await page.evaluate("history.pushState({}, '', '/pushed?page=2')")
    await page.evaluate("history.replaceState({}, '', '/replaced')")
    await page.evaluate("location.hash = 'end'")
    await page.goBack()
    await page.goBack()
    await page.goForward()
    await leave()

    await collector.waitFor("page", 5)
    expect(paths()).toEqual(["/", "/pushed", "/replaced", "/pushed", "/replaced"])
  })

  test("events that wait arrive when the page is left, with one id over several pages", async () => {
    serve("/first", collector.tag)
    serve("/second", collector.tag)

    await open("/first")
    await page.evaluate("footfall.track('clicked', { n: 1 })")
    await open("/second")
    await leave()

    await collector.waitFor("page", 2)
    expect(paths()).toEqual(["/first", "/second"])
    expect(collector.events("track")).toMatchObject([{ name: "clicked", props: { n: 1 } }])
    expect(new Set(collector.batches.map((batch) => batch["anonymousId"])).size).toBe(1)
    expect(collector.events("page")[1]).toMatchObject({
      referrer: null,
      title: "/second",
    })
  })

  test("what a page tracks while it is left arrives too", async () => {
    serve(
      "/",
      `${collector.tag}<script>addEventListener("pagehide", () => footfall.track("bye"))</script>`,
    )
    await open("/")

    await leave()

    expect(await collector.waitFor("track", 1)).toMatchObject([{ name: "bye" }])
  })

  test("a page restored from the back-forward cache is a page view, and the cache stays usable", async () => {
    // The pages move by themselves: what drives the browser loses a restored page from sight.
    serve(
      "/cached",
      `${collector.tag}<script>
         addEventListener("pageshow", (event) => {
           if (event.persisted) footfall.identify("jane@acme.example")
           else setTimeout(() => (location.href = "/away"), 300)
         })
       </script>`,
    )
    serve("/away", "<script>onload = () => setTimeout(() => history.back(), 300)</script>")

    await page.goto(collector.origin() + "/cached")
    await collector.waitFor("identify", 1)

    expect(paths()).toEqual(["/cached", "/cached"])
  })

  test("identify arrives at once, as text/plain, without cookies and without preflight", async () => {
    serve("/", collector.tag)
    await open("/")
    await context.addCookies([{ name: "own", value: "1", url: collector.origin() }])

    await page.evaluate("footfall.identify(' Jane@Acme.example', { firstName: 'Jane' })")
    const [event] = await collector.waitFor("identify", 1)

    expect(event).toMatchObject({ email: "jane@acme.example", traits: { firstName: "Jane" } })
    expect(paths()).toEqual(["/"])
    expect(collector.headers[0]).toMatchObject({ "content-type": "text/plain;charset=UTF-8" })
    expect(collector.headers[0]).not.toHaveProperty("cookie")
  })

  test("from another site the batches arrive all the same", async () => {
    serve("/", collector.tag)

    await page.goto(collector.origin("localhost") + "/?utm_source=newsletter&gclid=abc")
    await page.waitForFunction("window.footfall && footfall.identify")
    await page.evaluate("footfall.identify('jane@acme.example')")
    await collector.waitFor("identify", 1)

    expect(collector.headers[0]).toMatchObject({ origin: collector.origin("localhost") })
    expect(collector.events("page")[0]?.["url"]).toMatch(/\/\?utm_source=newsletter&gclid=abc$/)
  })

  test("commands before loading, a double load, attribution and the tag's options", async () => {
    const src = `/p/${PIXEL_ID}.js?plan=trial&token=hunter2`
    serve(
      "/",
      `<script>
         (window.footfall = window.footfall || []).push(["identify", "jane@acme.example"])
         footfall.push(["ready", () => document.documentElement.dataset.ready = "yes"])
       </script>
       <script data-debug data-cookies="none" src="${src}"></script>
       <script src="/p/${PIXEL_ID}.js?plan=second"></script>`,
    )
    const warnings: string[] = []
    page.on("console", (message) => warnings.push(message.text()))

    await open("/")
    await collector.waitFor("identify", 1)
    await page.waitForSelector("html[data-ready=yes]")
    await leave()

    expect(paths()).toEqual(["/"])
    expect(collector.events("identify")).toHaveLength(1)
    expect(await page.evaluate("document.cookie")).toBe("")
    expect(collector.batches[0]).toMatchObject({ debug: true, attribution: { plan: "trial" } })
    expect(warnings).toContain("footfall: secret dropped: token")
  })

  test("the id is stored once, Lax, for 13 months, and reset replaces it", async () => {
    serve("/", collector.tag)
    await open("/")
    const first = await page.evaluate("footfall.getVisitorId()")

    const [cookie] = await context.cookies()
    await page.evaluate("footfall.reset()")
    const [second] = await context.cookies()

    expect(cookie).toMatchObject({ name: "footfall_id", value: first, sameSite: "Lax", path: "/" })
    const days = ((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(394)
    expect(days).toBeLessThan(396)
    expect(second?.value).not.toBe(first)
    expect(await page.evaluate("localStorage.footfall_id")).toContain(second?.value)
  })

  test("a strict content security policy with a nonce is enough", async () => {
    const policy = `default-src 'none'; script-src 'nonce-abc'; connect-src ${collector.origin()}`
    serve("/", collector.tag.replace("<script", '<script nonce="abc"'), {
      "content-security-policy": policy,
    })
    const complaints: string[] = []
    page.on("console", (message) => complaints.push(message.text()))

    await open("/")
    await leave()

    await collector.waitFor("page", 1)
    expect(complaints.filter((text) => /Content Security Policy/i.test(text))).toEqual([])
  })

  test("a sandboxed frame, where all storage is blocked, still counts", async () => {
    serve("/frame", collector.tag)
    serve("/", `<iframe sandbox="allow-scripts" src="/frame"></iframe>`)

    await page.goto(collector.origin() + "/")
    await collector.waitFor("page", 1)

    expect(paths()).toEqual(["/frame"])
    expect(collector.batches[0]?.["anonymousId"]).toEqual(expect.any(String))
  })

  test("a page with broken built-ins keeps working, and so does the script", async () => {
    serve(
      "/",
      `<script>
         Array.prototype.toJSON = String.prototype.unused = () => "broken"
         Array.prototype.push = Array.prototype.map = Array.prototype.forEach = () => { throw new Error("patched") }
         Object.prototype.extra = () => {}
         Object.freeze(JSON)
       </script>${collector.tag}`,
    )
    await open("/")

    await page.evaluate("footfall.track('buy', { n: 1 }); history.pushState({}, '', '/b')")
    await leave()

    await collector.waitFor("page", 2)
    expect(paths()).toEqual(["/", "/b"])
    expect(collector.events("track")).toMatchObject([{ name: "buy", props: { n: 1 } }])
  })

  test("Global Privacy Control: no cookie, no storage, no id, no identify", async () => {
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
    )
    serve("/", collector.tag)
    await open("/")

    await page.evaluate("footfall.identify('jane@acme.example'); footfall.track('end')")
    await leave()

    await collector.waitFor("track", 1)
    expect(collector.events("identify")).toEqual([])
    expect(collector.batches[0]).toMatchObject({
      anonymousId: null,
      consent: "anonymous",
      gpc: true,
    })
    expect(await context.cookies()).toEqual([])
    expect(await page.evaluate("localStorage.length")).toBe(0)
  })

  test("a server that is down for a moment gets the batch 5 seconds later", async () => {
    collector.answers.push(503)
    serve("/", collector.tag)
    await open("/")

    await page.evaluate("footfall.identify('jane@acme.example')")
    const events = await collector.waitFor("identify", 2)

    expect(events[0]?.["id"]).toBe(events[1]?.["id"])
  })
})
