/** Path filters in the script (spec 6.4): a page must pass the pixel's lists and the tag's. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const lists = [
  ["excludedPaths", { settings: { excludedPaths: ["/private"] } }],
  ["includedPaths", { settings: { includedPaths: ["/$", "/public"] } }],
  ["data-exclude", { attributes: { "data-exclude": "/other, /private" } }],
  ["data-include", { attributes: { "data-include": "/$,\n/public" } }],
  [
    "both, the tag's stricter",
    {
      settings: { includedPaths: ["/$", "/public", "/private"] },
      attributes: { "data-exclude": "/private" },
    },
  ],
  [
    "both, the pixel's stricter",
    { settings: { excludedPaths: ["/private"] }, attributes: { "data-include": "/" } },
  ],
] as const

test.each(lists)(
  "%s: no event, no cookie, no identity on a filtered page",
  async (_how, options) => {
    const page = openPage({ ...options, url: "https://www.tidewater.example/private?a=1#b" })

    page.run("footfall.track('no'); footfall.identify('jane@acme.example'); footfall.page()")
    page.run("dispatchEvent(new Event('online')); dispatchEvent(new Event('pagehide'))")
    page.setVisibility("hidden")
    page.setVisibility("visible")
    await page.advance(120_000)

    expect(page.requests).toEqual([])
    expect(page.window.document.cookie).toBe("")
    expect(page.window.localStorage.length).toBe(0)
  },
)

test.each(lists)("%s: checked again on each navigation inside the page", async (_how, options) => {
  const page = openPage({ ...options, url: "https://www.tidewater.example/private" })

  page.run("footfall.identify('jane@acme.example'); history.pushState({}, '', '/public/a')")
  page.run("footfall.identify('jane@acme.example')")
  page.run("history.pushState({}, '', '/private/b'); footfall.track('no')")
  page.run("history.pushState({}, '', '/public/a'); history.pushState({}, '', '/')")
  await page.advance(5000)

  const seen = page.events().map(({ type, url }) => [type, new URL(String(url)).pathname])
  expect(seen).toEqual([
    ["page", "/public/a"],
    ["identify", "/public/a"],
    ["page", "/public/a"],
    ["page", "/"],
  ])
})

test("in hash mode the lists see the route, and without one the path", async () => {
  const page = openPage({
    url: "https://www.tidewater.example/app/#!/private/desk?x=/public",
    settings: { spa: "hash", excludedPaths: ["/private"] },
    attributes: { "data-exclude": "/app" },
  })

  page.run("footfall.identify('jane@harbor.example')")
  page.run("location.hash = '#section'; dispatchEvent(new Event('hashchange'))")
  page.run("footfall.track('no')")
  page.run("location.hash = '#/public'; dispatchEvent(new Event('hashchange'))")
  await page.advance(5000)

  expect(page.events().map(({ type, url }) => [type, url])).toEqual([
    ["page", "https://www.tidewater.example/app/#/public"],
  ])
})

test("an empty attribute is not a list", async () => {
  const page = openPage({ attributes: { "data-include": "", "data-exclude": "" } })

  await page.advance(5000)

  expect(page.events("page")).toHaveLength(1)
})

test("the email link token of a filtered page stays in the address bar", async () => {
  const page = openPage({
    settings: { excludedPaths: ["/private"] },
    url: "https://www.tidewater.example/private?_vid=token",
  })

  expect(page.run("location.search")).toBe("?_vid=token")
})
