/**
 * Undelivered events are kept across pages, limited in size, retried, never lost, and never stored
 * where they must not be (spec 6.3, 6.6).
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"
import type { Page } from "./support/page.ts"
import { PIXEL_ID } from "./support/script.ts"

const DAY_MS = 86_400_000
const OFFLINE = new Error("offline")

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const copies = (page: Page) =>
  Object.keys(page.window.localStorage).filter((name) => name.startsWith(`footfall_${PIXEL_ID}`))
const never = Array.from({ length: 1000 }, () => OFFLINE)
const leave = async (page: Page) => {
  page.run("dispatchEvent(new Event('pagehide'))")
  await page.advance(0)
}

test("a closed batch has a copy until it is accepted", async () => {
  const page = openPage()
  await page.advance(4999)
  expect(copies(page)).toEqual([])

  await leave(openPage())
  page.answers.push(OFFLINE)
  await page.advance(1)
  expect(copies(page)).toHaveLength(1)

  await page.advance(5000)
  expect(copies(page)).toEqual([])
})

test("the next page of the site first sends what a page could not send, unchanged", async () => {
  const first = openPage()
  first.answers.push(...never)
  first.run("footfall.track('kept')")
  await leave(first)

  const second = openPage({ earlier: first, url: "https://www.tidewater.example/second" })
  await second.advance(5000)

  const [kept, own] = second.batches()
  expect(kept?.events).toEqual(first.batches()[0]?.events)
  expect(kept?.["anonymousId"]).toBe(first.run("footfall.getVisitorId()"))
  expect(own?.events.map(({ url }) => url)).toEqual(["https://www.tidewater.example/second"])
  expect(copies(second)).toEqual([])
  expect(second.events().map(({ id }) => id)).toHaveLength(3)
})

/** Opens pages one after the other, and leaves each one before the server has answered its last batch. */
const hurry = async (count: number, answers: readonly Error[] = []) => {
  let last: Page | undefined
  const requests: Page["requests"][number][] = []
  for (let number = 0; number < count; number++) {
    const page: Page = openPage({
      ...(last && { earlier: last }),
      url: `https://www.tidewater.example/${number}`,
    })
    page.answers.push(...answers)
    await page.advance(3500)
    page.run("dispatchEvent(new Event('pagehide'))")
    // What the page would do from here on, no browser lets it do.
    requests.push(...page.requests)
    last = page
  }
  const ids = requests.flatMap(({ batch }) => batch.events.map(({ id }) => id))
  return { ids, last: last as Page, requests }
}

test("of 12 pages that are left early each event is sent twice at most", async () => {
  const { ids, requests } = await hurry(12)

  expect(ids).toHaveLength(23)
  expect(new Set(ids).size).toBe(12)
  expect(requests).toHaveLength(23)
})

test("while the server is down each page tries one batch, and all arrive in order when it's up", async () => {
  const down = await hurry(12, never)
  expect(down.requests.length).toBeLessThan(12 * 5)

  const up = openPage({ earlier: down.last, url: "https://www.tidewater.example/up" })
  await up.advance(5000)

  expect(up.events("page").map(({ url }) => String(url).replace(/.*[/]/, ""))).toEqual(
    [...Array(12).keys(), "up"].map(String),
  )
  expect(copies(up)).toEqual([])
})

test("a copy that the server rejects is deleted too", async () => {
  const first = openPage()
  first.answers.push(OFFLINE)
  await leave(first)
  const second = openPage({ earlier: first })
  second.answers.push(413)

  await second.advance(5000)

  expect(copies(second)).toEqual([])
})

test("a copy lives for a day", async () => {
  const first = openPage()
  first.answers.push(OFFLINE)
  await leave(first)

  vi.setSystemTime(Date.now() + DAY_MS)
  const second = openPage({ earlier: first })
  await second.advance(50)

  expect(second.requests).toEqual([])
  expect(copies(second)).toEqual([])
})

test("copies of another pixel are left alone", async () => {
  const name = "footfall_11111111-2222-4333-8444-555555555555_" + Date.now()
  const page = openPage({ before: `localStorage["${name}"] = "{}"` })

  await page.advance(5000)

  expect(page.window.localStorage.getItem(name)).toBe("{}")
  expect(page.requests).toHaveLength(1)
})

test("two tabs share a copy, and stop sending it once one has delivered it", async () => {
  const first = openPage()
  first.answers.push(OFFLINE)
  await leave(first)
  const tabs = [openPage({ earlier: first }), openPage({ earlier: first })]

  for (const tab of tabs) await tab.advance(600_000)

  for (const tab of tabs) {
    const id = first.events("page")[0]?.["id"]
    expect(tab.events("page").filter((event) => event["id"] === id)).toHaveLength(1)
    expect(copies(tab)).toEqual([])
  }
})

test("when the network is back everything is sent immediately, whatever the wait", async () => {
  const page = openPage({ before: "Math.random = () => 1" })
  page.answers.push({ status: 503, retryAfter: "3600" })
  await page.advance(5000)
  page.run("footfall.track('offline')")
  await page.advance(60_000)
  expect(page.requests).toHaveLength(1)

  page.run("dispatchEvent(new Event('online'))")
  await page.advance(0)

  expect(page.events("page")).toHaveLength(2)
  expect(page.events("track")).toHaveLength(1)
})

test("events collect in a few batches during a wait", async () => {
  const page = openPage({ settings: { consent: "granted" } })
  page.answers.push({ status: 503, retryAfter: "100" })
  await page.advance(5000)

  for (let count = 0; count < 15; count++) {
    page.run("footfall.track('event')")
    await page.advance(6000)
  }
  expect(page.requests).toHaveLength(1)
  await page.advance(20_000)

  const tracks = page.batches().map(({ events }) => events.filter(({ type }) => type === "track"))
  expect(tracks.map((events) => events.length).filter(Boolean)).toEqual([15])
})

test("what the server answers with 429 is kept, and sent again after Retry-After", async () => {
  const page = openPage()
  page.answers.push({ status: 429, retryAfter: "60" })
  await page.advance(5000)
  expect(page.requests).toHaveLength(1)
  expect(copies(page)).toHaveLength(1)

  await page.advance(59_000)
  expect(page.requests).toHaveLength(1)
  await page.advance(3000)

  expect(page.events("page")).toHaveLength(2)
  expect(page.events("page")[1]?.["id"]).toBe(page.events("page")[0]?.["id"])
  expect(copies(page)).toEqual([])
})

test("after the server has recovered, the wait for its next failure is as short as for the first", async () => {
  const page = openPage({ before: "Math.random = () => 1" })
  page.answers.push({ status: 503 })
  await page.advance(5000)
  await page.advance(1000)
  expect(page.requests).toHaveLength(2)

  page.answers.push({ status: 503 })
  page.run("footfall.track('later')")
  await page.advance(5000)
  expect(page.requests).toHaveLength(3)
  await page.advance(1000)

  expect(page.requests).toHaveLength(4)
})

test("a page left during the wait keeps its events for the next one", async () => {
  const page = openPage()
  page.answers.push({ status: 503, retryAfter: "100" })
  await page.advance(5000)
  page.run("footfall.track('late')")

  await leave(page)

  expect(page.requests).toHaveLength(1)
  expect(copies(page)).toHaveLength(2)
})

describe("bounds", () => {
  const track = (count: number) =>
    `for (let index = 0; index < ${count}; index++) footfall.track("x".repeat(64), { text: "y".repeat(255) })`

  test("a burst that the server accepts is delivered in full", async () => {
    const page = openPage()

    page.run(track(1000))
    await page.advance(5000)

    expect(page.events("track")).toHaveLength(1000)
    expect(copies(page)).toEqual([])
  })

  test.each(["a burst", "a long time"])(
    "%s without a server stores at most 64 Ki characters and one batch",
    async (how) => {
      const page = openPage()
      page.answers.push(...never)

      if (how === "a burst") page.run(track(1000))
      for (let round = 0; round < 60; round++) {
        if (how === "a long time") page.run(track(10))
        await page.advance(60_000)
      }

      const length = copies(page).reduce(
        (sum, name) => sum + String(page.window.localStorage.getItem(name)).length,
        0,
      )
      expect(length).toBeGreaterThan(40_000)
      expect(length).toBeLessThan(65_536 + 20_000)
    },
  )

  test("after the outage the stored events arrive once", async () => {
    const page = openPage()
    page.answers.push(...Array.from({ length: 30 }, () => 503))
    page.run(track(50))
    await page.advance(3_600_000)
    page.answers.length = 0
    page.run("dispatchEvent(new Event('online'))")
    await page.advance(3_600_000)

    const ids = new Set(page.events("track").map(({ id }) => id))
    expect(ids.size).toBe(50)
    expect(copies(page)).toEqual([])
  })
})

describe("kept in memory only", () => {
  test.each([
    ["cookies: none", { settings: { cookies: "none" } }],
    [
      "Global Privacy Control",
      { before: "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })" },
    ],
    [
      "blocked storage",
      { before: "Object.defineProperty(window, 'localStorage', { get() { throw 1 } })" },
    ],
    [
      "full storage",
      {
        before: `Object.defineProperty(window, "localStorage", { value: new Proxy({}, {
          set() { throw new DOMException("full", "QuotaExceededError") } }) })`,
      },
    ],
  ])("%s: a batch is still retried, and no copy is kept", async (_what, options) => {
    const page = openPage(options)
    page.answers.push(503, OFFLINE)

    await page.advance(5000)
    await page.advance(10_000)

    expect(page.events("page")).toHaveLength(3)
    expect(
      page.run("(() => { try { return Object.keys(localStorage).join() } catch { return '' } })()"),
    ).toBe("")
  })

  test("Global Privacy Control removes copies of an earlier visit without sending them", async () => {
    const first = openPage()
    first.answers.push(OFFLINE)
    await leave(first)

    const page = openPage({
      earlier: first,
      before: "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })",
    })
    await page.advance(5000)

    expect(page.batches().map((batch) => batch["anonymousId"])).toEqual([null])
    expect(page.window.localStorage.length).toBe(0)
  })
})
