/**
 * A page that no one sees, because it's prerendered or in a background tab, is not a page view until it's shown,
 * whatever it does before (spec 6.2).
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"
import type { Page, PageOptions } from "./support/page.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SITE = "https://www.tidewater.example"
const MINUTE_MS = 60_000

const openUnseen = (options: PageOptions = {}) =>
  openPage({ url: `${SITE}/start`, visibility: "hidden", ...options })

const expectNothingKept = (page: Page) => {
  expect(page.requests).toEqual([])
  expect(page.window.document.cookie).toBe("")
  expect(page.window.localStorage.length).toBe(0)
}

const paths = (page: Page) => page.events("page").map(({ url }) => String(url).slice(SITE.length))

test.each([
  ["pushState", "history.pushState({}, '', '/route')", {}, "/route"],
  ["replaceState", "history.replaceState({}, '', '/route')", {}, "/route"],
  ["replaceState to the same path", "history.replaceState({}, '', '/start')", {}, "/start"],
  ["popstate", "dispatchEvent(new Event('popstate'))", {}, "/start"],
  [
    "hashchange in hash mode",
    "location.hash = '#/route'; dispatchEvent(new Event('hashchange'))",
    { settings: { consent: "granted", spa: "hash" } },
    "/start#/route",
  ],
  ["page()", "footfall.page()", {}, "/start"],
  ["page() with spa: off", "footfall.page()", { attributes: { "data-spa": "off" } }, "/start"],
  ["consent", "footfall.consent('granted')", { settings: { consent: "required" } }, "/start"],
])(
  "an unseen page sends and stores nothing after %s, and counts once when it's shown",
  async (name, code, options, path) => {
    const page = openUnseen(options)

    page.run(code)
    await page.advance(MINUTE_MS)
    page.run("dispatchEvent(new Event('pagehide'))")
    if (name === "consent") expect(page.requests).toEqual([])
    else expectNothingKept(page)

    page.setVisibility("visible")
    await page.advance(5000)
    page.setVisibility("hidden")
    page.setVisibility("visible")
    await page.advance(5000)

    expect(paths(page)).toEqual([path])
  },
)

test("commands of an unseen page belong to the visit that starts when it's shown", async () => {
  const page = openUnseen()
  page.run("footfall.identify('jane@harbor.example'); footfall.track('loaded')")
  await page.advance(90 * MINUTE_MS)
  expectNothingKept(page)

  const shownAt = new Date().toISOString()
  page.setVisibility("visible")
  await page.advance(5000)

  expect(page.events().map(({ time, type }) => [type, time])).toEqual([
    ["identify", shownAt],
    ["track", shownAt],
    ["page", shownAt],
  ])
})

test("an unseen page that tracks more than a batch still counts when it's shown, in a valid batch", async () => {
  const page = openUnseen()
  page.run("for (let n = 0; n < 50; n++) footfall.track('busy')")

  page.setVisibility("visible")
  await page.advance(5000)

  expect(page.batches().map(({ events }) => events.length)).toEqual([20])
  expect(paths(page)).toEqual(["/start"])
})

test("a page that navigates in the background, after it was seen, counts where it is when it's shown again", async () => {
  const page = openPage({ url: `${SITE}/start` })
  page.setVisibility("hidden")

  page.run("history.pushState({}, '', '/passing'); history.pushState({}, '', '/end')")
  await page.advance(MINUTE_MS)
  expect(paths(page)).toEqual(["/start"])
  page.setVisibility("visible")
  await page.advance(5000)

  expect(paths(page)).toEqual(["/start", "/end"])
})

test("with spa: off, a page that navigated in the background is not counted again", async () => {
  const page = openPage({ url: `${SITE}/start`, attributes: { "data-spa": "off" } })
  page.setVisibility("hidden")

  page.run("history.pushState({}, '', '/end')")
  page.setVisibility("visible")
  await page.advance(5000)

  expect(paths(page)).toEqual(["/start"])
})
