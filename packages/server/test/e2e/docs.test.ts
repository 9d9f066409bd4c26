// /docs in a real Chromium: under its content security policy, by keyboard, in both themes, from 390 pixels wide.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchChromium } from "../support/chromium.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

const ofTheConsole = createRequire(new URL("../../../console/package.json", import.meta.url))
const axe = readFileSync(ofTheConsole.resolve("axe-core/axe.min.js"), "utf8")

describe("/docs in a browser", needs("chromium"), () => {
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

  const open = async (
    at: string,
    { colorScheme = "light" as "light" | "dark", width = 1440 } = {},
  ): Promise<Page> => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    await page.goto(`${server.url}/docs${at}`)
    await page.getByRole("tab").first().waitFor({ state: "attached" })
    return page
  }

  /** An operation on the page. */
  const operation = (page: Page, id: string) => page.locator(`[id="${id}"]`)

  it("violates no rule of its policy, contacts no other server, and runs only its own script", async () => {
    const page = await (await browser.newContext()).newPage()
    const refused: Array<string> = []
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text())
    })
    const elsewhere: Array<string> = []
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url)) elsewhere.push(request.url())
    })

    await page.goto(`${server.url}/docs`)
    await page.getByRole("tab").first().waitFor()

    expect(refused).toEqual([])
    expect(elsewhere).toEqual([])
    const ran = await page.evaluate(`{
      const script = document.createElement("script")
      script.textContent = "globalThis.foreign = true"
      document.body.append(script)
      "foreign" in globalThis
    }`)
    expect(ran).toBe(false)
    await page.context().close()
  })

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "has no accessibility violation in the %s theme, and nothing wider than %i pixels",
    async (colorScheme, width) => {
      const page = await open("#destinations.create", { colorScheme, width })
      await page.evaluate(axe)
      // Checks one of 121 similar operations, and the page around them.
      const violations = await page.evaluate(`axe.run({
        include: [["header"], ["nav"], ["#start"], ["[id='destinations.create']"], ["#errors"]],
      }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`)

      expect(violations).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      await page.context().close()
    },
  )

  it("goes to an operation by its URL, also to one that a search has hidden", async () => {
    const page = await open("#webhooks.rotateSecret")
    const heading = operation(page, "webhooks.rotateSecret").getByRole("heading", { level: 3 })
    await expect.poll(() => heading.first().isVisible()).toBe(true)

    await page.keyboard.press("/")
    await page.keyboard.type("graceHours destination secret")
    await expect.poll(() => page.getByRole("status").textContent()).toBe("1 operation")
    expect(await operation(page, "webhooks.rotateSecret").isVisible()).toBe(false)
    expect(await operation(page, "destinationSecrets.rotate").isVisible()).toBe(true)
    expect(await page.getByRole("link", { name: "List pixels" }).count()).toBe(0)

    await page.evaluate(`location.hash = "#pixels.list"`)
    await expect.poll(() => operation(page, "pixels.list").isVisible()).toBe(true)
    expect(await page.getByRole("searchbox").inputValue()).toBe("")
    await page.context().close()
  })

  it("keeps working with a URL that is not an operation, and without clipboard access", async () => {
    const page = await (await browser.newContext()).newPage()
    const broke: Array<string> = []
    page.on("pageerror", ({ message }) => broke.push(message))
    await page.addInitScript(`Object.defineProperty(navigator, "clipboard", { value: undefined })`)
    await page.goto(`${server.url}/docs#%E0%A4%A`)
    await page.getByRole("tab").first().waitFor()

    await page.getByRole("button", { name: "Copy" }).first().click()

    await page.getByRole("button", { name: "Press Ctrl+C" }).waitFor()
    const selected = String(await page.evaluate("getSelection().toString()")).trim()
    expect(selected).not.toBe("")
    expect(await page.locator("pre").first().textContent()).toContain(selected.split("\n")[0])
    expect(broke).toEqual([])
    await page.context().close()
  })

  it("has one choice of curl, SDK or CLI for all operations, which arrow keys change and which is kept", async () => {
    const page = await open("#pixels.create")
    const create = operation(page, "pixels.create")
    await create.getByRole("tab", { name: "curl" }).focus()
    await page.keyboard.press("ArrowRight")

    expect(await create.getByRole("tab", { name: "SDK" }).getAttribute("aria-selected")).toBe(
      "true",
    )
    expect(await create.getByRole("tabpanel").textContent()).toContain("footfall.pixels.create(")
    const other = operation(page, "segments.create").getByRole("tabpanel", {
      includeHidden: false,
    })
    expect(await other.textContent()).toContain("footfall.segments.create(")

    await page.reload()
    await expect
      .poll(() => create.getByRole("tabpanel").textContent())
      .toContain("footfall.pixels.create(")
    await page.context().close()
  })

  it("shows the operations behind a button in a narrow window, and closes them after a choice", async () => {
    const page = await open("", { width: 390 })
    const menu = page.getByRole("button", { name: "Operations" })
    const link = page.getByRole("navigation").getByRole("link", { name: "Create a pixel" })
    expect(await link.count()).toBe(0)

    await menu.click()
    await link.click()

    expect(await menu.getAttribute("aria-expanded")).toBe("false")
    expect(new URL(page.url()).hash).toBe("#pixels.create")
    await page.context().close()
  })

  it("uses the system's theme until another one is chosen", async () => {
    const page = await open("", { colorScheme: "dark" })
    const paper = () => page.evaluate("getComputedStyle(document.body).backgroundColor")
    const dark = await paper()

    await page.getByRole("button", { name: "Light theme" }).click()

    expect(await paper()).not.toBe(dark)
    await page.reload()
    expect(await paper()).not.toBe(dark)
    await page.context().close()
  })
})
