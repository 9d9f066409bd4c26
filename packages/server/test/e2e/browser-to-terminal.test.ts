// The whole way, everything real: Chromium on the demo page of a built server with its embedded
// Postgres, then the command line with the profile the server wrote, then the SDK. What a browser did
// is what a terminal shows, and it is still there after a second start.
import { Footfall } from "@footfall/sdk"
import { createHash } from "node:crypto"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasChromium, launchChromium, newVisitor } from "../support/chromium.ts"
import {
  killLeftServers,
  makeServerHome,
  runCommand,
  ServerProcess,
  type Ready,
  type ServerHome,
} from "../support/server-process.ts"

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

describe.skipIf(!hasChromium)("from a browser to a terminal", () => {
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

  /** Arrives from a newsletter, looks at two sub-pages, fills in the form on the second. */
  const browse = async (page: Page): Promise<void> => {
    await page.goto(`${ready.url}/demo${campaign}`)
    await page.getByRole("link", { name: "Pricing", exact: true }).click()
    await page.getByRole("navigation").getByRole("link", { name: "Book a demo" }).click()
    await page.getByLabel("Work e-mail").fill(` ${email.toUpperCase()} `)
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

  it("the page shows its visitor what the server knows", async () => {
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

  it("the command line shows the visitor, by the profile the server wrote", async () => {
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

  it("the SDK gives the same visitor as the command line", async () => {
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
    // The sample's people have addresses at made-up companies as Jane does; she alone was on the page.
    const onDemo = visitors.filter((one) => pathsOf(one.visitedPages).includes("/demo"))
    expect(onDemo.map((one) => one.email)).toEqual([email])
  })

  it("a visit after the first identification is the same visitor's", async () => {
    await jane.getByRole("navigation").getByRole("link", { name: "Blog" }).click()
    await jane.locator(".trail li", { hasText: "/demo/blog" }).waitFor()

    const visitor = await sdk().visitors.get({ email })
    expect(visitor).toMatchObject({ sessions: 1, pageviews: 4 })
  })

  it("Ctrl-C ends the server with 0; a second start keeps everything and says the same key", async () => {
    const before = await sdk().visitors.get({ email })
    const people = (await sdk().visitors.list({ timeframe: "all" })).meta.total

    expect(await server.stop()).toBe(0)
    server = await ServerProcess.start(home, "--demo")

    expect(await server.ready).toEqual(ready)
    expect(await sdk().visitors.get({ email })).toEqual(before)
    expect((await sdk().visitors.list({ timeframe: "all" })).meta.total).toBe(people)
    expect(await cli("visitors", "get", email)).toMatchObject({ data: { email } })
  })
})
