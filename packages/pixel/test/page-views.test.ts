/** What counts as a page view and what it contains (spec 6.2), in a DOM without layout. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"
import type { Page } from "./support/page.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const urls = async (page: Page) => {
  await page.advance(5000)
  return page.events("page").map((event) => event["url"])
}

test("the first page is a page view, with its query and without its fragment", async () => {
  const page = openPage({
    url: "https://www.tidewater.example/a?utm_source=x&gclid=1#access_token=s",
  })

  expect(await urls(page)).toEqual(["https://www.tidewater.example/a?utm_source=x&gclid=1"])
})

test("pushState, replaceState and popstate count when the path changes", async () => {
  const page = openPage()

  page.run("history.pushState({}, '', '/pushed')")
  page.run("history.replaceState({}, '', '/replaced')")
  page.run("history.pushState = history.pushState; location.href")
  page.window.happyDOM.setURL("https://www.tidewater.example/popped")
  page.run("dispatchEvent(new PopStateEvent('popstate'))")

  expect(await urls(page)).toEqual([
    "https://www.tidewater.example/",
    "https://www.tidewater.example/pushed",
    "https://www.tidewater.example/replaced",
    "https://www.tidewater.example/popped",
  ])
})

test("a change of only the query or fragment is not a page view", async () => {
  const page = openPage()

  page.run("history.pushState({}, '', '/?page=2')")
  page.run("history.replaceState({}, '', '/#end')")
  page.run("dispatchEvent(new Event('popstate')); dispatchEvent(new Event('hashchange'))")

  expect(await urls(page)).toHaveLength(1)
})

test("hash mode counts the path in the hash on hashchange, and keeps it in the URL", async () => {
  const page = openPage({ attributes: { "data-spa": "hash" } })

  page.window.happyDOM.setURL("https://www.tidewater.example/#/pricing?plan=1")
  page.run("dispatchEvent(new Event('hashchange'))")
  page.window.happyDOM.setURL("https://www.tidewater.example/#/pricing?plan=2")
  page.run("dispatchEvent(new Event('hashchange'))")

  expect(await urls(page)).toEqual([
    "https://www.tidewater.example/",
    "https://www.tidewater.example/#/pricing",
  ])
})

test("hash mode: a fragment that is no route is not a view, and neither is the way back", async () => {
  const page = openPage({ url: "https://www.tidewater.example/app/", settings: { spa: "hash" } })
  const go = (fragment: string) => {
    page.window.happyDOM.setURL(`https://www.tidewater.example/app/${fragment}`)
    page.run("dispatchEvent(new Event('hashchange')); dispatchEvent(new Event('popstate'))")
  }

  for (const fragment of [
    "#/",
    "",
    "#/plans",
    "#section",
    "#/plans?tab=2",
    "#",
    "#/plans",
    "#!/demo",
  ])
    go(fragment)

  expect((await urls(page)).map((url) => String(url).replace(/.*app/, ""))).toEqual([
    "/",
    "/#/plans",
    "/#!/demo",
  ])
})

test("with spa off only the first page and page() count", async () => {
  const page = openPage({ settings: { spa: "off" } })

  page.run("history.pushState({}, '', '/pushed')")
  page.run("dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))")
  expect(await urls(page)).toHaveLength(1)

  page.run("footfall.page()")
  expect(await urls(page)).toHaveLength(2)
})

test("the tag's data-spa overrides the setting, in both directions", async () => {
  const off = openPage({ attributes: { "data-spa": "off" }, settings: { spa: "auto" } })
  const auto = openPage({ attributes: { "data-spa": "auto" }, settings: { spa: "off" } })

  off.run("history.pushState({}, '', '/pushed')")
  auto.run("history.pushState({}, '', '/pushed')")

  expect(await urls(off)).toHaveLength(1)
  expect(await urls(auto)).toHaveLength(2)
})

test("a page restored from the back-forward cache is a page view; an ordinary pageshow is not", async () => {
  const page = openPage()

  page.run("dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))")
  page.run("dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))")

  expect(await urls(page)).toHaveLength(2)
})

test.each(["a prerendered page", "a tab opened in the background"])(
  "%s stores and sends nothing until it is shown, and then counts as one page view",
  async () => {
    // A prerendered page is hidden too, until it is activated.
    const page = openPage({
      visibility: "hidden",
      settings: { consent: "granted" },
    })

    page.run("footfall.track('early'); footfall.identify('jane@acme.example')")
    await page.advance(60_000)
    page.run("document.dispatchEvent(new Event('visibilitychange'))")
    page.run("dispatchEvent(new Event('pagehide'))")
    expect(page.requests).toEqual([])
    expect(page.window.document.cookie).toBe("")
    expect(page.window.localStorage.length).toBe(0)

    page.setVisibility("visible")
    await page.advance(5000)
    page.setVisibility("hidden")
    page.setVisibility("visible")
    await page.advance(5000)

    expect(page.events("page")).toHaveLength(1)
    expect(page.events("track")).toHaveLength(1)
  },
)

test("the title is read 50 ms after the navigation", async () => {
  const page = openPage({ before: "document.title = 'Old'" })

  page.run("document.title = 'Start'")
  await page.advance(50)
  page.run("history.pushState({}, '', '/pricing')")
  await page.advance(49)
  page.run("document.title = 'Pricing'")
  await page.advance(1)
  page.run("document.title = 'Too late'")

  await page.advance(5000)
  expect(page.events("page").map((event) => event["title"])).toEqual(["Start", "Pricing"])
})

test("a title set after a second navigation does not belong to the first page", async () => {
  const page = openPage({ before: "document.title = 'Start'" })
  await page.advance(50)

  page.run("history.pushState({}, '', '/redirect'); history.pushState({}, '', '/target')")
  page.run("document.title = 'Target'")

  await page.advance(5000)
  expect(page.events("page").map((event) => event["title"])).toEqual(["Start", "Start", "Target"])
})

test("a title is cut to 255 characters and keeps no half character, which would make the server reject the batch", async () => {
  const page = openPage({ before: "document.title = 'x'.repeat(254) + '😀\\0'" })

  await page.advance(5000)
  expect(page.events("page")[0]?.["title"]).toBe("x".repeat(254))
})

test("the first view has the document's referrer (origin and path only), later ones have none", async () => {
  const page = openPage({
    url: "https://www.tidewater.example/?secret=1",
    before:
      "Object.defineProperty(document, 'referrer', { value: 'https://search.example/find?q=me#x' })",
  })

  page.run("history.pushState({}, '', '/pricing')")

  await page.advance(5000)
  expect(page.events("page").map((event) => event["referrer"])).toEqual([
    "https://search.example/find",
    "",
  ])
})

test.each([
  [2047, 2047],
  [2048, 2048],
  [2049, 2048],
])("a URL of %i characters is sent with %i", async (length, sent) => {
  const base = "https://www.tidewater.example/"
  const page = openPage({ url: base + "a".repeat(length - base.length) })

  expect((await urls(page))[0]).toHaveLength(sent)
})

test("the page's own pushState keeps its result and its error", () => {
  const page = openPage({
    before: `
      history.pushState = () => "mine"
      history.replaceState = () => { throw new Error("refused") }
    `,
  })

  expect(page.run("history.pushState({}, '', '/a')")).toBe("mine")
  expect(() => page.run("history.replaceState({}, '', '/a')")).toThrow("refused")
})

test("page() is a page view with props, even for the same path", async () => {
  const page = openPage()

  page.run("footfall.page({ section: 'news', depth: 2, paid: false })")

  await page.advance(5000)
  expect(page.events("page")[1]).toMatchObject({
    props: { section: "news", depth: 2, paid: false },
  })
})

test("a heartbeat is sent after every 30 visible seconds and never in the background", async () => {
  const page = openPage()

  await page.advance(20_000)
  page.setVisibility("hidden")
  await page.advance(120_000)
  page.setVisibility("visible")
  await page.advance(5000)
  page.setVisibility("hidden")
  expect(page.events("heartbeat")).toEqual([])

  page.setVisibility("visible")
  await page.advance(35_000)
  page.setVisibility("hidden")
  expect(page.events("heartbeat").map((event) => event["activeSeconds"])).toEqual([30, 30])
})
