// /docs in a real Chromium: the reference is drawn under its content security policy.
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasChromium, launchChromium } from "../support/chromium.ts"
import { startServer, type TestServer } from "../support/server.ts"

describe.skipIf(!hasChromium)("/docs in a browser", () => {
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

  it("shows the operations, breaks no rule of its policy, and runs no script that is not its own", async () => {
    const page = await browser.newPage()
    const refused: Array<string> = []
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text())
    })
    const elsewhere: Array<string> = []
    page.on("request", (request) => {
      const url = request.url()
      if (!url.startsWith(server.url) && !/^(data|blob):/.test(url)) elsewhere.push(url)
    })

    await page.goto(`${server.url}/docs`)
    await page.getByText("/v1/data/pixels").first().waitFor({ state: "attached" })

    expect(refused).toEqual([])
    expect(elsewhere).toEqual([])
    const ran = await page.evaluate(`{
      const script = document.createElement("script")
      script.textContent = "globalThis.foreign = true"
      document.body.append(script)
      "foreign" in globalThis
    }`)
    expect(ran).toBe(false)
    await page.close()
  })
})
