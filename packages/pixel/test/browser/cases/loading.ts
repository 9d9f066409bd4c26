/** How the script loads: late, twice, next to another one, after its commands (6.1, 6.7). */
import { expect, test } from "vitest"
import { PIXEL_ID } from "../../support/script.ts"
import { hasRun, inBrowsers } from "../support/stage.ts"

const OTHER_ID = "11111111-2222-4333-8444-555555555555"

export const loading = inBrowsers("loading", (stage, { once, rows }) => {
  once(() => {
    test("commands from before loading run in order once the script has loaded", async () => {
      stage().serve(
        "/",
        `<script>
         (window.footfall = window.footfall || []).push(["track", "first"], ["track", "second"])
         footfall.push(["identify", "jane@acme.example", { firstName: "Jane" }])
         footfall.push(["ready", () => (document.documentElement.dataset.ready = "yes")])
       </script>${stage().tag()}`,
      )

      await stage().open("/")
      await stage().page.waitForSelector("html[data-ready=yes]")
      await stage().leave()
      await stage().collector.waitFor("identify", 1)

      const names = stage()
        .collector.stored("track")
        .map(({ name }) => name)
      expect(names).toEqual(["first", "second"])
      expect(stage().collector.stored("identify")).toMatchObject([
        { email: "jane@acme.example", traits: { firstName: "Jane" } },
      ])
      expect(stage().collector.stored("page")).toHaveLength(1)
    })

    test("a pixel with two tags counts once, with the options of the first tag", async () => {
      const first = stage().tag({ query: "?plan=trial", attributes: 'data-cookies="none"' })
      const tags = `${first}${stage().tag({ query: "?plan=second" })}`
      stage().serve("/", tags.replaceAll(" async", ""))

      await stage().open("/")
      await stage().run("footfall.track('end')")
      await stage().leave()
      await stage().collector.waitFor("track", 1)

      expect(stage().collector.events("page")).toHaveLength(1)
      expect(stage().collector.events("track")).toHaveLength(1)
      expect(stage().collector.batches[0]).toMatchObject({ attribution: { plan: "trial" } })
      expect(await stage().kept()).toEqual([])
    })
  })

  test("two pixels on a page count separately, and both receive every command", async () => {
    stage().collector.pixels[OTHER_ID] = { cookies: "none" }
    stage().serve(
      "/",
      `<script>(window.footfall = []).push(["track", "early"])</script>
       ${stage().tag()}${stage().tag({ id: OTHER_ID })}`,
    )

    await stage().page.goto(`${stage().collector.origin()}/`)
    // Each leaves this on the page when it runs.
    await stage().page.waitForFunction(
      `["${PIXEL_ID}", "${OTHER_ID}"].every((id) => window["footfall_" + id])`,
    )
    await stage().run("footfall.track('late'); history.pushState({}, '', '/b')")
    await stage().leave()
    await stage().collector.waitFor("track", 4)

    for (const id of [PIXEL_ID, OTHER_ID]) {
      const events = stage()
        .collector.attempts.filter(({ pixelId }) => pixelId === id)
        .flatMap(({ batch }) => batch.events)
      expect(events.filter(({ type }) => type === "page")).toHaveLength(2)
      const names = events.filter(({ type }) => type === "track").map(({ name }) => name)
      expect(names).toEqual(["early", "late"])
    }
  })

  test("a script injected after the page has loaded counts the page once", async () => {
    stage().serve("/", "")
    await stage().page.goto(`${stage().collector.origin()}/`)

    await stage().run(`
      const tag = document.createElement("script")
      tag.src = "${stage().collector.origin()}/p/${PIXEL_ID}.js?plan=late"
      document.head.appendChild(tag)
      undefined`)
    await hasRun(stage().page)

    expect(await stage().pathsAtTheEnd()).toEqual(["/"])
    expect(stage().collector.batches[0]).toMatchObject({ attribution: { plan: "late" } })
  })

  test("a batch is text/plain, needs no preflight and sends no cookie", async () => {
    stage().serve("/")
    await stage().open("/", "localhost")
    await stage().run("document.cookie = 'own=1'; footfall.identify(' Jane@Acme.example')")
    await stage().collector.waitFor("identify", 1)

    const [{ headers } = { headers: {} }] = stage().collector.attempts
    expect(headers).toMatchObject({
      "content-type": "text/plain;charset=UTF-8",
      origin: stage().collector.origin("localhost"),
    })
    expect(headers).not.toHaveProperty("cookie")
    expect(stage().collector.requests.filter((line) => line.startsWith("OPTIONS"))).toEqual([])
    expect(stage().collector.stored("identify")).toMatchObject([{ email: "jane@acme.example" }])
  })

  test.each(
    rows([
      ["", 0],
      ["data-debug", 1],
    ]),
  )("an automated browser counts only with data-debug: '%s'", async (attributes, views) => {
    await stage().before(
      'Object.defineProperty(Navigator.prototype, "webdriver", { get: () => true })',
    )
    stage().serve("/", stage().tag({ attributes }))
    await stage().open("/")

    await stage().run("footfall.identify('jane@acme.example')")
    await stage().leave()
    if (views) await stage().collector.waitFor("identify", 1)

    expect(stage().collector.stored("page")).toHaveLength(views)
    if (!views) expect(stage().collector.attempts).toEqual([])
    if (!views) expect(await stage().kept()).toEqual([])
  })
})
