// A pixel as a site gets it: created through the API with settings, its composed script in a real Chromium on a
// separate site, and the result read from the Data API (spec 2.3, 6.1, 6.6, 6.7).
import type { PixelWithCode } from "@footfall/sdk"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { launchChromium, newVisitor } from "../support/chromium.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

interface SitePage {
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

const form = '<form action="/thanks"><input type="email" name="mail"><button>Send</button></form>'

describe("a pixel on a site", needs("chromium"), () => {
  let server: TestServer
  let site: Server
  let pages: Record<string, SitePage>
  let browser: Browser
  let page: Page
  let pixel: PixelWithCode
  let requests: Array<string>

  beforeAll(async () => {
    server = await startServer()
    pixel = await server.sdk.pixels.create({
      domain: "localhost",
      settings: { consent: "granted", emailCapture: "forms" },
    })
    await server.sdk.pixels.update(pixel.id, { excludedPaths: ["/private"] })
    pixel = await server.sdk.pixels.get(pixel.id)
    site = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost")
      const found = pages[pathname]
      if (found === undefined) return response.writeHead(404).end()
      return response
        .writeHead(200, { "content-type": "text/html; charset=utf-8", ...found.headers })
        .end(`<!doctype html><title>${pathname}</title>${found.html}`)
    }).listen(0, "127.0.0.1")
    await once(site, "listening")
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    site?.close()
    await server?.close()
  })

  beforeEach(async () => {
    pages = {}
    requests = []
    page = await (await newVisitor(browser)).newPage()
    page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`))
  })
  afterEach(() => page.context().close())

  const open = async (path: string) => {
    // A socket that listens on TCP has an address of this form.
    const { port } = site.address() as AddressInfo
    await page.goto(`http://localhost:${port}${path}`)
    await page.waitForFunction("window.footfall && footfall.getVisitorId")
  }
  /** Leaves the site and waits for the result of the visit. */
  const visitorAfter = async (email: string, fields: object) => {
    await page.goto("about:blank")
    await expect
      .poll(() => server.sdk.visitors.get({ email }).catch(() => null), { timeout: 30_000 })
      .toMatchObject(fields)
    return server.sdk.visitors.get({ email })
  }
  const batches = () => requests.filter((line) => line.startsWith("POST"))
  const scripts = () =>
    requests.filter((line) => line.includes(`/p/${pixel.id}`) && line.includes(".js"))

  it("an address sent with a form creates a visitor, with the pages before and after", async () => {
    const email = "form@acme.example"
    pages = { "/pricing": { html: pixel.code + form }, "/thanks": { html: pixel.code } }
    await open("/pricing?utm_source=newsletter&utm_medium=email")

    await page.fill("input", ` ${email.toUpperCase()}`)
    await page.click("button")
    await page.waitForURL(/thanks/)
    await page.evaluate("history.pushState({}, '', '/private/account')")
    await page.evaluate("history.pushState({}, '', '/next')")

    const visitor = await visitorAfter(email, { pageviews: 3 })
    expect(visitor).toMatchObject({
      email,
      sessions: 1,
      utmSource: "newsletter",
      pricingPageViews: 1,
    })
    const paths = visitor.visitedPages.map((url) => new URL(url).pathname)
    expect(paths).toEqual(["/next", "/thanks", "/pricing"])
    // One script for each of the two pages: it contains everything that the settings need.
    expect(scripts()).toHaveLength(2)
  })

  it("a mail link creates a visitor without a form, and its token is in no URL", async () => {
    const email = "link@acme.example"
    const { tokens } = await server.sdk.linkTokens.create({ people: [{ email }] })
    pages = { "/offer": { html: pixel.code } }

    await open(`/offer?_vid=${tokens[0]?.token}&utm_campaign=spring`)
    const search = await page.evaluate("location.search")

    // The server only has the hash, so it recognizes the visitor by the hash.
    await page.goto("about:blank")
    const find = async () => {
      const { data } = await server.sdk.visitors.list({ timeframe: "all" })
      return data.find(({ emailHash }) => emailHash === tokens[0]?.emailHash)
    }
    await expect.poll(find, { timeout: 30_000 }).toMatchObject({
      pageviews: 1,
      utmCampaign: "spring",
    })
    const visitor = await find()
    expect(search).toBe("?utm_campaign=spring")
    expect(JSON.stringify(visitor)).not.toContain("_vid")
  })

  it("the pinned script runs with its integrity and the policy lines of embed", async () => {
    const { contentSecurityPolicy, immutable } = pixel.embed
    const policy = `default-src 'none'; script-src ${contentSecurityPolicy.scriptSrc}; connect-src ${contentSecurityPolicy.connectSrc}`
    pages = {
      "/pinned": { html: immutable.code, headers: { "content-security-policy": policy } },
    }
    await open("/pinned")

    await page.evaluate("footfall.identify('pinned@acme.example')")

    await visitorAfter("pinned@acme.example", { pageviews: 1 })
    expect(scripts()).toEqual([`GET ${immutable.url}`])
  })

  it("a tag that asks for consent gets the full script, and sends nothing before", async () => {
    const email = "consent@acme.example"
    pages = { "/": { html: pixel.code.replace("<script", '<script data-consent="required"') } }
    await open("/")
    await page.evaluate(`footfall.identify("${email}")`)

    expect(scripts()).toHaveLength(2)
    expect(batches()).toEqual([])
    expect(await page.context().cookies()).toEqual([])
    await page.evaluate("footfall.consent('granted')")

    await visitorAfter(email, { pageviews: 1 })
  })

  it("with spa: hash, the route in the fragment is the page's path for reports, rules, filters and campaigns", async () => {
    const email = "route@harbor.example"
    await server.sdk.pixels.update(pixel.id, { settings: { consent: "granted", spa: "hash" } })
    const { code } = await server.sdk.pixels.get(pixel.id)
    pages = { "/shop/": { html: code } }
    await open("/shop/#/start?utm_source=journal&utm_medium=email&plan=pro")

    for (const fragment of [
      "#/pricing",
      "#ground",
      "#/pricing",
      "#/private/desk",
      "#!/demo?day=2",
    ]) {
      await page.evaluate(`location.hash = "${fragment}"`)
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 20))")
    }
    await page.evaluate(`footfall.identify("${email}")`)

    const visitor = await visitorAfter(email, { pageviews: 3 })
    expect(visitor).toMatchObject({
      sessions: 1,
      pricingPageViews: 1,
      demoPageViews: 1,
      utmSource: "journal",
      utmMedium: "email",
    })
    const paths = visitor.visitedPages.map((url) => new URL(url).pathname)
    expect(paths).toEqual(["/demo", "/pricing", "/start"])
    const { data: sessions } = await server.sdk.visitors.sessions(visitor.emailHash)
    expect(sessions).toMatchObject([{ uniquePages: 3, pageviews: 3 }])
    const found = async (value: string) => {
      const rule = { field: "behavior.visited_paths", op: "any_eq", value } as const
      const { data } = await server.sdk.visitors.query({
        ruleAst: { version: 1, rule },
      })
      return data.map((one) => one.email)
    }
    await expect.poll(() => found("/pricing"), { timeout: 30_000 }).toContain(email)
    expect(await found("/private/desk")).toEqual([])
    expect(await found("/shop/")).toEqual([])
  })

  it("a paused pixel only says why it does nothing", async () => {
    const lines: Array<string> = []
    page.on("console", (message) => lines.push(message.text()))
    await server.sdk.pixels.update(pixel.id, { status: "paused" })
    pages = { "/": { html: pixel.code } }

    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    await expect.poll(() => lines).toContain("footfall: the pixel is paused")

    expect(batches()).toEqual([])
    await server.sdk.pixels.update(pixel.id, { status: "active" })
  })
})
