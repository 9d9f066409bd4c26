// The overview: the server's figures at a glance, what needs attention, and the latest visitors.
import { describe, expect, it, vi } from "vitest"
import type { Page } from "playwright-core"
import {
  address,
  failedRequestId,
  failing,
  footfall,
  newMember,
  signIn,
  useBrowser,
  useSignedIn,
  visit,
} from "./support/console.ts"
import { daysAgo, firstOf30Days } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const whole = (value: number): string => new Intl.NumberFormat("en").format(value)

/** Changes the server's responses at an address. */
const answering = (page: Page, at: string, change: (data: never) => unknown): Promise<unknown> =>
  page.route(at, async (route) => {
    const response = await route.fetch()
    const { data, meta } = (await response.json()) as {
      readonly data: never
      readonly meta: object
    }
    await route.fulfill({ response, json: { data: change(data), meta } })
  })

describe("the overview", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("is the start page once there is data, and shows the server's counts", async () => {
    await expect
      .poll(async () => (await footfall.overview.get()).totals.people, { timeout: 90_000 })
      .toBeGreaterThan(100)
    const page = await open("")
    await page.waitForURL(/\/console\/overview/)
    const main = page.getByRole("main")
    const figures = main.locator(".figure")
    await figures.first().waitFor()
    expect(await figures.count()).toBe(5)
    // Both are requested again, because other tests add people meanwhile. The page does so every
    // half minute.
    await vi.waitFor(
      async () => {
        const { totals } = await footfall.overview.get()
        expect(await figures.allTextContents()).toEqual([
          expect.stringContaining(whole(totals.people)),
          expect.stringContaining(whole(totals.companies)),
          expect.stringContaining(whole(totals.sessions)),
          expect.stringContaining(whole(totals.anonymousSessions)),
          expect.stringContaining(whole(totals.pricingPageViews)),
        ])
      },
      { timeout: 100_000, interval: 1000 },
    )
    await main.getByText(/used this month.*intent data of \d{4}-/).waitFor()
  })

  it("counts as many people as the list of people in the same window", async () => {
    const page = await open("overview")
    const numberIn = (text: string | null): number =>
      Number(/[\d,]+/.exec(text!)![0].replace(",", ""))
    const people = async (window: string) => {
      await page.goto(address(`overview?window=${window}`))
      const figure = page.locator(".figure", { hasText: /^People/ }).locator("strong")
      const inOverview = numberIn(await figure.textContent())
      await page.goto(address(`people?window=${window}`))
      const foot = page.locator(".list-foot").getByText(/people/)
      return { inOverview, inList: numberIn(await foot.textContent()) }
    }
    for (const window of ["7d", "30d"]) {
      // Other tests add people meanwhile, and the figures follow after some seconds.
      await vi.waitFor(
        async () => {
          const { inList, inOverview } = await people(window)
          expect(inList).toBe(inOverview)
        },
        { timeout: 60_000, interval: 2000 },
      )
    }
  })

  it("counts what is suppressed only when asked to, and the lists do as the overview does", async () => {
    const page = await open("overview")
    const chosen = () => page.getByRole("combobox", { name: "What is suppressed" })
    const asked = page.waitForRequest(
      (request) =>
        request.url().includes("/v1/data/overview?") &&
        request.url().includes("suppressed=include"),
    )
    await page.getByRole("main").locator(".figure").first().waitFor()
    expect(await chosen().inputValue()).toBe("exclude")
    await chosen().selectOption("include")
    await asked
    await page.getByRole("link", { name: "People", exact: true }).click()
    await page.getByRole("table", { name: "People" }).waitFor()
    expect(await chosen().inputValue()).toBe("include")
    await page.getByRole("link", { name: "Companies", exact: true }).click()
    await page.getByRole("table", { name: "Companies" }).waitFor()
    expect(await chosen().inputValue()).toBe("include")
    expect(page.url()).toContain("suppressed=include")
  })

  it("opens with a sentence about the accounts, then who is hottest and why, before any figure", async () => {
    const { data } = await footfall.companies.list({
      from: firstOf30Days(),
      sort: "score",
      limit: 5,
      suppressed: "exclude",
    })
    const page = await open("overview")
    const lead = page.locator(".lead")
    await expect.poll(() => lead.textContent()).toMatch(/\w.*\.$/)
    const accounts = page.getByRole("region", { name: "Hottest accounts" }).getByRole("listitem")
    await expect.poll(() => accounts.count()).toBe(data.filter(({ score }) => score).length)
    for (const [index, { name, domain, score }] of data.entries()) {
      const text = await accounts.nth(index).textContent()
      expect(text).toContain(name ?? domain)
      expect(text).toContain(String(score!.total))
    }
    await accounts
      .first()
      .getByRole("img", { name: /Visits on \d+ of the last 30 days/ })
      .waitFor()
    const people = page.getByRole("region", { name: "Hottest people" }).getByRole("listitem")
    expect(await people.count()).toBe(5)
    const [first, figure] = [
      await accounts.first().boundingBox(),
      await page.locator(".figure").first().boundingBox(),
    ]
    expect(first!.y).toBeLessThan(figure!.y)
    await lead.getByRole("link").or(accounts.getByRole("link")).first().click()
    await page.waitForURL(/\/companies\/.+\.example/)
  })

  it("chooses by a figure what the plot shows", async () => {
    const page = await open("overview")
    const plot = page.getByRole("slider")
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toMatch(/: People \d/)
    const visits = page.getByRole("button", { name: /^Visits/ })
    await visits.click()
    expect(await visits.getAttribute("aria-pressed")).toBe("true")
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toMatch(/: Visits \d/)
  })

  it("breaks visits down by page, source, campaign and country, each beside the period before", async () => {
    const page = await open("overview")
    for (const by of ["page", "source", "country"] as const) {
      const title = { page: "Pages", source: "Sources", country: "Countries" }[by]
      const { rows } = await footfall.overview.breakdown({ by, compare: "previous", limit: 7 })
      const items = page.getByRole("region", { name: title }).getByRole("listitem")
      await expect.poll(() => items.count()).toBe(rows.length)
      expect(await items.first().textContent()).toMatch(/[\d,]+([+−][\d,]+%|0%|new)$/)
    }
    const pricing = page.getByRole("region", { name: "Pages" }).getByRole("listitem")
    await pricing.filter({ hasText: "/pricing, a key page" }).first().waitFor()
  })

  it("shows a day's values with the arrow keys, and all values in a table", async () => {
    const { days } = await footfall.overview.get()
    const page = await open("overview")
    const plot = page.getByRole("slider")
    await plot.focus()
    await page.keyboard.press("ArrowLeft")
    const before = days.at(-2)!
    await expect
      .poll(() => plot.getAttribute("aria-valuetext"))
      .toMatch(new RegExp(`^${before.date}: People ${whole(before.people)}, the period before `))
    await page.getByText("Show as a table").click()
    await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(31)
  })

  it("compares with the period before unless asked for a year: the figures in words, the columns with ticks", async () => {
    // No test adds visits to these days.
    const days = { from: daysAgo(20), to: daysAgo(11) }
    const ask = () => footfall.overview.get({ ...days, compare: "previous" })
    await expect
      .poll(async () => (await ask()).comparison!.totals.people, { timeout: 90_000 })
      .toBeGreaterThan(0)
    const page = await open(`overview?from=${days.from}&to=${days.to}`)
    const { comparison, totals } = await ask()
    const was = comparison!.totals.people
    const percent = Math.round(((totals.people - was) / was) * 100)
    const change =
      percent === 0 ? "as before" : `${percent > 0 ? "+" : "−"}${Math.abs(percent)}% from ${was}`
    const figure = page.locator(".figure", { hasText: /^People/ })
    await expect.poll(() => figure.textContent()).toContain(change)
    const last = comparison!.days.at(-1)!
    expect(last.date).toBe(daysAgo(21))
    expect(await page.getByRole("slider").getAttribute("aria-valuetext")).toMatch(
      new RegExp(`^${days.to}: People .*the period before ${last.people} on ${last.date}$`),
    )
    expect(await page.locator(".columns .p").count()).toBe(comparison!.days.length)
    await page.getByLabel("Compare").selectOption("year")
    await expect.poll(() => new URL(page.url()).searchParams.get("compare")).toBe("year")
    await page.getByLabel("Compare").selectOption("previous")
    await expect.poll(() => new URL(page.url()).searchParams.get("compare")).toBeNull()
    const foot = await page.locator(".overview-foot").textContent()
    expect(foot).toMatch(/compared with \w+ \d+.* · time zone UTC/)
  })

  it("compares hours with hours, and with those of a year before", async () => {
    const page = await open("overview?window=24h&compare=previous")
    const chosen = async () => await page.getByRole("slider").getAttribute("aria-valuetext")
    const hour = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d): .*before \d+ on (\d{4}-\d\d-\d\d) (\d\d:\d\d)$/
    await expect.poll(chosen).toMatch(hour)
    const [, day, time, dayBefore, timeBefore] = hour.exec((await chosen())!)!
    expect([dayBefore, timeBefore]).toEqual([
      new Date(Date.parse(day!) - 86_400_000).toISOString().slice(0, 10),
      time,
    ])
    await page.getByLabel("Compare").selectOption("year")
    await expect.poll(chosen).toContain(`on ${Number(day!.slice(0, 4)) - 1}-`)
    const figure = page.locator(".figure", { hasText: /^People/ })
    await expect.poll(() => figure.textContent()).toMatch(/\+[\d,]+ from 0$/)
  })

  it("says that days are too long ago for figures, or shows those that have some", async () => {
    const page = await open(`overview?from=${daysAgo(500)}&to=${daysAgo(400)}`)
    await page.getByText("These days have no figures").waitFor()
    await page.goto(address(`overview?from=${daysAgo(500)}&to=${daysAgo(1)}`))
    await page.getByText(/no earlier day has figures/).waitFor()
    expect(await page.getByRole("slider").getAttribute("aria-valuemax")).toBe("364")
  })

  it("follows window and site, and says if a window has no figures", async () => {
    const page = await open("overview")
    await page.getByLabel("Window").selectOption("7d")
    await expect.poll(() => page.getByRole("slider").getAttribute("aria-valuemax")).toBe("6")
    await page.getByLabel("Window").selectOption("all")
    await page.getByText("the longest window that has figures").waitFor()
    await page.getByLabel("Window").selectOption("24h")
    await page.getByRole("region", { name: "Hours" }).waitFor()
  })

  it("shows a new visitor, with the pages they read, while it is open", async () => {
    const page = await open("overview")
    const latest = page.getByRole("region", { name: "Latest visitors" })
    await latest.getByRole("listitem").first().waitFor()
    // Other tests have hostile names too.
    const hostile = `<img src=x onerror="globalThis.ran=1"> ${crypto.randomUUID()}`
    const person = await visit({
      email: `live-${crypto.randomUUID()}@acme.example`,
      traits: { firstName: hostile, companyName: hostile },
      path: "/pricing/teams",
    })
    const row = latest.getByRole("listitem").filter({ hasText: hostile })
    await row.waitFor({ timeout: 30_000 })
    expect(await row.textContent()).toContain("/pricing/teams")
    // A number, not a badge that says the same of everyone.
    expect(await row.textContent()).toContain("· pricing × 1")
    expect(await row.locator(".tag, .badge").count()).toBe(0)
    expect(await page.evaluate("globalThis.ran ?? null")).toBeNull()
    await row.getByRole("link").click()
    await page.waitForURL(new RegExp(person.emailHash))
  })

  it("lists only what needs attention, each with a link", async () => {
    // Visits of other tests would send to it, and fail.
    const { id: pixelId } = await footfall.pixels.create({ domain: "attention.example" })
    const { webhook } = await footfall.webhooks.create({
      name: "Attention",
      url: "https://hooks.acme.example/attention",
      pixelId,
    })
    const page = await open("people")
    await page.goto(address("overview"))
    await page.getByRole("region", { name: "Days" }).waitFor()
    expect(await page.getByText("Alert Attention").count()).toBe(0)
    await answering(page, "**/v1/data/webhooks", (data: ReadonlyArray<{ id: string }>) =>
      data.map((each) => (each.id === webhook.id ? { ...each, status: "auto_disabled" } : each)),
    )
    await answering(page, "**/v1/data/account", (data: { credits: object }) => ({
      ...data,
      credits: { ...data.credits, limit: 100, used: 95, remaining: 5, heldBack: 0 },
    }))
    await answering(page, "**/v1/data/pixels", (data: ReadonlyArray<object>) =>
      data.map((pixel) => ({ ...pixel, lastEventAt: "2026-01-02T03:04:05.000Z" })),
    )
    await page.reload()
    const needs = page.getByRole("region", { name: "Needs attention" })
    await needs.getByText("95 of 100 credits used this month").waitFor()
    await needs
      .getByText(/The site .* has gone silent/)
      .first()
      .waitFor()
    await needs.getByText(/Alert Attention was turned off/).click()
    await page.waitForURL(new RegExp(webhook.id))
    await footfall.webhooks.delete(webhook.id)
    await footfall.pixels.delete(pixelId)
  })

  it("says at once that a webhook is retrying, how often it failed, and why", async () => {
    const name = `Down ${crypto.randomUUID().slice(0, 8)}`
    const { webhook } = await footfall.webhooks.create({
      name,
      url: "https://hooks.acme.example/down",
    })
    await visit({ email: `down-${crypto.randomUUID()}@acme.example` })
    await expect
      .poll(async () => (await footfall.webhooks.get(webhook.id)).stats.lastErrorMessage)
      .not.toBeNull()
    const { consecutiveFailures, lastErrorMessage } = (await footfall.webhooks.get(webhook.id))
      .stats
    expect(consecutiveFailures).toBe(0)
    const page = await open("overview")
    const need = page.getByRole("link", { name: `Alert ${name} failed` })
    expect(await need.textContent()).toMatch(/failed \d times? in a row: ./)
    expect(await need.textContent()).toContain(lastErrorMessage!)
    await page.getByRole("link", { name: "Alerts", exact: true }).click()
    const row = page.getByRole("row").filter({ hasText: name })
    await row.getByText(/^retrying, \d+ failed$/).waitFor()
    expect(await row.textContent()).toContain(lastErrorMessage!)
    // Like a password, if it is the URL of a chat channel.
    expect(await row.textContent()).toContain("hooks.acme.example/…")
    expect(await row.textContent()).not.toContain("/down")
    await footfall.webhooks.delete(webhook.id)
  })

  it("shows an error with its request id, and continues after a retry", async () => {
    const page = await open("people")
    await failing(page, "**/v1/data/overview*")
    await page.getByRole("link", { name: "Overview" }).click()
    const problem = page.getByRole("alert")
    await problem.getByText(failedRequestId).waitFor()
    await page.unroute("**/v1/data/overview*")
    await problem.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("region", { name: "Days" }).waitFor()
  })

  it("is empty until the first visit, and links to the setup", async () => {
    const page = await open("people")
    await answering(page, "**/v1/data/pixels", () => [])
    await page.goto(address(""))
    await page.waitForURL(/\/console\/start/)
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByRole("link", { name: "Put the tag on your site" }).waitFor()
  })

  it("requests nothing that a viewer may not read", async () => {
    const page = await signIn(await newContext(), "people", await newMember("viewer"))
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.goto(address("overview"))
    await page.getByRole("region", { name: "Days" }).waitFor()
    await page.waitForLoadState("networkidle")
    expect(refused).toEqual([])
  })
})
