/**
 * Consent (spec 6.6): where it is required, nothing is stored or sent before it is given, however
 * it is given. When it is revoked, nothing remains.
 */
import { expect, test } from "vitest"
import { inBrowsers } from "../support/stage.ts"
import type { Stage } from "../support/stage.ts"

/** The code that a consent banner with Google's Consent Mode adds to a page. */
const consentMode = (verb: "default" | "update", value: object) =>
  `window.dataLayer = window.dataLayer || []
   window.gtag = function () { dataLayer.push(arguments) }
   gtag("consent", "${verb}", ${JSON.stringify(value)})`

/** A stub of the IAB framework. It keeps its listeners, and `tcf(consents)` calls them. */
const tcfStub = `
  const listeners = []
  window.__tcfapi = (command, version, callback) => {
    if (command === "addEventListener" && version === 2) listeners.push(callback)
  }
  window.tcf = (consents, eventStatus = "useractioncomplete") => {
    listeners.forEach((listener, listenerId) =>
      listener({ gdprApplies: true, eventStatus, listenerId, purpose: { consents } }, true))
  }`

/** Everything a page may do before it has consent, and everything that could reveal the visit. */
const useEverything = `
  footfall.identify("jane@acme.example")
  footfall.track("early")
  footfall.page()
  history.pushState({}, "", "/inside")`

const expectNothing = async (stage: Stage) => {
  expect(stage.collector.attempts).toEqual([])
  expect(await stage.kept()).toEqual([])
}

export const consent = inBrowsers("consent", (stage, { once, rows }) => {
  const openRequired = async (head = "") => {
    stage().settings = { consent: "required" }
    stage().serve("/", `<script>${head}</script>${stage().tag()}`)
    await stage().open("/")
  }
  /** Consent is given once something is stored. Then sends one more event and waits for it. */
  const expectGranted = async () => {
    await expect.poll(() => stage().kept()).toContain("footfall_id")
    await stage().run("footfall.track('granted')")
    await stage().leave()
    await stage().collector.until(() =>
      stage()
        .collector.stored("track")
        .some(({ name }) => name === "granted"),
    )
    // Sent when consent is granted, in its own request.
    await stage().collector.waitFor("page", 1)
    expect(stage().collector.batches[0]).toMatchObject({
      consent: "granted",
      anonymousId: expect.any(String) as unknown,
    })
  }

  test("required: nothing is stored or sent before consent, whatever the page does", async () => {
    await openRequired()

    await stage().run(useEverything)
    // Longer than a batch waits. The page is also hidden and left.
    await stage().run("new Promise((resolve) => setTimeout(resolve, 5500))")
    await expectNothing(stage())
    await stage().leave()

    await expectNothing(stage())
  })

  test("required: consent('granted') starts with a view of the current page", async () => {
    await openRequired()

    await stage().run("history.pushState({}, '', '/later'); footfall.consent('granted')")

    await expectGranted()
    expect(stage().paths().at(-1)).toBe("/later")
  })

  once(() => {
    test("required: consent given in the queue before loading counts", async () => {
      await openRequired("(window.footfall = window.footfall || []).push(['consent', 'granted'])")

      await expectGranted()
      expect(stage().paths()).toEqual(["/"])
    })
  })

  test("required: consent is stored, so the next page needs no new consent", async () => {
    await openRequired()
    await stage().run("footfall.consent('granted')")
    stage().serve("/second")
    await stage().open("/second")

    expect(await stage().pathsAtTheEnd()).toEqual(["/", "/second"])
  })

  // The page's own scripts give these signals. No browser takes part in them.
  once(() => {
    test.each(["ad_user_data", "ad_storage"])(
      "required: Consent Mode grants it with %s before the script loads",
      async (signal) => {
        await openRequired(consentMode("default", { [signal]: "granted" }))

        await expectGranted()
      },
    )

    test.each(["ad_user_data", "ad_storage"])(
      "required: Consent Mode grants it with %s when the visitor clicks later",
      async (signal) => {
        await openRequired(consentMode("default", { ad_user_data: "denied", ad_storage: "denied" }))
        await expectNothing(stage())

        await stage().run(consentMode("update", { [signal]: "granted" }))

        await expectGranted()
      },
    )

    test("required: Consent Mode that grants only analytics is not consent", async () => {
      await openRequired(consentMode("default", { analytics_storage: "granted" }))

      await stage().run(useEverything)
      await stage().leave()

      await expectNothing(stage())
    })

    test("required: the page's own data layer entries work as before", async () => {
      await openRequired("window.dataLayer = [{ event: 'own' }]")

      const length = await stage().run("dataLayer.push({ event: 'later' })")

      expect(length).toBe(2)
      await expectNothing(stage())
    })

    test("required: TCF grants it with purpose 1 only, and not while the banner is shown", async () => {
      await openRequired(tcfStub)
      await stage().run("tcf({ 2: true, 3: true })")
      await stage().run("tcf({}, 'cmpuishown')")
      await expectNothing(stage())

      await stage().run("tcf({ 1: true })")

      await expectGranted()
    })

    test("required: TCF is detected even if it loads after the script", async () => {
      await openRequired()

      await stage().run(tcfStub)
      await stage().run("new Promise((resolve) => setTimeout(resolve, 1500))")
      await stage().run("tcf({ 1: true })")

      await expectGranted()
    })
  })

  test.each(
    rows([
      ["consent('denied')", "", "footfall.consent('denied')"],
      [
        "Consent Mode",
        consentMode("default", { ad_user_data: "granted", ad_storage: "granted" }),
        consentMode("update", { ad_user_data: "denied", ad_storage: "denied" }),
      ],
      ["TCF", tcfStub, "tcf({ 1: false })"],
    ]),
  )("revoked by %s: stored data is deleted and nothing more is sent", async (by, head, revoke) => {
    await openRequired(head)
    if (by === "TCF") await stage().run("tcf({ 1: true })")
    if (by === "consent('denied')") await stage().run("footfall.consent('granted')")
    await expect.poll(() => stage().kept()).toContain("footfall_id")
    // The events sent when consent is granted are on their way when the id exists.
    await stage().collector.waitFor("page", 1)

    await stage().run(revoke)
    await expect.poll(() => stage().kept()).not.toContain("footfall_id")
    const sent = stage().collector.attempts.length
    await stage().run(useEverything)
    await stage().leave()

    expect(stage().collector.attempts).toHaveLength(sent)
    // A record of the answer itself may stay, but nothing about the visitor.
    for (const name of await stage().kept()) expect(name).not.toMatch(/id$|queue/)
  })

  test("revoked on one page, it stays revoked on the next", async () => {
    await openRequired()
    await stage().run("footfall.consent('granted')")
    await expect.poll(() => stage().kept()).toContain("footfall_id")
    await stage().collector.waitFor("page", 1)
    await stage().run("footfall.consent('denied')")
    const sent = stage().collector.attempts.length

    stage().serve("/second")
    await stage().open("/second")
    await stage().leave()

    expect(stage().collector.attempts).toHaveLength(sent)
    expect(await stage().kept()).not.toContain("footfall_id")
  })

  test.each(
    rows([
      ["the pixel's setting", { consent: "denied" }, ""],
      ["the tag, against the setting", { consent: "granted" }, 'data-consent="denied"'],
      ["the setting, against the tag", { consent: "denied" }, 'data-consent="granted"'],
    ]),
  )("denied by %s: nothing is ever stored or sent", async (_by, settings, attributes) => {
    stage().settings = settings
    stage().serve("/", stage().tag({ attributes }))
    await stage().open("/")

    await stage().run(`${useEverything}; footfall.consent('granted'); footfall.track('late')`)
    await stage().leave()

    await expectNothing(stage())
  })

  once(() => {
    test("a tag that requires consent is stricter than a setting that grants it", async () => {
      stage().settings = { consent: "granted" }
      stage().serve("/", stage().tag({ attributes: 'data-consent="required"' }))
      await stage().open("/")

      await stage().run(useEverything)
      await stage().leave()

      await expectNothing(stage())
    })
  })

  // In every browser: engines have different names for some zones.
  test.each([
    ["Europe/Berlin", "the EEA"],
    ["Europe/London", "the United Kingdom"],
    ["Europe/Zurich", "Switzerland"],
    ["Atlantic/Canary", "the EEA, outside the continent"],
    ["Atlantic/Reykjavik", "Iceland"],
    ["Asia/Nicosia", "Cyprus"],
  ])("auto in %s, %s: nothing before consent, everything after", async (timeZone) => {
    await stage().page.emulateTimezone(timeZone)
    stage().settings = { consent: "auto" }
    stage().serve("/")
    await stage().open("/")
    await stage().run(useEverything)
    await expectNothing(stage())

    await stage().run("footfall.consent('granted')")

    await expectGranted()
  })

  test.each(["America/New_York", "Asia/Tokyo", "Africa/Lagos"])(
    "auto in %s: counts immediately, with implied consent",
    async (timeZone) => {
      await stage().page.emulateTimezone(timeZone)
      stage().serve("/")
      await stage().open("/")

      expect(await stage().pathsAtTheEnd()).toEqual(["/"])
      expect(stage().collector.batches[0]).toMatchObject({ consent: "implied", timeZone })
      expect(await stage().kept()).toContain("footfall_id")
    },
  )

  once(() => {
    test("auto outside the region: the page can still deny", async () => {
      stage().serve(
        "/",
        `<script>(window.footfall = []).push(["consent", "denied"])</script>${stage().tag()}`,
      )
      await stage().open("/")

      await stage().run(useEverything)
      await stage().leave()

      expect(stage().collector.attempts).toEqual([])
      expect(await stage().kept()).not.toContain("footfall_id")
    })
  })
})
