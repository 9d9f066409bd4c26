/**
 * A script with the parts its settings need (features.ts), on pages whose tags ask for more: the
 * full script replaces it, and nothing is sent or stored before that (spec 6.1, options).
 */
import { expect, test } from "vitest"
import { PIXEL_ID } from "../../support/script.ts"
import { inBrowsers } from "../support/stage.ts"

/** Settings of a pixel that needs no part. */
const core = { consent: "granted" }

export const composition = inBrowsers("composition", (stage, { once, rows }) => {
  const requestedScripts = () =>
    stage().collector.requests.filter((line) => line.startsWith(`GET /p/${PIXEL_ID}`))

  test("a pixel that needs no optional part loads one script and counts", async () => {
    stage().settings = core
    stage().serve("/")
    await stage().open("/")

    expect(await stage().pathsAtTheEnd()).toEqual(["/"])
    expect(requestedScripts()).toEqual([`GET /p/${PIXEL_ID}.js`])
  })

  test.each(
    rows([
      ["consent", 'data-consent="required"'],
      ["hash mode", 'data-spa="hash"'],
      ["path filters", 'data-exclude="/private"'],
      ["path filters", 'data-include="/$"'],
      ["email capture", 'data-email-capture="forms"'],
    ]),
  )("a tag that asks for %s also loads the full script, once: %s", async (_part, attributes) => {
    stage().settings = core
    stage().serve("/", stage().tag({ attributes, query: "?plan=trial" }))
    await stage().open("/")
    await stage().run("footfall.consent('granted')")

    expect(await stage().pathsAtTheEnd()).toEqual(["/"])
    expect(requestedScripts()).toEqual([
      `GET /p/${PIXEL_ID}.js?plan=trial`,
      expect.stringMatching(new RegExp(`^GET /p/${PIXEL_ID}\\.[\\da-f]{16}\\.js$`)),
    ])
    expect(stage().collector.batches[0]).toMatchObject({ attribution: { plan: "trial" } })
  })

  test("nothing is sent or stored before the full script has loaded, or if it never loads", async () => {
    stage().settings = { ...core, cookieDomain: "" }
    const tag = stage().tag({ attributes: 'data-consent="required"' })
    // The pixel's settings change, so the full script that the page names no longer exists.
    stage().serve("/", `<script>(window.footfall = []).push(["track", "early"])</script>${tag}`)
    await stage().page.setRequestInterception(true)
    stage().page.on("request", (request) => {
      const isFull = /\.[\da-f]{16}\.js/.test(request.url())
      void (isFull ? request.abort() : request.continue())
    })

    await stage().page.goto(`${stage().collector.origin()}/`)
    await stage().page.waitForSelector("script:nth-of-type(3), head > script + script")
    await stage().run("footfall.push(['consent', 'granted']); history.pushState({}, '', '/b')")
    await stage().leave()

    expect(stage().collector.attempts).toEqual([])
    expect(await stage().kept()).toEqual([])
  })

  test("the tag's option applies: consent is required although the settings grant it", async () => {
    stage().settings = core
    stage().serve(
      "/",
      `<script>(window.footfall = []).push(["track", "early"])</script>
       ${stage().tag({ attributes: 'data-consent="required"' })}`,
    )
    await stage().open("/")
    expect(stage().collector.attempts).toEqual([])
    expect(await stage().kept()).toEqual([])

    await stage().run("footfall.consent('granted')")
    expect(await stage().pathsAtTheEnd()).toEqual(["/"])
  })

  once(() => {
    test("options that every script supports load no other script", async () => {
      stage().settings = core
      const attributes = 'data-debug data-theme="x"'
      stage().serve("/", stage().tag({ attributes }))
      await stage().open("/")

      await stage().pathsAtTheEnd()

      expect(requestedScripts()).toHaveLength(1)
      expect(stage().collector.batches[0]).toMatchObject({ debug: true })
    })
  })

  test("a nonce is passed on to the full script", async () => {
    stage().settings = core
    const origin = stage().collector.origin()
    const attributes = 'nonce="abc" data-exclude="/private"'
    stage().serve("/", stage().tag({ attributes }), {
      "content-security-policy": `default-src 'none'; img-src 'self'; script-src 'nonce-abc'; connect-src ${origin}/p/`,
    })
    await stage().page.goto(`${origin}/`)
    await expect.poll(() => stage().run("typeof window.footfall")).toBe("object")

    await stage().leave()

    await stage().collector.waitFor("page", 1)
    expect(requestedScripts()).toHaveLength(2)
  })
})
