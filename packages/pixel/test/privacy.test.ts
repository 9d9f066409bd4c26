/** The id, where it is stored, and when it is not (spec 6.6). */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"

const GPC = "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })"
const THIRTEEN_MONTHS_MS = 395 * 86_400_000
const OLD_ID = "88ac470a-224f-4bdb-a28b-577d65372edd"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Records the cookie with its attributes, which `document.cookie` does not return. */
const SPY_ON_COOKIES = `
  window.written = []
  Object.defineProperty(document, "cookie", { get: () => "", set: (text) => written.push(text) })
`

test("the id in cookie and local storage is the same, and outlives the page", () => {
  const first = openPage()
  const id = first.run("footfall.getVisitorId()")
  const second = openPage({ earlier: first })

  expect(first.window.document.cookie).toBe("footfall_id=" + id)
  expect(first.window.localStorage.getItem("footfall_id")).toContain(String(id))
  expect(second.run("footfall.getVisitorId()")).toBe(id)
})

/** Counts each access to cookies and to local storage. */
const COUNT_TOUCHES = `
  window.touches = 0
  const real = localStorage
  Object.defineProperty(document, "cookie", { get: () => (touches++, ""), set: () => touches++ })
  Object.defineProperty(window, "localStorage", { get: () => (touches++, real) })
`

test("accesses cookies and local storage only with the view's title, not at load", async () => {
  const page = openPage({ before: COUNT_TOUCHES })

  await page.advance(49)
  expect(page.run("touches")).toBe(0)

  await page.advance(1)
  expect(page.run("touches")).toBeGreaterThan(0)
})

test.each([
  "footfall.getVisitorId()",
  "footfall.track('early')",
  "dispatchEvent(new Event('pagehide'))",
])("%s before that looks up the visitor, so the view is sent with an id", async (code) => {
  const page = openPage({ before: COUNT_TOUCHES })

  page.run(code)
  expect(page.run("touches")).toBeGreaterThan(0)
  await page.advance(5000)

  expect(page.events("page")).toHaveLength(1)
  expect(page.batches()[0]?.["anonymousId"]).toEqual(expect.any(String))
})

test("sends nothing from a visitor who opted out, however soon the page is left", async () => {
  const page = openPage({ before: "document.cookie = 'footfall_choice=out;path=/'" })

  page.run("dispatchEvent(new Event('pagehide'))")
  await page.advance(60_000)

  expect(page.requests).toEqual([])
  expect(page.window.localStorage.length).toBe(0)
})

test("the cookie lives 13 months from each visit, SameSite=Lax, Secure on https", () => {
  const page = openPage({ before: SPY_ON_COOKIES })
  const id = page.run("footfall.getVisitorId()")

  expect(page.run("written.join('|')")).toBe(
    `footfall_id=${id};path=/;samesite=lax;max-age=34128000;secure`,
  )
})

test("on http the cookie is not Secure", () => {
  const page = openPage({ url: "http://www.tidewater.example/", before: SPY_ON_COOKIES })

  expect(page.run("written.join('|')")).not.toContain("secure")
})

test("data-cookie-domain overrides the setting", () => {
  const domain = (page: ReturnType<typeof openPage>) =>
    page.run("footfall.getVisitorId()") &&
    /;domain=([^;]*)/.exec(String(page.run("written.join('|')")))?.[1]
  const settings = { cookieDomain: "a.example" }
  const attributes = { "data-cookie-domain": "b.example" }

  expect(domain(openPage({ before: SPY_ON_COOKIES, settings }))).toBe("a.example")
  expect(domain(openPage({ before: SPY_ON_COOKIES, settings, attributes }))).toBe("b.example")
})

test.each([
  ["cookie", `document.cookie = "footfall_id=${OLD_ID};path=/"`],
  ["copy", `localStorage.footfall_id = Date.now() + 1000 + "footfall_id=${OLD_ID}"`],
])("finds the id in only the %s, and writes it to both again", (_where, before) => {
  const page = openPage({ before })

  expect(page.run("footfall.getVisitorId()")).toBe(OLD_ID)
  expect(page.window.document.cookie).toBe("footfall_id=" + OLD_ID)
  expect(page.window.localStorage.getItem("footfall_id")).toBe(
    `${Date.now() + THIRTEEN_MONTHS_MS}footfall_id=${OLD_ID}`,
  )
})

test("a copy older than 13 months is not used", () => {
  const before = `localStorage.footfall_id = Date.now() + "footfall_id=${OLD_ID}"`

  expect(openPage({ before }).run("footfall.getVisitorId()")).not.toBe(OLD_ID)
})

test.each([
  ["attribute", { attributes: { "data-cookies": "none" } }],
  ["setting", { settings: { cookies: "none" } }],
  [
    "attribute against setting",
    { attributes: { "data-cookies": "none" }, settings: { cookies: "first-party" } },
  ],
  [
    "setting against attribute",
    { attributes: { "data-cookies": "first-party" }, settings: { cookies: "none" } },
  ],
])("cookies none by %s: the id lives in memory, nothing is stored", (_what, options) => {
  const page = openPage(options)

  expect(page.run("footfall.getVisitorId()")).toEqual(expect.any(String))
  expect(page.window.document.cookie).toBe("")
  expect(page.window.localStorage.length).toBe(0)
})

test("cookies none: an id that an earlier visit stored is not read", () => {
  const before = `document.cookie = "footfall_id=${OLD_ID};path=/"`
  const page = openPage({ before, settings: { cookies: "none" } })

  expect(page.run("footfall.getVisitorId()")).not.toBe(OLD_ID)
})

test.each([
  "Object.defineProperty(document, 'cookie', { get() { throw 1 }, set() { throw 1 } })",
  "Object.defineProperty(window, 'localStorage', { get() { throw 1 } })",
  "Object.defineProperty(window, 'localStorage', { value: null })",
])("with storage blocked (%s) events keep one id while the page lives", async (before) => {
  const page = openPage({ before })

  page.run("footfall.track('a')")
  await page.advance(5000)
  page.run("footfall.track('b')")
  await page.advance(5000)

  const ids = page.batches().map((batch) => batch["anonymousId"])
  expect(ids).toEqual([page.run("footfall.getVisitorId()"), ids[0]])
})

test("without local storage the cookie still carries the id from page to page", () => {
  const blocked = "Object.defineProperty(window, 'localStorage', { get() { throw 1 } })"
  const first = openPage({ before: blocked })
  first.run("footfall.getVisitorId()")

  const before = `${blocked}; document.cookie = "${first.window.document.cookie};path=/"`
  expect(openPage({ before }).run("footfall.getVisitorId()")).toBe(
    first.run("footfall.getVisitorId()"),
  )
})

test("Global Privacy Control: counts without an id, stores nothing, identifies no one", async () => {
  const page = openPage({ before: GPC })

  page.run("footfall.identify('jane@acme.example'); footfall.reset(); footfall.track('buy')")
  await page.advance(120_000)

  expect(page.events().map((event) => event["type"])).toEqual(["page", "track"])
  for (const batch of page.batches()) {
    expect(batch).toMatchObject({ anonymousId: null, consent: "anonymous" })
  }
  expect(page.window.document.cookie).toBe("")
  expect(page.window.localStorage.length).toBe(0)
  expect(page.run("footfall.getVisitorId()")).toBe(null)
})

test("Global Privacy Control removes the id of an earlier visit", async () => {
  const earlier = openPage()
  expect(earlier.run("footfall.getVisitorId()")).toEqual(expect.any(String))
  const page = openPage({ earlier, before: GPC })
  await page.advance(50)
  await page.advance(1)

  expect(page.window.document.cookie).toBe("")
  expect(page.window.localStorage.length).toBe(0)
})

test("Do Not Track changes nothing in the script; the server sees its header", async () => {
  const page = openPage({
    before: "Object.defineProperty(navigator, 'doNotTrack', { value: '1' })",
  })

  await page.advance(5000)

  expect(page.batches()[0]).toMatchObject({ consent: "implied" })
  expect(page.batches()[0]?.["anonymousId"]).toEqual(expect.any(String))
})

const WEBDRIVER = "Object.defineProperty(navigator, 'webdriver', { value: true })"

test("an automated browser sends and stores nothing, and its commands have no effect", async () => {
  const page = openPage({ before: WEBDRIVER })

  page.run("footfall.identify('jane@acme.example'); footfall.consent('granted'); footfall.page()")
  await page.advance(60_000)

  expect(page.requests).toEqual([])
  expect(page.window.document.cookie).not.toContain("footfall_id")
  expect(page.run("footfall.getVisitorId()")).toBe(null)
})

test("with data-debug it counts, for a site's own tests", async () => {
  const page = openPage({ before: WEBDRIVER, attributes: { "data-debug": "" } })

  await page.advance(5000)

  expect(page.events("page")).toHaveLength(1)
})

const DNT = "Object.defineProperty(navigator, 'doNotTrack', { value: '1' })"

test.each([
  [{ respectDnt: true }, {}, true],
  [{}, { "data-respect-dnt": "true" }, true],
  [{ respectDnt: true }, { "data-respect-dnt": "false" }, true],
  [{ respectDnt: false }, { "data-respect-dnt": "true" }, true],
  [{ respectDnt: false }, {}, false],
  [{}, { "data-respect-dnt": "false" }, false],
])(
  "Do Not Track with %j and %j counts like Global Privacy Control: %s",
  async (settings, attributes, isRespected) => {
    const page = openPage({ before: DNT, settings, attributes })

    page.run("footfall.identify('jane@acme.example')")
    await page.advance(5000)

    expect(page.events("identify")).toHaveLength(isRespected ? 0 : 1)
    expect(page.batches()[0]).toMatchObject({
      ...(isRespected ? { anonymousId: null, consent: "anonymous" } : { consent: "implied" }),
    })
    if (isRespected) expect(page.window.localStorage.length).toBe(0)
  },
)

test.each([1, null, "unspecified", "0"])("Do Not Track of %j is ignored", async (value) => {
  const page = openPage({
    before: `Object.defineProperty(navigator, 'doNotTrack', { value: ${JSON.stringify(value)} })`,
    settings: { respectDnt: true },
  })

  await page.advance(5000)

  expect(page.batches()[0]).toMatchObject({ consent: "implied" })
})
