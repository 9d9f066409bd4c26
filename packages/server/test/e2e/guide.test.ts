// /guide in a real Chromium, if `npm run docs` has built it, as CI does: under its content security policy, with its
// search, in both themes, from 390 pixels wide.
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchChromium } from "../support/chromium.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

describe("/guide in a browser", needs("chromium", "guide"), () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer({ workers: false })
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)(
    "violates no rule of its policy, contacts no other server and fits: %s, %d pixels",
    async (colorScheme, width) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
      const page = await context.newPage()
      const problems: Array<string> = []
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text())
      })
      page.on("pageerror", ({ message }) => problems.push(message))
      page.on("request", (request) => {
        const isOwn = request.url().startsWith(`${server.url}/guide/`)
        if (!isOwn && !request.url().startsWith("data:")) problems.push(request.url())
      })

      await page.goto(`${server.url}/guide/explanation/how-it-works`)
      await page.getByRole("heading", { level: 1, name: "How Footfall works" }).waitFor()
      await page.locator("img.diagram").first().waitFor()
      await page.goto(`${server.url}/guide/`)
      await page.getByRole("link", { name: "The tutorial" }).click()
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "audience" }).waitFor()

      expect(problems).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      await context.close()
    },
  )

  it("finds a page by its words", async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${server.url}/guide/`)
    await page.getByRole("button", { name: "Search" }).click()
    await page.getByRole("searchbox").fill("keep customers out")

    await page
      .getByRole("option")
      .filter({ hasText: "Keep customers out, every night" })
      .first()
      .click()
    await page.waitForURL(/\/guide\/how-to\/suppress-customers/)
  })
})
