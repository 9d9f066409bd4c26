/** How events leave the page (spec 6.3): their shape, timing, limits, transport and retries. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"
import { PIXEL_ID } from "./support/script.ts"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("a batch has exactly the fields of spec 6.3", async () => {
  const page = openPage({ src: `https://pixel.example/p/${PIXEL_ID}.js?plan=trial` })

  page.run("footfall.track('signup', { plan: 'pro' })")
  await page.advance(5000)

  expect(page.batches()).toEqual([
    {
      v: 1,
      sentAt: expect.stringMatching(TIME),
      anonymousId: expect.stringMatching(UUID),
      consent: "implied",
      debug: false,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      attribution: { plan: "trial" },
      events: [
        {
          id: expect.stringMatching(UUID),
          type: "page",
          time: expect.stringMatching(TIME),
          url: "https://www.tidewater.example/",
          referrer: "",
          title: "",
          props: {},
        },
        {
          id: expect.stringMatching(UUID),
          type: "track",
          time: expect.stringMatching(TIME),
          url: "https://www.tidewater.example/",
          name: "signup",
          props: { plan: "pro" },
        },
      ],
    },
  ])
})

test("it is posted to <script URL>/e with keepalive, without credentials, as plain text", async () => {
  const page = openPage({ src: `https://pixel.example/some/prefix/p/${PIXEL_ID}.js?v=3` })

  await page.advance(5000)

  expect(page.requests[0]?.address).toBe(`https://pixel.example/some/prefix/p/${PIXEL_ID}/e`)
  expect(page.requests[0]?.init).toEqual({
    method: "POST",
    // A string body without headers is `text/plain`, which needs no preflight.
    body: expect.any(String),
    keepalive: true,
    credentials: "omit",
  })
})

test("the immutable form of the script URL posts to the same URL", async () => {
  const page = openPage({ src: `https://pixel.example/p/${PIXEL_ID}.0123456789abcdef.js` })

  await page.advance(5000)

  expect(page.requests[0]?.address).toBe(`https://pixel.example/p/${PIXEL_ID}/e`)
})

test.each([
  ["identify()", "footfall.identify('jane@acme.example')", "identify"],
  [
    "a captured address",
    `document.querySelector("form").dispatchEvent(new Event("submit", { bubbles: true }))`,
    "capture",
  ],
])("%s sends the batch immediately, with the page's current title", async (_, code, type) => {
  const page = openPage({
    settings: { emailCapture: "forms" },
    before: `document.body.innerHTML = '<form><input type="email" value="jane@acme.example"></form>'`,
  })

  page.run(code)
  page.run("document.title = 'Pricing'")
  await page.advance(50)

  expect(page.events()).toMatchObject([{ type: "page", title: "Pricing" }, { type }])
})

test("events wait 5 seconds after the first one and are sent together", async () => {
  const page = openPage()

  await page.advance(4000)
  page.run("footfall.track('late')")
  await page.advance(999)
  expect(page.requests).toHaveLength(0)

  await page.advance(1)
  expect(page.batches().map((batch) => batch.events.length)).toEqual([2])
})

test.each(["a batch was sent after its 5 seconds", "a batch was sent early"])(
  "after %s the next event again waits 5 seconds",
  async (how) => {
    const page = openPage()

    await page.advance(4000)
    page.run("footfall.track('first batch')")
    if (how === "a batch was sent early") page.setVisibility("hidden")
    await page.advance(how === "a batch was sent early" ? 500 : 1000)
    page.setVisibility("visible")
    expect(page.requests).toHaveLength(1)

    // Added before a forgotten timer of the first batch would fire.
    page.run("footfall.track('second batch')")
    await page.advance(4999)
    expect(page.requests).toHaveLength(1)
    await page.advance(1)
    expect(page.requests).toHaveLength(2)
  },
)

test.each([
  [18, [19]],
  [19, [20]],
  [20, [20, 1]],
])("after the page view, %i more events make batches of %j", async (count, sizes) => {
  const page = openPage()

  page.run(`for (let index = 0; index < ${count}; index++) footfall.track("event")`)
  await page.advance(5000)

  expect(page.batches().map((batch) => batch.events.length)).toEqual(sizes)
})

test("a batch stays below the server's limit of 64 KiB, however much the page tracks", async () => {
  const page = openPage()

  page.run(`
    const props = {}
    for (let index = 0; index < 20; index++) props["k" + index] = "€".repeat(255)
    for (let index = 0; index < 40; index++) footfall.track("wide", props)
  `)
  await page.advance(5000)

  const bytes = page.requests.map(
    ({ init }) => new TextEncoder().encode(String(init["body"])).length,
  )
  expect(page.events("track")).toHaveLength(40)
  expect(Math.max(...bytes)).toBeLessThan(65_536)
})

test.each(["dispatchEvent(new Event('pagehide'))", "hidden"])(
  "waiting events are sent immediately on %s",
  (what) => {
    const page = openPage()

    if (what === "hidden") page.setVisibility("hidden")
    else page.run(what)

    expect(page.events("page")).toHaveLength(1)
  },
)

/** Random times are in the middle of their range. */
const halfWay = { before: "Math.random = () => 0.5" }

test.each([new Error("offline"), 500, 503, 429])(
  "after %s a batch is retried at once, then after twice as long each time, with the same events and a new sentAt",
  async (answer) => {
    const page = openPage(halfWay)
    page.answers.push(answer, answer, answer, answer)

    await page.advance(5000)
    const times = [500, 1000, 2000, 4000]
    for (const [count, time] of times.entries()) {
      await page.advance(time - 1)
      expect(page.requests).toHaveLength(count + 1)
      await page.advance(1)
    }
    await page.advance(3_600_000)

    const batches = page.batches().filter(({ events }) => events[0]?.["type"] === "page")
    expect(batches).toHaveLength(5)
    for (const [count, batch] of batches.entries()) {
      expect(batch.events).toEqual(batches[0]?.events)
      const waited = times.slice(0, count).reduce((sum, time) => sum + time, 0)
      expect(Date.parse(String(batch["sentAt"])) - Date.parse(String(batches[0]?.["sentAt"]))).toBe(
        waited,
      )
    }
  },
)

test("the wait stops growing at an hour", async () => {
  const page = openPage(halfWay)
  page.answers.push(...Array.from({ length: 10_000 }, () => 503))

  const tries = () => page.batches().filter(({ events }) => events[0]?.["type"] === "page").length
  await page.advance(5000 + (2 ** 13 - 1) * 500)
  expect(tries()).toBe(14)
  await page.advance(3_600_000)
  await page.advance(3_600_000)

  expect(tries()).toBe(16)
})

test.each([
  [503, "7", 7500],
  [429, "120", 120_500],
  [503, "Sun, 22 Nov 2026 00:00:00 GMT", 500],
  [200, "7", undefined],
  // Longer than a timer can wait; such a timer would fire at once. The limit is an hour.
  [503, "99999999999", 3_600_000],
  [503, "Infinity", 3_600_000],
  [503, "-7", 0],
])(
  "after %i with Retry-After %s the batch is retried %s ms later",
  async (status, retryAfter, ms) => {
    const page = openPage(halfWay)
    page.answers.push({ status, retryAfter })

    await page.advance(5000)
    await page.advance(Math.max((ms ?? 7_200_000) - 1, 0))
    expect(page.events("page").length).toBe(1)
    await page.advance(1)

    expect(page.events("page").length).toBe(ms === undefined ? 1 : 2)
  },
)

test.each([204, 413, 404])("a %i response is final", async (answer) => {
  const page = openPage()
  page.answers.push(answer)

  await page.advance(20_000)

  expect(page.requests).toHaveLength(1)
})

test("without fetch keepalive a batch is sent with sendBeacon", async () => {
  const page = openPage({ before: "delete Request.prototype.keepalive" })

  await page.advance(5000)

  expect(page.requests).toHaveLength(0)
  expect(page.beacons.map((batch) => batch.events.length)).toEqual([1])
})

test("two pages with the same script create different event ids", async () => {
  const page = openPage()

  page.run("for (let index = 0; index < 500; index++) footfall.track('event')")
  await page.advance(5000)

  const ids = page.events().map((event) => String(event["id"]))
  expect(new Set(ids).size).toBe(501)
  expect(ids.every((id) => UUID.test(id))).toBe(true)
})
