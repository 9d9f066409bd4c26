/** Consent, its signals, and the opt-out (spec 6.6). */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { requiresConsent } from "../src/consent-region.ts"
import { openPage } from "./support/page.ts"
import type { Page, PageOptions } from "./support/page.ts"

const DAY_MS = 86_400_000
const GRANTED = "footfall.consent('granted')"
const DENIED = "footfall.consent('denied')"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const required = (options: PageOptions = {}) =>
  openPage({ ...options, settings: { consent: "required", ...options.settings } })

const zone = (name: string) =>
  `window.Intl = { DateTimeFormat: () => ({ resolvedOptions: () => ({ timeZone: "${name}" }) }) }`

const useEverything = (page: Page) =>
  page.run(`
    footfall.identify("jane@acme.example"); footfall.track("early"); footfall.page()
    history.pushState({}, "", "/inside"); footfall.reset()
    dispatchEvent(new Event("pagehide")); dispatchEvent(new Event("online"))
  `)

const expectNothing = async (page: Page) => {
  await page.advance(600_000)
  expect(page.requests).toEqual([])
  expect(page.beacons).toEqual([])
  expect(page.window.document.cookie).toBe("")
  expect(page.window.localStorage.length).toBe(0)
  expect(page.run("footfall.getVisitorId()")).toBe(null)
}

describe("modes", () => {
  test.each([
    [undefined, undefined, "implied"],
    ["granted", undefined, "granted"],
    [undefined, "granted", "granted"],
    ["auto", "granted", "implied"],
    ["granted", "auto", "implied"],
    ["granted", "nonsense", "implied"],
    ["required", undefined, "nothing"],
    [undefined, "required", "nothing"],
    ["granted", "required", "nothing"],
    ["required", "auto", "nothing"],
    ["denied", "granted", "nothing"],
    ["granted", "denied", "nothing"],
  ])(
    "setting %s and attribute %s, outside the region: %s",
    async (setting, attribute, expected) => {
      const page = openPage({
        before: zone("America/New_York"),
        settings: setting === undefined ? {} : { consent: setting },
        attributes: attribute === undefined ? {} : { "data-consent": attribute },
      })

      useEverything(page)
      if (expected === "nothing") return expectNothing(page)
      await page.advance(5000)
      expect(page.batches()[0]).toMatchObject({
        consent: expected,
        anonymousId: expect.any(String),
      })
    },
  )

  test.each([
    ["Europe/Berlin", true],
    ["Europe/London", true],
    ["Europe/Zurich", true],
    ["Europe/Belgrade", false],
    ["America/New_York", false],
  ])("auto in %s requires consent: %s", async (name, isRequired) => {
    const page = openPage({ before: zone(name) })

    await page.advance(5000)

    expect(page.requests).toHaveLength(isRequired ? 0 : 1)
    page.run(GRANTED)
    page.run("footfall.track('later')")
    await page.advance(5000)
    expect(page.batches().at(-1)).toMatchObject({ consent: "granted", timeZone: name })
  })

  test("denied is final: no command overrides it", async () => {
    const page = openPage({ settings: { consent: "denied" } })

    page.run(GRANTED)
    page.run("footfall.optIn()")
    useEverything(page)

    await expectNothing(page)
  })
})

describe("time zones", () => {
  const inside = new Set(
    `Africa/Ceuta America/Cayenne America/Guadeloupe America/Marigot America/Martinique
     Arctic/Longyearbyen Asia/Famagusta Asia/Nicosia Atlantic/Azores Atlantic/Canary
     Atlantic/Madeira Atlantic/Reykjavik Europe/Amsterdam Europe/Athens Europe/Berlin
     Europe/Bratislava Europe/Brussels Europe/Bucharest Europe/Budapest Europe/Busingen
     Europe/Copenhagen Europe/Dublin Europe/Gibraltar Europe/Guernsey Europe/Helsinki
     Europe/Isle_of_Man Europe/Jersey Europe/Lisbon Europe/Ljubljana Europe/London
     Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Mariehamn Europe/Oslo Europe/Paris
     Europe/Prague Europe/Riga Europe/Rome Europe/Sofia Europe/Stockholm Europe/Tallinn
     Europe/Vaduz Europe/Vienna Europe/Vilnius Europe/Warsaw Europe/Zagreb Europe/Zurich
     Indian/Mayotte Indian/Reunion`.split(/\s+/),
  )

  test("of all zones, exactly those of the EEA, the United Kingdom and Switzerland are inside", () => {
    const zones = Intl.supportedValuesOf("timeZone")

    expect(zones.length).toBeGreaterThan(400)
    expect(zones.filter(requiresConsent)).toEqual(zones.filter((name) => inside.has(name)))
    expect(zones.filter((name) => inside.has(name))).toHaveLength(inside.size)
  })

  test.each([
    "",
    "UTC",
    "Europe/Kyiv",
    "Europe/Uzhgorod",
    "Europe/Zaporozhye",
    "Europe/Tiraspol",
    "Atlantic/Faroe",
    "Canada/Pacific",
    "Pacific/Guadalcanal",
    "America/Mazatlan",
  ])("%j is outside", (name) => expect(requiresConsent(name)).toBe(false))

  test.each(["Europe/Belfast", "Europe/Nicosia", "Asia/Nicosia"])(
    "the old name %s is inside",
    (name) => expect(requiresConsent(name)).toBe(true),
  )
})

describe("required", () => {
  test("nothing is stored or sent before consent, whatever the page does", async () => {
    const page = required()

    useEverything(page)
    await expectNothing(page)
  })

  test("after consent the held events of this page are sent immediately, with their own times", async () => {
    const page = required({ url: "https://www.tidewater.example/?utm_source=mail" })
    page.run("footfall.identify('jane@acme.example'); footfall.track('early')")
    const shownAt = new Date().toISOString()
    await page.advance(60_000)

    page.run(GRANTED)
    await page.advance(0)

    expect(page.events().map(({ type }) => type)).toEqual(["page", "identify", "track"])
    expect(page.events("page")[0]).toMatchObject({
      time: shownAt,
      url: "https://www.tidewater.example/?utm_source=mail",
    })
    expect(page.batches()[0]).toMatchObject({
      consent: "granted",
      anonymousId: page.run("footfall.getVisitorId()"),
    })
  })

  test("at most one batch is held", async () => {
    const page = required()

    page.run("for (let index = 0; index < 500; index++) footfall.track('n' + index)")
    page.run(GRANTED)
    await page.advance(5000)

    expect(page.events()).toHaveLength(20)
    expect(page.events("track")[0]).toMatchObject({ name: "n0" })
  })

  test("consent in the queue before loading counts", async () => {
    const page = required({ before: "window.footfall = [['consent', 'granted']]" })

    await page.advance(5000)

    expect(page.events("page")).toHaveLength(1)
  })

  test("consent is stored for 180 days", async () => {
    const first = required()
    first.run(GRANTED)
    await first.advance(0)
    expect(first.window.document.cookie).toContain("footfall_choice=granted")
    expect(first.window.localStorage.getItem("footfall_choice")).toBe(
      `${Date.now() + 180 * DAY_MS}footfall_choice=granted`,
    )

    const second = required({ earlier: first })
    await second.advance(5000)
    expect(second.events("page")).toHaveLength(1)
    expect(second.run("footfall.getVisitorId()")).toBe(first.run("footfall.getVisitorId()"))
  })

  test.each(["'yes'", "", "true", "{}"])(
    "consent(%s) is rejected and changes nothing",
    async (value) => {
      const page = required()

      page.run(`footfall.consent(${value})`)

      await expectNothing(page)
    },
  )

  test("a banner that reports denied first and then granted loses nothing", async () => {
    const page = required()
    page.run(DENIED)
    page.run("footfall.identify('jane@acme.example')")
    expect(page.window.localStorage.length).toBe(0)

    page.run(GRANTED)
    await page.advance(0)

    expect(page.events().map(({ type }) => type)).toEqual(["page", "identify"])
  })

  test("Global Privacy Control overrides consent", async () => {
    const page = required({
      before: "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })",
    })

    page.run(GRANTED)
    page.run("footfall.identify('jane@acme.example')")
    await page.advance(5000)

    expect(page.events().map(({ type }) => type)).toEqual(["page"])
    expect(page.batches()[0]).toMatchObject({ anonymousId: null, consent: "anonymous" })
    expect(page.window.document.cookie).not.toContain("footfall_id")
  })
})

describe("revoked", () => {
  const revocations = [
    ["required, by consent('denied')", { consent: "required" }, DENIED],
    ["granted, by consent('denied')", { consent: "granted" }, DENIED],
    ["auto outside the region, by consent('denied')", { consent: "auto" }, DENIED],
    ["by optOut()", { consent: "granted" }, "footfall.optOut()"],
  ] as const

  test.each(revocations)(
    "%s: id and queue are deleted, and nothing more is sent, also not on the next page",
    async (_how, settings, revoke) => {
      const page = openPage({ settings })
      page.run(GRANTED)
      page.answers.push(503)
      page.run("footfall.track('queued'); dispatchEvent(new Event('pagehide'))")
      await page.advance(0)
      page.run("footfall.track('waiting')")
      const sent = page.requests.length
      expect(sent).toBeGreaterThan(0)

      page.run(revoke)
      useEverything(page)
      await page.advance(600_000)

      expect(page.requests).toHaveLength(sent)
      expect(page.run("footfall.getVisitorId()")).toBe(null)
      expect(Object.keys(page.window.localStorage)).toEqual(["footfall_choice"])
      expect(page.window.document.cookie).toMatch(/^footfall_choice=\w+$/)
      const next = openPage({ settings, earlier: page })
      useEverything(next)
      await next.advance(600_000)
      expect(next.requests).toEqual([])
    },
  )

  test("a batch that was in flight when consent was revoked is not retried", async () => {
    const page = openPage()
    page.answers.push(503)
    page.run("dispatchEvent(new Event('pagehide')); footfall.consent('denied')")

    await page.advance(600_000)

    expect(page.requests).toHaveLength(1)
    expect(Object.keys(page.window.localStorage)).toEqual(["footfall_choice"])
  })

  test("giving consent again starts over with a new id and a view of the current page", async () => {
    const page = openPage()
    const before = page.run("footfall.getVisitorId()")
    await page.advance(5000)
    page.run(DENIED)
    page.run("history.pushState({}, '', '/unseen'); history.pushState({}, '', '/now')")

    page.run(GRANTED)
    await page.advance(0)

    expect(page.run("footfall.getVisitorId()")).not.toBe(before)
    expect(page.events("page").map(({ url }) => url)).toEqual([
      "https://www.tidewater.example/",
      "https://www.tidewater.example/now",
    ])
  })
})

describe("opt-out", () => {
  test("is stored for 13 months, and consent does not override it", async () => {
    const page = openPage()
    page.run("footfall.optOut()")
    const until = Date.now() + 395 * DAY_MS
    // An expired cookie disappears with the next tick of this clock.
    await page.advance(1)

    expect(page.window.localStorage.getItem("footfall_choice")).toBe(`${until}footfall_choice=out`)
    page.run(GRANTED)
    page.run(DENIED)
    expect(page.window.document.cookie).toBe("footfall_choice=out")
  })

  test("optIn ends it, on another page too, and counts the page the visitor is on", async () => {
    const out = openPage()
    out.run("footfall.optOut()")
    await out.advance(1)
    const page = openPage({ earlier: out })

    page.run("footfall.track('no'); footfall.optIn(); footfall.track('yes')")
    await page.advance(5000)

    expect(page.events().map(({ name, type }) => name ?? type)).toEqual(["page", "yes"])
    expect(page.window.document.cookie).not.toContain("footfall_choice")
  })

  test("optIn is not consent", async () => {
    const page = required()

    page.run("footfall.optOut(); footfall.optIn()")

    await expectNothing(page)
  })

  test("optIn without an opt-out changes nothing", async () => {
    const page = required()
    page.run(GRANTED)

    page.run("footfall.optIn()")

    expect(page.window.document.cookie).toContain("footfall_choice=granted")
  })

  test("calls from a page in the background while opted out are not sent after optIn", async () => {
    const out = openPage()
    out.run("footfall.optOut()")
    await out.advance(1)
    const page = openPage({ earlier: out, visibility: "hidden" })
    page.run("footfall.track('no')")

    page.setVisibility("visible")
    page.run("footfall.optIn()")
    await page.advance(5000)

    expect(page.events().map(({ type }) => type)).toEqual(["page"])
  })

  test("a page opened while opted out is not sent after optIn, but the current page is", async () => {
    const out = openPage()
    out.run("footfall.optOut()")
    await out.advance(1)
    const page = openPage({ earlier: out })
    await page.advance(1000)
    page.run("history.pushState({}, '', '/now')")

    page.run("footfall.optIn()")
    await page.advance(5000)

    expect(page.events("page").map(({ url }) => url)).toEqual(["https://www.tidewater.example/now"])
  })

  test("an opt-out in one tab stops the other tabs with their next batch", async () => {
    const page = openPage()
    await page.advance(5000)

    page.run("document.cookie = 'footfall_choice=out;path=/'; footfall.track('no')")
    await page.advance(60_000)

    expect(page.events("track")).toEqual([])
  })
})

const SIGNALS = ["ad_user_data", "ad_storage"]
const entry = (verb: string, value: object) =>
  `(function () { (window.dataLayer = window.dataLayer || []).push(arguments) })("consent", "${verb}", ${JSON.stringify(value)})`

describe("Consent Mode", () => {
  test.each(SIGNALS)("grants with %s, pushed before the script", async (signal) => {
    const page = required({ before: entry("default", { [signal]: "granted" }) })

    await page.advance(0)

    expect(page.events("page")).toHaveLength(1)
    expect(page.batches()[0]).toMatchObject({ consent: "granted" })
  })

  test.each(SIGNALS)(
    "grants with %s, pushed later, and leaves the page's data layer alone",
    async (signal) => {
      const page = required({
        before: entry("default", { ad_user_data: "denied", ad_storage: "denied" }),
      })
      const push = page.run("dataLayer.push")
      await page.advance(1000)
      expect(page.requests).toEqual([])

      page.run(entry("update", { [signal]: "granted" }))
      await page.advance(500)

      expect(page.events("page")).toHaveLength(1)
      expect(page.run("dataLayer.push")).toBe(push)
    },
  )

  test.each([
    ["other signals", [entry("default", { analytics_storage: "granted" })]],
    [
      "a default that is meant for a region",
      [entry("default", { ad_storage: "granted", region: ["US"] })],
    ],
    [
      "a default beside one that denies regions",
      [
        entry("default", { ad_storage: "granted" }),
        entry("default", { ad_storage: "denied", region: ["DE", "FR"] }),
      ],
    ],
    [
      "a denial after a grant",
      [entry("default", { ad_storage: "granted" }), entry("update", { ad_storage: "denied" })],
    ],
    [
      "other things",
      ["window.dataLayer = [null, undefined, 1, 'consent', {}, ['consent'], { event: 'consent' }]"],
    ],
  ])("%s are not consent", async (_what, code) => {
    const page = required({ before: code.join(";") })

    await expectNothing(page)
  })

  test("an update that denies revokes consent, and a later one grants it again", async () => {
    const page = required({ before: entry("default", { ad_storage: "granted" }) })
    await page.advance(0)

    page.run(entry("update", { ad_storage: "denied", ad_user_data: "denied" }))
    await page.advance(501)
    expect(page.run("footfall.getVisitorId()")).toBe(null)
    expect(page.window.document.cookie).toBe("footfall_choice=denied")

    page.run(entry("update", { ad_storage: "granted" }))
    await page.advance(500)
    expect(page.run("footfall.getVisitorId()")).toEqual(expect.any(String))
  })

  test("the page's consent() call applies until the signal changes", async () => {
    const page = required({ before: entry("update", { ad_storage: "granted" }) })

    page.run(DENIED)
    await page.advance(5000)

    expect(page.run("footfall.getVisitorId()")).toBe(null)
  })

  test("a denied default does not revoke consent from an earlier page", async () => {
    const first = required()
    first.run(GRANTED)
    await first.advance(0)

    const page = required({ earlier: first, before: entry("default", { ad_storage: "denied" }) })
    await page.advance(5000)

    expect(page.events("page")).toHaveLength(1)
  })

  test("a default that grants does not override the visitor's denial", async () => {
    const first = required()
    first.run(GRANTED)
    first.run(DENIED)
    await first.advance(1)

    const page = required({ earlier: first, before: entry("default", { ad_storage: "granted" }) })
    await page.advance(60_000)

    expect(page.requests).toEqual([])
    expect(page.run("footfall.getVisitorId()")).toBe(null)
  })

  test("is not read if no consent is required", async () => {
    const page = openPage({ before: entry("update", { ad_storage: "denied" }) })

    await page.advance(5000)

    expect(page.events("page")).toHaveLength(1)
  })
})

describe("TCF", () => {
  const stub = `
    window.listeners = []
    window.__tcfapi = (command, version, callback) => {
      if (command === "addEventListener" && version === 2) listeners.push(callback)
    }
    window.tell = (data, success = true) => listeners.forEach((listener) => listener(data, success))
  `
  const data = (consents: object, more = {}) =>
    JSON.stringify({
      gdprApplies: true,
      eventStatus: "useractioncomplete",
      purpose: { consents },
      ...more,
    })

  test("grants with purpose 1, once, however late it loads", async () => {
    const page = required()
    await page.advance(3000)
    page.run(stub)
    await page.advance(3000)

    expect(page.run("listeners.length")).toBe(1)
    page.run(`tell(${data({ 1: true })})`)
    await page.advance(0)
    expect(page.events("page")).toHaveLength(1)
  })

  test.each([
    ["another purpose", `tell(${data({ 2: true })})`],
    ["an open banner", `tell(${data({ 1: true }, { eventStatus: "cmpuishown" })})`],
    ["a visitor it does not apply to", `tell(${data({}, { gdprApplies: false })})`],
    ["a failure", `tell(null, false)`],
    ["no data", `tell({})`],
  ])("%s is not consent", async (_what, code) => {
    const page = required({ before: stub })

    page.run(code)

    await expectNothing(page)
  })

  test("withdrawing purpose 1 revokes consent", async () => {
    const page = required({ before: stub })
    page.run(`tell(${data({ 1: true }, { eventStatus: "tcloaded" })})`)
    expect(page.run("footfall.getVisitorId()")).toEqual(expect.any(String))

    page.run(`tell(${data({ 1: false })})`)

    expect(page.run("footfall.getVisitorId()")).toBe(null)
  })
})
