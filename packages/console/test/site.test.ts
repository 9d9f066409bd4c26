// The site in the URL: one without a pixel, and one whose lookup fails.
import { beforeAll, describe, expect, it } from "vitest"
import {
  address,
  demoPerson,
  demoPixel,
  failing,
  footfall,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { firstOf30Days } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("a site", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  const rule = { field: "behavior.pageviews", op: "gte", value: 1 } as const
  let personHash: string
  let companyDomain: string
  let segmentId: string
  let goneSite: string
  beforeAll(async () => {
    personHash = (await demoPerson()).emailHash
    const companies = await footfall.companies.list({ from: firstOf30Days() })
    companyDomain = companies.data.at(-1)!.domain
    const segment = await footfall.segments.create({
      name: `Site ${crypto.randomUUID().slice(0, 8)}`,
      ruleAst: { version: 1, rule },
    })
    segmentId = segment.id
    goneSite = `gone-${crypto.randomUUID().slice(0, 8)}.example`
    const pixel = await footfall.pixels.create({ domain: goneSite })
    await footfall.pixels.delete(pixel.id)
  })

  it("whose pixel was deleted says so on every screen, and requests no figures of other sites", async () => {
    const page = await open("settings")
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (/\/v1\/data\/(query|companies|overview)|\/sessions|\/preview/.test(request.url())) {
        asked.push(request.url())
      }
    })
    const ruleText = encodeURIComponent(JSON.stringify({ version: 1, rule }))
    for (const path of [
      `people?segment=${segmentId}&site=${goneSite}`,
      `people?rule=${ruleText}&site=${goneSite}`,
      `people/${personHash}?site=${goneSite}`,
      `companies/${companyDomain}?site=${goneSite}`,
      `segments/${segmentId}?site=${goneSite}`,
      `overview?site=${goneSite}`,
    ]) {
      await page.goto(address(path))
      await page.getByText("This site is no longer here").first().waitFor()
      await page.waitForLoadState("networkidle")
      expect(await page.getByRole("button", { name: "Save as CSV…" }).count()).toBe(0)
    }
    expect(asked).toEqual([])
  })

  it("whose pixel was deleted has a link to all sites", async () => {
    const page = await open(`people?segment=${segmentId}&site=${goneSite}`)
    await page.getByRole("link", { name: "Show all sites" }).click()
    await page.getByRole("table", { name: "People" }).getByRole("link").first().waitFor()
    expect(page.url()).toContain(`segment=${segmentId}`)
    expect(page.url()).not.toContain(goneSite)
  })

  it("that can't be looked up shows the error, and the list after a retry", async () => {
    const { domain } = await demoPixel()
    const page = await open("settings")
    const pixels = "**/v1/data/pixels"
    await failing(page, pixels)
    await page.goto(address(`people?segment=${segmentId}&site=${domain}`))
    const alert = page.getByRole("alert").filter({ hasText: "The server failed." })
    await alert.waitFor()
    await page.unroute(pixels)
    await alert.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("table", { name: "People" }).getByRole("link").first().waitFor()
  })
})
