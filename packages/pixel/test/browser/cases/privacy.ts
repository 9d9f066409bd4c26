/** Privacy signals, opt-out, and what a browser stores (spec 6.5, 6.6). */
import { expect, test } from "vitest"
import { hasRun, inBrowsers } from "../support/stage.ts"

const signal = (name: string, value: string) =>
  `Object.defineProperty(Navigator.prototype, "${name}", { get: () => ${value} })`

export const privacy = inBrowsers("privacy", (stage, { once, rows }) => {
  const openWithEvents = async () => {
    stage().serve("/")
    await stage().open("/")
    await stage().run("footfall.identify('jane@acme.example')")
    await stage().pathsAtTheEnd()
  }
  const expectAnonymous = async () => {
    expect(stage().paths()).toEqual(["/"])
    expect(stage().collector.stored("identify")).toEqual([])
    for (const batch of stage().collector.batches) {
      expect(batch).toMatchObject({ anonymousId: null, consent: "anonymous" })
    }
    expect(await stage().kept()).toEqual([])
  }

  // A test at the end of this file has the signal of Firefox itself.
  once(() => {
    test("Global Privacy Control: counts without an id, identifies no one, stores nothing", async () => {
      await stage().before(signal("globalPrivacyControl", "true"))

      await openWithEvents()

      await expectAnonymous()
      expect(stage().collector.batches[0]).toMatchObject({ consent: "anonymous" })
    })
  })

  test("Global Privacy Control overrides consent and clears an existing id", async () => {
    stage().serve("/")
    await stage().open("/")
    await expect.poll(() => stage().kept()).toContain("footfall_id")
    await stage().before(signal("globalPrivacyControl", "true"))

    await stage().open("/")
    await stage().run("footfall.consent('granted'); footfall.identify('jane@acme.example')")

    expect(await stage().run("footfall.getVisitorId()")).toBe(null)
    expect(await stage().kept()).not.toContain("footfall_id")
    expect(stage().collector.stored("identify")).toEqual([])
  })

  once(() => {
    test("Do Not Track is ignored by default", async () => {
      await stage().before(signal("doNotTrack", '"1"'))

      await openWithEvents()

      expect(stage().collector.stored("identify")).toHaveLength(1)
    })

    test.each([
      ["the pixel's setting", { respectDnt: true }, ""],
      ["the tag", {}, 'data-respect-dnt="true"'],
      ["the setting, against the tag", { respectDnt: true }, 'data-respect-dnt="false"'],
    ])(
      "Do Not Track, enabled by %s, works like Global Privacy Control",
      async (_by, settings, attributes) => {
        await stage().before(signal("doNotTrack", '"1"'))
        stage().settings = settings
        stage().serve("/", stage().tag({ attributes }))
        await stage().open("/")

        await stage().run("footfall.identify('jane@acme.example')")
        await stage().pathsAtTheEnd()

        await expectAnonymous()
      },
    )
  })

  test("optOut stops the script and removes the id, across reloads, until optIn", async () => {
    stage().serve("/")
    await stage().open("/")
    const before = await stage().run("footfall.getVisitorId()")

    await stage().run("footfall.optOut()")
    const sent = stage().collector.attempts.length
    await stage().open("/")
    await stage().run("footfall.track('no'); footfall.identify('jane@acme.example')")
    await stage().leave()
    expect(stage().collector.attempts).toHaveLength(sent)
    expect(await stage().kept()).not.toContain("footfall_id")

    await stage().open("/")
    await stage().run("footfall.optIn()")
    await stage().open("/")
    await stage().run("footfall.track('yes')")
    expect(await stage().run("footfall.getVisitorId()")).not.toBe(before)
    await stage().leave()
    await stage().collector.until(() => stage().collector.stored("track").length > 0)
    expect(stage().collector.stored("track")).toMatchObject([{ name: "yes" }])
  })

  test("optOut stores the choice for 13 months and nothing about the visitor", async () => {
    stage().serve("/")
    await stage().open("/")

    await stage().run("footfall.optOut()")

    const cookies = await stage().cookies()
    const values = [
      ...cookies.map(({ value }) => value),
      await stage().run("JSON.stringify(localStorage)"),
    ]
    expect(values.join(" ")).not.toMatch(/[\da-f]{8}-[\da-f]{4}/)
    expect((await stage().kept()).length).toBeGreaterThan(0)
    for (const { expires } of cookies) {
      expect((expires * 1000 - Date.now()) / 86_400_000).toBeGreaterThan(394)
    }
  })

  test("the id is a random UUID, stored once, Lax, for 13 months; reset creates another", async () => {
    stage().serve("/")
    await stage().open("/")
    const id = await stage().run("footfall.getVisitorId()")

    const [cookie] = await stage().cookies()
    await stage().run("footfall.reset()")
    const [second] = await stage().cookies()

    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(cookie).toMatchObject({ name: "footfall_id", value: id, path: "/", httpOnly: false })
    expect(String(cookie?.sameSite)).toMatch(/lax/i)
    const days = ((cookie?.expires ?? 0) * 1000 - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(394)
    expect(days).toBeLessThan(396)
    expect(second?.value).not.toBe(id)
    expect(await stage().run("footfall.getVisitorId()")).toBe(second?.value)
    expect(await stage().run("localStorage.footfall_id")).toContain(second?.value)
  })

  test("the id survives the loss of the cookie, and the loss of local storage", async () => {
    stage().serve("/")
    await stage().open("/")
    const id = await stage().run("footfall.getVisitorId()")

    await stage().context.deleteCookie(...(await stage().cookies()))
    await stage().open("/")
    expect(await stage().run("footfall.getVisitorId()")).toBe(id)
    await stage().run("localStorage.clear()")
    await stage().open("/")

    expect(await stage().run("footfall.getVisitorId()")).toBe(id)
  })

  test("on https the cookie is Secure", async () => {
    const script = await fetch(
      stage()
        .tag()
        .replace(/.*src="([^"]*).*/, "$1"),
    )
    const text = await script.text()
    await stage().page.setRequestInterception(true)
    stage().page.on("request", (request) => {
      const isScript = new URL(request.url()).pathname.startsWith("/p/")
      const body = isScript ? text : stage().tag().replace(stage().collector.origin(), "")
      const contentType = isScript ? "text/javascript" : "text/html"
      void request.respond({ status: 200, contentType, body })
    })

    await stage().page.goto("https://www.tidewater.example/")
    await hasRun(stage().page)

    await expect
      .poll(() => stage().cookies())
      .toMatchObject([{ name: "footfall_id", secure: true }])
  })

  test.each(
    rows([
      ["the setting", { cookies: "none" }, ""],
      ["the tag, against the setting", { cookies: "first-party" }, 'data-cookies="none"'],
      ["the setting, against the tag", { cookies: "none" }, 'data-cookies="first-party"'],
    ]),
  )(
    "cookies: none by %s stores nothing, even when requests fail",
    async (_by, settings, attributes) => {
      stage().settings = settings
      stage().serve("/", stage().tag({ attributes }))
      stage().collector.answers.push({ status: 503 })
      await stage().open("/")
      const first = await stage().run("footfall.getVisitorId()")
      await stage().run("footfall.identify('jane@acme.example')")
      await stage().run("dispatchEvent(new Event('pagehide'))")
      await expect.poll(() => stage().collector.attempts.length).toBeGreaterThan(0)

      expect(await stage().kept()).toEqual([])
      await stage().open("/")
      expect(await stage().kept()).toEqual([])
      expect(await stage().run("footfall.getVisitorId()")).not.toBe(first)
    },
  )

  test.each(
    rows([
      ["the setting", { cookieDomain: "tidewater.example" }, ""],
      [
        "the tag, against the setting",
        { cookieDomain: "elsewhere.example" },
        'data-cookie-domain="tidewater.example"',
      ],
    ]),
  )("cookieDomain by %s shares the id between subdomains", async (_by, settings, attributes) => {
    stage().settings = settings
    stage().serve("/", stage().tag({ attributes }))
    await stage().open("/", "www.tidewater.example")
    const id = await stage().run("footfall.getVisitorId()")

    await stage().open("/", "shop.tidewater.example")

    expect(await stage().run("footfall.getVisitorId()")).toBe(id)
    const cookies = await stage().cookies()
    expect(cookies).toMatchObject([{ domain: ".tidewater.example", value: id }])
  })

  test("without cookieDomain each host has its own id", async () => {
    stage().serve("/")
    await stage().open("/", "www.tidewater.example")
    const id = await stage().run("footfall.getVisitorId()")

    await stage().open("/", "shop.tidewater.example")

    expect(await stage().run("footfall.getVisitorId()")).not.toBe(id)
  })

  once(() => {
    test("no secret is sent, neither from the script's or page's URL nor from the referrer or the traits", async () => {
      const secrets = ["hunter2", "sk_live_0123456789abcdef", "eyJhbGciOi.eyJzdWIi.c2ln"]
      const [word, key, jwt] = secrets as [string, string, string]
      const query = `?plan=trial&token=${word}&note=${key}&jwt=${jwt}`
      stage().serve("/", stage().tag({ query }))
      await stage().open(
        `/?password=${word}&utm_source=mail&utm_term=${key}&gclid=${jwt}&q=${word}#access_token=${word}`,
      )

      await stage().run(
        `footfall.identify("jane@acme.example", { custom: { secret: "${word}", note: "${key}", level: "gold" } })`,
      )
      await stage().run(`history.pushState({}, "", "/next?auth=${word}&x=${key}")`)
      await stage().pathsAtTheEnd()

      const bodies = stage()
        .collector.attempts.map(({ body }) => body)
        .join("\n")
      for (const secret of secrets) expect(bodies).not.toContain(secret)
      expect(stage().collector.batches[0]).toMatchObject({ attribution: { plan: "trial" } })
      expect(stage().collector.stored("identify")).toMatchObject([
        { traits: { custom: { level: "gold" } } },
      ])
      expect(stage().collector.stored("page")[0]?.["url"]).toMatch(/\/\?utm_source=mail$/)
      expect(stage().consoleLines.filter((line) => line.includes("secret:"))).not.toEqual([])
      expect(stage().consoleLines.join("\n")).not.toContain(word)
    })

    test("an email address in a page's URL is not sent", async () => {
      stage().serve("/")
      await stage().open("/?email=jane%40acme.example&utm_content=joe@acme.example&utm_source=mail")

      await stage().pathsAtTheEnd()

      const bodies = stage()
        .collector.attempts.map(({ body }) => body)
        .join("\n")
      expect(bodies).not.toMatch(/acme\.example/)
      expect(bodies).toContain("utm_source=mail")
    })
  })

  test("the token of an email link is sent once and removed from the address bar", async () => {
    stage().serve("/")
    await stage().open("/?utm_source=mail&_vid=v1.opaque_token-value&x=1#part")

    expect(await stage().run("location.search + location.hash")).toBe("?utm_source=mail&x=1#part")
    await stage().run("history.pushState({}, '', '/next')")
    await stage().pathsAtTheEnd()

    const views = stage().collector.stored("page")
    expect(views).toHaveLength(2)
    expect(views[0]).toMatchObject({ linkToken: "v1.opaque_token-value" })
    expect(views[1]).not.toHaveProperty("linkToken")
    for (const { url } of views) expect(url).not.toContain("_vid")
  })

  test.each(
    rows([
      ["excludedPaths", { excludedPaths: ["/private"] }, ""],
      ["data-exclude", {}, 'data-exclude="/other,/private"'],
      ["includedPaths", { includedPaths: ["/$", "/public"] }, ""],
      ["data-include", {}, 'data-include="/$,/public"'],
    ]),
  )(
    "%s: no event, no command and no cookie there, but everywhere else",
    async (_by, settings, attributes) => {
      stage().settings = settings
      stage().serve("/private", stage().tag({ attributes }))
      await stage().open("/private")

      await stage().run(
        "footfall.track('no'); footfall.identify('jane@acme.example'); footfall.page()",
      )
      expect(await stage().kept()).toEqual([])
      await stage().run("history.pushState({}, '', '/public/a')")
      await stage().run("history.pushState({}, '', '/private/b')")
      await stage().run("footfall.track('no')")
      await stage().run("history.pushState({}, '', '/')")

      expect(await stage().pathsAtTheEnd()).toEqual(["/public/a", "/"])
      expect(stage().collector.stored("track")).toMatchObject([{ name: "end" }])
      expect(stage().collector.stored("identify")).toEqual([])
    },
  )
})

export const ownPrivacyControl = inBrowsers(
  "Global Privacy Control of Firefox itself",
  (stage) => {
    test("is respected, and the browser also sends the header", async () => {
      stage().serve("/")
      await stage().open("/")

      await stage().pathsAtTheEnd()

      expect(stage().collector.attempts[0]?.headers).toMatchObject({ "sec-gpc": "1" })
      expect(stage().collector.batches[0]).toMatchObject({
        anonymousId: null,
        consent: "anonymous",
      })
      expect(await stage().kept()).toEqual([])
    })
  },
  {
    names: ["Firefox"],
    preferences: { "privacy.globalprivacycontrol.enabled": true },
  },
)
