// The whole path with real components: Chromium on the demo page of a built server with its embedded Postgres, then the
// command line with the profile that the server wrote, then the SDK. A terminal shows what a browser did, and still
// does after a second start.
import { Footfall } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchChromium, newVisitor } from "../support/chromium.ts"
import {
  killLeftServers,
  makeServerHome,
  runCommand,
  ServerProcess,
  type Ready,
  type ServerHome,
} from "../support/server-process.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

const email = "jane.mercer@harbor-logistics.example"
const campaign = "?utm_source=newsletter&utm_medium=email&utm_campaign=spring-launch"
const hashOf = (algorithm: string) => createHash(algorithm).update(email).digest("hex")

const identifiedJane = {
  email,
  emailHash: hashOf("sha256"),
  emailHashes: { sha256: hashOf("sha256"), sha1: hashOf("sha1"), md5: hashOf("md5") },
  emails: [email],
  businessEmails: [email],
  personalEmails: [],
  firstName: "Jane",
  companyName: "Harbor Logistics",
  sessions: 1,
  pageviews: 3,
  pricingPageViews: 1,
  demoPageViews: 1,
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  utmTerm: null,
  suppressed: false,
}

const herSession = {
  pageviews: 3,
  uniquePages: 3,
  pricingPageViews: 1,
  demoPageViews: 1,
  entryPage: "/demo",
  exitPage: "/demo/book-demo",
  channel: "email",
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  deviceType: "desktop",
  isFirstSession: true,
  isBounce: false,
  converted: true,
}

describe("from a browser to a terminal", needs("chromium"), () => {
  let home: ServerHome
  let server: ServerProcess
  let ready: Ready
  let browser: Browser
  let jane: Page
  let anonymous: Page

  beforeAll(async () => {
    home = await makeServerHome()
    server = await ServerProcess.start(home, "--demo")
    ready = await server.ready
    browser = await launchChromium()
    jane = await (await newVisitor(browser)).newPage()
    anonymous = await (await newVisitor(browser)).newPage()
    await browse(jane)
    await anonymous.goto(`${ready.url}/demo/blog`)
    await anonymous.locator('[data-field="pageviews"]', { hasText: "1" }).waitFor()
  })

  afterAll(async () => {
    await browser?.close()
    killLeftServers()
  })

  /** Arrives from a newsletter, views two pages, and fills in the form on the second. */
  const browse = async (page: Page): Promise<void> => {
    await page.goto(`${ready.url}/demo${campaign}`)
    await page.getByRole("link", { name: "Pricing", exact: true }).click()
    await page.getByRole("navigation").getByRole("link", { name: "Book a demo" }).click()
    await page.getByLabel("Work email").fill(` ${email.toUpperCase()} `)
    await page.getByLabel("First name").fill("Jane")
    await page.getByLabel("Company").fill("Harbor Logistics")
    await page.getByRole("button", { name: "Identify me" }).click()
    await page.locator('[data-state="identified"]').waitFor()
  }

  const demo = () => {
    if (ready.demo === undefined) throw new Error("The ready line has no demo")
    return ready.demo
  }
  const sdk = () => new Footfall({ baseUrl: ready.url, apiKey: demo().apiKey })
  const cli = async (...options: ReadonlyArray<string>) => {
    const { exitCode, stderr, stdout } = await runCommand(home, "footfall", ...options, "--json")
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
    return JSON.parse(stdout) as { readonly data: unknown }
  }
  const pathsOf = (urls: ReadonlyArray<string>) => urls.map((url) => new URL(url).pathname)

  it("the page shows visitors what the server knows about them", async () => {
    const panel = jane.getByRole("complementary")

    expect(await panel.locator('[data-field="name"]').textContent()).toBe("Jane")
    expect(await panel.locator(".counters dd").allTextContents()).toEqual(["1", "3", "1", "1"])
    expect(await panel.locator(".trail li").allTextContents()).toEqual([
      "/demo",
      "/demo/pricing",
      "/demo/book-demo",
    ])
    expect(await panel.locator('[data-field="facts"]').textContent()).toContain("Harbor Logistics")
    expect(await panel.locator('[data-field="labels"]').textContent()).toContain("spring-launch")
  })

  it("the command line shows the visitor, with the profile the server wrote", async () => {
    const { data } = await cli("visitors", "get", email)

    expect(data).toMatchObject({
      ...identifiedJane,
      landingPage: `${ready.url}/demo`,
      visitedPages: ["/demo/book-demo", "/demo/pricing", "/demo"].map((path) => ready.url + path),
      journey: {
        firstTouch: { path: "/demo", channel: "email", utmCampaign: "spring-launch" },
        sessions: [{ ...herSession, pixelId: demo().pixelId }],
      },
    })
  })

  it("the command line lists the visitor first, as the one seen last", async () => {
    const { data } = await cli("visitors", "list")

    expect(data).toMatchObject({ 0: identifiedJane })
  })

  it("the SDK returns the same visitor as the command line", async () => {
    const visitor = await sdk().visitors.get({ email })

    const { data } = await cli("visitors", "get", email)
    expect(visitor).toEqual(data)
    expect(pathsOf(visitor.visitedPages)).toEqual(["/demo/book-demo", "/demo/pricing", "/demo"])
    expect(visitor.journey.sessions).toMatchObject([herSession])
  })

  it("a browser that was not identified is in no list", async () => {
    expect(await anonymous.locator('[data-field="name"]').textContent()).toBe("Anonymous browser")

    const visitors = []
    for await (const visitor of sdk().visitors.list({ timeframe: "all" })) visitors.push(visitor)
    const onBlog = visitors.filter((one) => pathsOf(one.visitedPages).includes("/demo/blog"))
    expect(onBlog).toEqual([])
    // The sample's people have addresses at made-up companies like Jane, but only Jane visited the page.
    const onDemo = visitors.filter((one) => pathsOf(one.visitedPages).includes("/demo"))
    expect(onDemo.map((one) => one.email)).toEqual([email])
  })

  it("a visit after the first identification belongs to the same visitor", async () => {
    await jane.getByRole("navigation").getByRole("link", { name: "Blog" }).click()
    await jane.locator(".trail li", { hasText: "/demo/blog" }).waitFor()

    const visitor = await sdk().visitors.get({ email })
    expect(visitor).toMatchObject({ sessions: 1, pageviews: 4 })
  })

  const signal = (name: string) =>
    `Object.defineProperty(Navigator.prototype, "${name}", { get: () => true })`
  const blocked = (url: RegExp) => (context: BrowserContext) =>
    context.route(url, (route) => route.abort())
  /** Makes the page look as if it had been open for a minute. */
  const later = `const now = performance.now.bind(performance); performance.now = () => now() + 60_000`

  const openDemo = async (
    prepare: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve(),
    options: BrowserContextOptions = {},
  ) => {
    const context = await newVisitor(browser, options)
    await prepare(context)
    const page = await context.newPage()
    const batches: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "POST") batches.push(request.url())
    })
    await page.goto(`${ready.url}/demo`)
    return { page, batches }
  }
  const reason = (page: Page, words: string) =>
    page.locator('[data-state="unseen"]', { hasText: words }).waitFor()
  const isSeen = (page: Page) => page.locator('[data-state="anonymous"]').waitFor()

  it.each([
    [
      "a driven browser",
      "A program controls this browser",
      (context: BrowserContext) => context.addInitScript(signal("webdriver")),
      {},
    ],
    [
      "Global Privacy Control",
      "Global Privacy Control is on",
      (context: BrowserContext) => context.addInitScript(signal("globalPrivacyControl")),
      {},
    ],
    ["a blocked script", "Something blocks the pixel", blocked(/\/p\/[^/]+\.js/), {}],
    [
      "a blocked request",
      "Something blocks what the pixel sends",
      async (context: BrowserContext) => {
        await blocked(/\/p\/[^/]+\/e$/)(context)
        await context.addInitScript(later)
      },
      {},
    ],
    [
      "a bot user agent",
      "This browser calls itself a bot",
      () => Promise.resolve(),
      { userAgent: "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/145.0 Safari/537.36" },
    ],
  ] as const)("the page names %s as the reason", async (_name, words, prepare, options) => {
    const { page } = await openDemo(prepare, options)

    await reason(page, words)

    expect(await page.getByRole("status").filter({ hasText: /./ }).innerText()).toMatch(/\w+\./)
    await page.context().close()
  })

  it("the page asks for consent where it is needed, and sees the browser after that", async () => {
    const { batches, page } = await openDemo(undefined, { timezoneId: "Europe/Berlin" })
    await reason(page, "The pixel waits for your consent")
    expect(batches).toEqual([])

    await page.getByRole("button", { name: "Agree on this website" }).click()

    await isSeen(page)
    await page.context().close()
  })

  it("opting out on the server's page stops the pixel, and opting in again starts it", async () => {
    const { batches, page } = await openDemo()
    await isSeen(page)
    await page.goto(`${ready.url}/opt-out`)
    await page.getByRole("heading", { name: "Opt this browser out?" }).waitFor()
    expect(await page.context().cookies()).not.toContainEqual(
      expect.objectContaining({ name: "footfall_optout" }),
    )

    await page.getByRole("button", { name: "Opt out" }).click()
    await page.getByRole("heading", { name: "You are opted out" }).waitFor()
    expect(batches.length).toBeGreaterThan(0)
    // A new tab, because this one still has the script in memory.
    const next = await page.context().newPage()
    const later: Array<string> = []
    next.on("request", (request) => {
      if (request.method() === "POST") later.push(request.url())
    })
    await next.goto(`${ready.url}/demo/pricing`)
    await reason(next, "This browser opted out")
    await next.goto("about:blank")
    expect(later).toEqual([])

    await page.getByRole("button", { name: "Opt in again" }).click()
    await page.getByRole("heading", { name: "You are opted in" }).waitFor()
    await next.goto(`${ready.url}/demo/blog`)
    await isSeen(next)
    await page.context().close()
  })

  it("the page distinguishes opting out on the website from opting out on the server", async () => {
    const { page } = await openDemo()
    await isSeen(page)

    await page.evaluate("footfall.optOut()")
    await reason(page, "This browser opted out of this website")
    await page.getByRole("button", { name: "Opt in again" }).click()

    await isSeen(page)
    await page.context().close()
  })

  it("the page says that the pixel is paused", async () => {
    await sdk().pixels.update(demo().pixelId, { status: "paused" })
    const { page } = await openDemo()

    await reason(page, "The pixel is off")

    await sdk().pixels.update(demo().pixelId, { status: "active" })
    await page.context().close()
  })

  it("Ctrl-C ends the server with 0; a second start keeps everything and shows the same key", async () => {
    // An open page reports every 30 seconds that it is read, and once when it is left.
    await jane.context().close()
    await anonymous.context().close()
    const get = () => sdk().visitors.get({ email })
    let before = await get()
    const isSettled = async () => {
      const last = before
      before = await get()
      return isDeepStrictEqual(before, last)
    }
    await expect.poll(isSettled, { interval: 3_000, timeout: 60_000 }).toBe(true)
    const people = (await sdk().visitors.list({ timeframe: "all" })).meta.total

    expect(await server.stop()).toBe(0)
    server = await ServerProcess.start(home, "--demo")

    expect(await server.ready).toEqual(ready)
    expect(await sdk().visitors.get({ email })).toEqual(before)
    expect((await sdk().visitors.list({ timeframe: "all" })).meta.total).toBe(people)
    expect(await cli("visitors", "get", email)).toMatchObject({ data: { email } })
  })
})
