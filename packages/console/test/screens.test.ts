// Every screen opens by its URL, has no accessibility violation in either theme, is never wider
// than a window of 390 pixels or more, violates no rule of its content security policy, and
// contacts no other server. Hostile text stays text.
import type { Page, Request } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import {
  address,
  demoPixel,
  footfall,
  signIn,
  stage,
  useBrowser,
  visit,
} from "./support/console.ts"
import { makeScreens } from "./support/screens.ts"
import { violations } from "./support/violations.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

/** For all screens, on a shared machine. */
const screensMs = 300_000

const shown = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true })

/**
 * Waits for half a second without a request. Playwright's own `networkidle` only does so after a
 * load.
 */
const idleNetwork = (page: Page) => {
  const open = new Set<Request>()
  let changedAt = Date.now()
  page.on("request", (request) => {
    open.add(request)
    changedAt = Date.now()
  })
  for (const event of ["requestfinished", "requestfailed"] as const) {
    page.on(event as "requestfinished", (request) => {
      open.delete(request)
      changedAt = Date.now()
    })
  }
  return async () => {
    await expect.poll(() => open.size === 0 && Date.now() - changedAt >= 500).toBe(true)
  }
}

describe("every screen", needs("chromium"), () => {
  const newContext = useBrowser()
  const screens = new Map<string, string | RegExp>()

  beforeAll(async () => {
    for (const [path, text] of await makeScreens(footfall, stage.url)) screens.set(path, text)
  })

  const tooWide = async (page: Page): Promise<ReadonlyArray<string>> => {
    const wider = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    const lists = (await page.evaluate(
      `[...document.querySelectorAll(".list")].map((list) => list.scrollWidth - list.clientWidth)`,
    )) as ReadonlyArray<number>
    const width = page.viewportSize()!.width
    return [
      ...(wider > 0 ? [`${wider} pixels too wide at ${width}`] : []),
      ...(lists.some((more) => more > 0)
        ? [`a list whose columns are ${String(lists)} pixels too wide at ${width}`]
        : []),
    ]
  }

  const load = async (page: Page, path: string): Promise<void> => {
    await page.goto(address(path))
  }

  /**
   * Opens the screen as a link does, which takes a fifth of the processor time of a load. If the
   * current screen shows the same text, it first opens the next one, so that it waits for the right
   * text.
   */
  const follow = async (page: Page, path: string, text: string | RegExp): Promise<void> => {
    if ((await shown(page, text).count()) > 0) return load(page, path)
    await page.evaluate((url) => {
      history.pushState(null, "", url)
      dispatchEvent(new PopStateEvent("popstate"))
    }, address(path))
  }

  /** Opens each screen once. Returns what is wrong with it. */
  const faultsAt = async (
    context: { readonly width: number; readonly theme: "light" | "dark" },
    rules: "all" | "contrast",
    go: (page: Page, path: string, text: string | RegExp) => Promise<void>,
  ): Promise<ReadonlyArray<string>> => {
    const page = await signIn(await newContext(context))
    const idle = idleNetwork(page)
    const faults: Array<string> = []
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text())
    })
    page.on("pageerror", (error) => faults.push(error.message))
    page.on("request", (request) => {
      if (!request.url().startsWith(stage.url)) faults.push(`asked ${request.url()}`)
    })
    const { userCode } = await footfall.auth.startDeviceLogin({ clientName: "Screens" })
    // First, because a URL that differs only after `#` doesn't load a new page.
    const withCode = [`device#${userCode}`, "Approve only if you started"] as const
    for (const [path, text] of [withCode, ...screens]) {
      await go(page, path, text)
      await shown(page, text).first().waitFor()
      await idle()
      const found = [...(await tooWide(page)), ...(await violations(page, rules))]
      faults.push(...found.map((fault) => `${path}: ${fault}`))
    }
    return faults
  }

  it.each([
    ["light", 1280, "all", load],
    ["light", 390, "all", follow],
    // The first pass checked everything that doesn't depend on colors.
    ["dark", 2560, "contrast", follow],
  ] as const)(
    "is complete in %s at %i pixels, and contacts no other server",
    async (theme, width, rules, go) => {
      expect(await faultsAt({ theme, width }, rules, go)).toEqual([])
    },
    screensMs,
  )

  it.each([390, 1280])("fits %i pixels with names of 160 characters", async (width) => {
    const name = `Name${crypto.randomUUID()}`.repeat(4)
    const [topic] = await footfall.topics.search({ q: "freight" })
    const { id: audienceId } = await footfall.audiences.create({
      name,
      status: "active",
      config: { topicIds: [topic!.topicId] },
    })
    const { destination } = await footfall.destinations.create(audienceId, {
      destinationType: "webhook",
      name,
      url: `${stage.url.replace("http:", "https:")}/${"path".repeat(40)}`,
      eventTypes: ["intent.audience.contact.upserted"],
    })
    const run = await footfall.runs.start(audienceId).wait()
    const segment = await footfall.segments.create({
      name,
      description: name,
      ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
    })
    const page = await signIn(await newContext({ width }))
    for (const [path, heading] of [
      [`audiences/${audienceId}`, name],
      [`audiences/${audienceId}/destinations/${destination.id}`, name],
      [`audiences/${audienceId}/runs/${run.id}`, "Run"],
      [`segments/${segment.id}`, name],
    ] as const) {
      await load(page, path)
      await page.getByRole("heading", { name: heading, exact: true }).first().waitFor()
      await page.waitForLoadState("networkidle")
      const wider = await page
        .locator("#content")
        .evaluate((all) => all.scrollWidth - all.clientWidth)
      expect([path, wider]).toEqual([path, 0])
    }
    await footfall.audiences.delete(audienceId)
    await footfall.segments.delete(segment.id)
  })

  it("does not let a name reorder the text next to it", async () => {
    const person = await visit({
      email: `bidi-${crypto.randomUUID()}@acme.example`,
      traits: { firstName: "\u202eevil\u2069\u202e", lastName: "שרה", companyName: "heb.example" },
    })
    const page = await signIn(await newContext(), "overview")
    const row = page.getByRole("listitem").filter({ hasText: "שרה" }).first()
    await row.waitFor({ timeout: 30_000 })
    expect(await row.textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    const directions = await row
      .locator("a, span")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).unicodeBidi))
    expect(new Set(directions)).toEqual(new Set(["isolate"]))
    await page.goto(address(`people/${person.emailHash}`))
    await expect.poll(() => page.title()).toBe("\u2068evil שרה\u2069 · Footfall")
  })

  it("shows hostile text as text", async () => {
    const hostile = `<img src=x onerror="globalThis.ran=1"><script>ran=1</script>`
    const { webhook } = await footfall.webhooks.create({
      name: hostile,
      url: "https://hooks.acme.example/%22%3E",
    })
    const segment = await footfall.segments.create({
      name: hostile,
      ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
    })
    const pixel = await demoPixel()
    await footfall.pixels.update(pixel.id, { name: hostile })
    const page = await signIn(await newContext())
    for (const path of ["people", `webhooks/${webhook.id}`, `pixels/${pixel.id}`, "webhooks"]) {
      await page.goto(address(path))
      await page.getByText('<img src=x onerror="').filter({ visible: true }).first().waitFor()
      expect(await page.evaluate("globalThis.ran ?? null")).toBeNull()
      expect(await page.locator("img").count()).toBe(0)
    }
    await footfall.webhooks.delete(webhook.id)
    await footfall.segments.delete(segment.id)
    await footfall.pixels.update(pixel.id, { name: pixel.name })
  })
})
