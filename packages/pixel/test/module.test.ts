/** The npm package: the same script as a function (`src/index.ts`). */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest"
import type { Footfall, FootfallOptions } from "../src/index.ts"
import { openPage } from "./support/page.ts"
import { builtFiles } from "./support/built-files.ts"
import type { Page, PageOptions } from "./support/page.ts"
import { builtScript, PIXEL_ID } from "./support/script.ts"

const OTHER_ID = "11111111-2222-4333-8444-555555555555"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const openBundle = (options: PageOptions = {}): Page => {
  const page = openPage({ ...options, script: "none" })
  const code = builtScript("index").replace(/export \{[^}]*\}/, "window.makeFootfall = footfall")
  page.run(`(() => {${code}})()`)
  return page
}
const make = (page: Page, options: Partial<FootfallOptions> = {}, name = "pixel") =>
  page.run(
    `window.${name} = makeFootfall(${JSON.stringify({ pixelId: PIXEL_ID, baseUrl: "https://pixel.example", ...options })})`,
  )

test("counts the page and accepts commands without a global", async () => {
  const page = openBundle()

  make(page, { attribution: { plan: "a b&c" } })
  page.run(
    "pixel.identify('jane@acme.example', { firstName: 'Jane' }); pixel.track('buy', { n: 1 })",
  )
  page.run("history.pushState({}, '', '/b')")
  await page.advance(5000)

  expect(page.requests[0]?.address).toBe(`https://pixel.example/p/${PIXEL_ID}/e`)
  expect(page.batches()[0]).toMatchObject({
    attribution: { plan: "a b&c" },
    consent: "implied",
    anonymousId: page.run("pixel.getVisitorId()"),
  })
  expect(page.events().map(({ type }) => type)).toEqual(["page", "identify", "track", "page"])
  expect(page.run("typeof window.footfall")).toBe("undefined")
})

test.each([
  [{ consent: "required" }, 0],
  [{ consent: "denied" }, 0],
  [{ excludedPaths: ["/$"] }, 0],
  [{ includedPaths: ["/b"] }, 0],
  [{ includedPaths: ["/$"], consent: "granted" }, 1],
] as const)("%j: %i page views", async (options, count) => {
  const page = openBundle()

  make(page, options)
  await page.advance(60_000)

  expect(page.events("page")).toHaveLength(count)
})

test("passes options for storage, debugging, fragments and forms to the script", async () => {
  const page = openBundle({ url: "https://www.tidewater.example/#/a" })

  make(page, { cookies: "none", debug: true, spa: "hash", baseUrl: "https://pixel.example/some/" })
  page.run(
    "pixel.identify('not-an-address'); location.hash = '#/b'; dispatchEvent(new Event('hashchange'))",
  )
  await page.advance(5000)

  expect(page.window.document.cookie).toBe("")
  expect(page.consoleLines).toContain("debug footfall: not-an-address")
  expect(page.batches()[0]).toMatchObject({ debug: true })
  expect(page.requests[0]?.address).toBe(`https://pixel.example/some/p/${PIXEL_ID}/e`)
  expect(page.events("page").map(({ url }) => url)).toEqual([
    "https://www.tidewater.example/#/a",
    "https://www.tidewater.example/#/b",
  ])
})

test("two pixels on a page are independent", async () => {
  const page = openBundle()

  make(page, {}, "one")
  make(page, { pixelId: OTHER_ID, consent: "required" }, "two")
  page.run("one.track('one'); two.track('two'); one.identify('jane@acme.example')")
  await page.advance(5000)

  expect(page.requests.every(({ address }) => address.includes(PIXEL_ID))).toBe(true)
  expect(page.events().map(({ name, type }) => name ?? type)).toEqual(["page", "one", "identify"])
})

test("called twice for one pixel, it counts once and returns that pixel both times", async () => {
  const page = openBundle()

  make(page, {}, "one")
  make(page, {}, "two")
  page.run("one.track('one'); two.track('two')")
  await page.advance(5000)

  expect(page.events().map(({ name, type }) => name ?? type)).toEqual(["page", "one", "two"])
  expect(page.run("one.getVisitorId() === two.getVisitorId()")).toBe(true)
})

test("invalid arguments do not throw", () => {
  const page = openBundle()

  make(page, { pixelId: "" })
  page.run(
    "makeFootfall({}); makeFootfall(); pixel.identify(null); pixel.ready(1); pixel.consent(1)",
  )
  expect(page.run("pixel.getVisitorId()")).toBe(null)
})

test("without a window its commands return and do nothing", async () => {
  const { footfall }: { footfall: (options: FootfallOptions) => Footfall } = await import(
    pathToFileURL(join(builtFiles, "index.js")).href
  )
  const pixel = footfall({ pixelId: PIXEL_ID, baseUrl: "https://pixel.example" })
  const callback = vi.fn<() => void>()

  pixel.identify("jane@acme.example")
  pixel.page()
  pixel.consent("granted")
  pixel.ready(callback)
  vi.runAllTimers()

  expect(pixel.getVisitorId()).toBe(null)
  expect(callback).not.toHaveBeenCalled()
})

test("the types reject an invalid option and an invalid call", () => {
  expectTypeOf<{ pixelId: string; baseUrl: string }>().toExtend<FootfallOptions>()
  expectTypeOf<{ pixelId: string }>().not.toExtend<FootfallOptions>()
  expectTypeOf<"yes">().not.toExtend<NonNullable<FootfallOptions["consent"]>>()
  expectTypeOf<Footfall["identify"]>()
    .parameter(0)
    .toEqualTypeOf<string | { readonly emailHash: string }>()
  expectTypeOf<Footfall["getVisitorId"]>().returns.toEqualTypeOf<string | null>()
})
