/**
 * Pages restored from the back-forward cache, prerendered, or opened in the background (spec 6.2).
 * Each view that someone saw counts as one page view.
 */
import { expect, test } from "vitest"
import { hasRun, inBrowsers } from "../support/stage.ts"

export const pageLife = inBrowsers(
  "the life of a page",
  (stage) => {
    test("two pages are 2 views with one id", async () => {
      stage().serve("/first")
      stage().serve("/second")
      await stage().open("/first")
      await stage().open("/second")
      await stage().collector.waitFor("page", 1)

      expect(await stage().pathsAtTheEnd()).toEqual(["/first", "/second"])
      const ids = stage().collector.batches.map((batch) => batch["anonymousId"])
      expect(new Set(ids).size).toBe(1)
    })

    test("events tracked while leaving a page arrive too", async () => {
      stage().serve(
        "/",
        `${stage().tag()}<script>addEventListener("pagehide", () => footfall.track("bye"))</script>`,
      )
      await stage().open("/")

      await stage().leave()

      expect(await stage().collector.waitFor("track", 1)).toMatchObject([{ name: "bye" }])
    })

    // The pages navigate by themselves, because a driver may lose track of a restored page.
    const away = "<script>onload = () => setTimeout(() => history.back(), 300)</script>"
    const leavesOnce = (then: string) =>
      `<script>
       addEventListener("pageshow", (event) => {
         if (event.persisted) { ${then} }
         else setTimeout(() => (location.href = "/away"), 300)
       })
     </script>`

    test("a page restored from the back-forward cache is 1 more view, and the script does not prevent the restore", async () => {
      stage().serve("/cached", stage().tag() + leavesOnce('footfall.track("restored")'))
      stage().serve("/away", away)

      await stage().page.goto(`${stage().collector.origin()}/cached`)
      await stage().collector.waitFor("track", 1)

      expect(stage().paths()).toEqual(["/cached", "/cached"])
    })

    test("spa: off does not count a restored page", async () => {
      stage().settings = { spa: "off" }
      stage().serve("/cached", stage().tag() + leavesOnce('footfall.track("restored")'))
      stage().serve("/away", away)

      await stage().page.goto(`${stage().collector.origin()}/cached`)
      await stage().collector.waitFor("track", 1)

      expect(stage().paths()).toEqual(["/cached"])
    })

    test("a background tab is 1 view when it is shown, and none before", async () => {
      stage().serve("/")
      const background = await stage().newPage({ background: true })
      await background.goto(`${stage().collector.origin()}/`)
      expect(await background.evaluate("document.visibilityState")).toBe("hidden")

      const shownAt = new Date().toISOString()
      await background.bringToFront()
      await hasRun(background)
      await background.evaluate("footfall.track('seen')")
      await background.close()
      await stage().collector.waitFor("track", 1)

      const views = stage().collector.stored("page")
      expect(views).toHaveLength(1)
      expect(String(views[0]?.["time"]) >= shownAt).toBe(true)
    })

    /** What a router and the site's own code do while the page loads. */
    const busy = `<script>
      (window.footfall = window.footfall || []).push(["identify", "jane@harbor.example"])
      const move = () => {
        if (!window.footfall.getVisitorId) return setTimeout(move, 20)
        history.replaceState({}, "", location.pathname + "/replaced")
        history.pushState({}, "", location.pathname + "/pushed")
        footfall.page()
        footfall.track("moved")
        fetch("/moved")
      }
      move()
    </script>`

    test("a background tab that navigates and identifies is 1 view when it is shown, where it then is", async () => {
      stage().serve("/tab", stage().tag() + busy)
      const background = await stage().newPage({ background: true })
      await background.goto(`${stage().collector.origin()}/tab`)
      await expect.poll(() => stage().collector.requests).toContain("GET /moved")
      expect(stage().collector.attempts).toEqual([])

      const shownAt = new Date().toISOString()
      await background.bringToFront()
      await stage().collector.waitFor("identify", 1)
      await background.close()
      await stage().collector.waitFor("page", 1)

      expect(stage().paths()).toEqual(["/tab/replaced/pushed"])
      for (const event of stage().collector.stored()) {
        expect(String(event["time"]) >= shownAt).toBe(true)
      }
    })

    test("a background tab that is never shown sends and stores nothing", async () => {
      stage().serve("/tab", stage().tag() + busy)
      stage().serve("/shown", "")
      const background = await stage().newPage({ background: true })

      await background.goto(`${stage().collector.origin()}/tab`)
      await expect.poll(() => stage().collector.requests).toContain("GET /moved")
      await background.close()
      await stage().page.goto(`${stage().collector.origin()}/shown`)

      expect(stage().collector.attempts).toEqual([])
      expect(await stage().kept()).toEqual([])
    })
  },
  { whole: true },
)

/** Only Chromium prerenders pages. */
export const prerendering = inBrowsers(
  "prerendering",
  (stage) => {
    const rules = (path: string) =>
      `<script type="speculationrules">{"prerender": [{"urls": ["${path}"], "eagerness": "immediate"}]}</script>`
    const ran = (path: string) => `${path}<script>fetch("/ran" + location.pathname)</script>`

    const openWithPrerender = async (html = "") => {
      stage().serve("/", `${stage().tag()}${rules("/next")}<a href="/next">next</a>`)
      stage().serve("/next", stage().tag() + html + ran("/next"))
      await stage().open("/")
      await expect.poll(() => stage().collector.requests).toContain("GET /ran/next")
    }

    test("a prerendered page that is activated is 1 view", async () => {
      await openWithPrerender()

      await Promise.all([stage().page.waitForNavigation(), stage().page.click("a")])
      await hasRun(stage().page)

      const activated = await stage().run(
        'performance.getEntriesByType("navigation")[0].activationStart > 0',
      )
      expect(activated).toBe(true)
      await stage().collector.waitFor("page", 1)
      expect(await stage().pathsAtTheEnd()).toEqual(["/", "/next"])
    })

    /** A router that starts after the script has loaded. */
    const router = `<script>
      const start = () => {
        if (!window.footfall || !footfall.getVisitorId) return setTimeout(start, 20)
        history.replaceState({}, "", location.href)
        history.pushState({}, "", "/next/route")
        footfall.identify("jane@harbor.example")
        fetch("/ran/router")
      }
      start()
    </script>`

    test("a prerendered page that is never activated is not a page view, whatever its router does", async () => {
      await openWithPrerender(router)
      await expect.poll(() => stage().collector.requests).toContain("GET /ran/router")

      expect(await stage().pathsAtTheEnd()).toEqual(["/"])
      expect(stage().collector.stored("identify")).toEqual([])
    })

    test("a prerendered page whose router navigated is 1 view when it is activated", async () => {
      await openWithPrerender(router)
      await expect.poll(() => stage().collector.requests).toContain("GET /ran/router")

      await Promise.all([stage().page.waitForNavigation(), stage().page.click("a")])

      expect(await stage().run("location.pathname")).toBe("/next/route")
      await stage().collector.waitFor("identify", 1)
      expect(await stage().pathsAtTheEnd()).toEqual(["/", "/next/route"])
    })
  },
  { names: ["Chromium"], whole: true },
)
