// The page with a consent banner, in Chromium: nothing happens before the visitor decides or after No. After Yes, a
// subscription creates a visitor that the Data API shows.
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { launchChromium, newVisitor } from "../support/chromium.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

const email = "jane@acme.example"

describe("the example page-with-pixel", needs("chromium"), () => {
  let server: TestServer
  let example: ChildProcess
  let address: string
  let browser: Browser
  let page: Page
  let batches: Array<string>

  beforeAll(async () => {
    server = await startServer()
    example = spawn(
      process.execPath,
      [fileURLToPath(new URL("../../../../examples/page-with-pixel/main.ts", import.meta.url))],
      {
        env: {
          PATH: process.env["PATH"],
          TMPDIR: process.env["TMPDIR"],
          PORT: String(await freePort()),
          FOOTFALL_API_KEY: server.apiKey,
          FOOTFALL_BASE_URL: server.url,
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    )
    const [line] = (await once(example.stdout!, "data")) as [Buffer]
    address = String(line).trim()
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    example?.kill("SIGINT")
    await server?.close()
  })

  beforeEach(async () => {
    page = await (await newVisitor(browser)).newPage()
    batches = []
    page.on("request", (request) => {
      if (request.method() === "POST") batches.push(request.url())
    })
    await page.goto(address)
    await page.waitForFunction("window.footfall && footfall.getVisitorId")
  })
  afterEach(() => page.context().close())

  const subscribe = async () => {
    await page.getByLabel("Work email").fill(email)
    await page.getByRole("button", { name: "Subscribe" }).click()
    await page.getByText("The first one comes tomorrow").waitFor()
  }
  const kept = () => page.locator("[data-kept]").textContent()

  it("asks for consent, and stores and sends nothing before a decision", async () => {
    await page.getByRole("region", { name: "Consent" }).waitFor()

    await subscribe()

    expect(batches).toEqual([])
    expect(await page.context().cookies()).toEqual([])
  })

  it("stores and sends nothing after No, and asks no more", async () => {
    await page.getByRole("button", { name: "No", exact: true }).click()

    await subscribe()

    expect(await page.getByRole("region", { name: "Consent" }).isVisible()).toBe(false)
    expect(await kept()).toBe("no cookie from the pixel")
    expect(batches).toEqual([])
  })

  it("recognizes the browser after Yes, and a subscriber becomes a visitor", async () => {
    await page.getByRole("button", { name: "Yes" }).click()
    await expect.poll(kept).toMatch(/^[\da-f-]{36}$/)

    await subscribe()
    await page.goto("about:blank")
    await expect
      .poll(() => server.sdk.visitors.get({ email }).catch(() => null), { timeout: 30_000 })
      .toMatchObject({ email, sessions: 1, pageviews: 2 })
  })

  it("forgets the browser when the decision changes to No", async () => {
    await page.getByRole("button", { name: "Yes" }).click()
    await expect.poll(kept).toMatch(/^[\da-f-]{36}$/)

    await page.getByRole("button", { name: "Privacy" }).click()
    await page.getByRole("button", { name: "No", exact: true }).click()

    await expect.poll(kept).toBe("no cookie from the pixel")
  })
})
