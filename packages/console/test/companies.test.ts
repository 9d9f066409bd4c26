// Companies: the list with search and filters, a company with its people and visits, and its suppression.
import { beforeAll, describe, expect, it } from "vitest"
import type { Company } from "@footfall/sdk"
import {
  address,
  contentOf,
  failedRequestId,
  failing,
  footfall,
  newMember,
  signIn,
  useBrowser,
  useSignedIn,
  visit,
} from "./support/console.ts"
import { firstOf30Days } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("companies", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  let known: Company

  beforeAll(async () => {
    const { data } = await footfall.companies.list({ from: firstOf30Days(), limit: 100 })
    known = data.find(
      // Another file, beside this one, makes companies with hostile names.
      ({ name, peopleCount }) => name !== null && /^[\w .&'-]+$/.test(name) && peopleCount > 1,
    )!
  })

  it("are found by name, by sessions and by anonymous visits, and the URL keeps the search", async () => {
    const page = await open("companies")
    const table = page.getByRole("table", { name: "Companies" })
    await table.waitFor()
    const rows = async () => Number(await table.getAttribute("aria-rowcount")) - 1
    const total = async (filter: object) =>
      (await footfall.companies.list({ from: firstOf30Days(), ...filter })).meta.total ?? 0
    // Other tests add companies meanwhile, which the list shows once it is read again.
    const missing = async () => {
      await page.reload()
      await table.waitFor()
      return (await total({})) - (await rows())
    }
    await expect.poll(missing).toBe(0)

    await page.getByLabel("Visits", { exact: true }).selectOption("5")
    await expect.poll(rows).toBe(await total({ minSessions: 5 }))
    await page.getByLabel("No one known").check()
    await expect
      .poll(() =>
        page
          .getByText(/compan(y|ies)$|No matching companies/)
          .first()
          .textContent(),
      )
      .toMatch(
        new RegExp(`^(${await total({ minSessions: 5, anonymous: true })} compan|No company)`),
      )
    await page.getByLabel("No one known").uncheck()
    await page.getByLabel("Search companies").fill(known.name!.slice(1, 6))
    await expect.poll(() => page.url()).toContain("q=")
    await page.reload()
    await page.getByRole("link", { name: known.name! }).first().waitFor()
    expect(await page.getByLabel("Visits", { exact: true }).inputValue()).toBe("5")
  })

  it("are saved as CSV: every matching company, without formulas", async () => {
    const email = `${crypto.randomUUID()}@formula-${crypto.randomUUID().slice(0, 8)}.example`
    await visit({ email, traits: { companyName: "=HYPERLINK(1)" } })
    const q = email.slice(email.indexOf("@") + 1)
    const page = await open("companies")
    await page.getByRole("button", { name: "Save as CSV…" }).click()
    const save = async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("dialog").getByRole("button", { name: "Save" }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^companies-\d{4}-\d\d-\d\d\.csv$/)
      return (await contentOf(download)).trimEnd().split("\r\n")
    }
    const { meta } = await footfall.companies.list({ from: firstOf30Days() })
    const [head = "", ...all] = await save()
    expect(head).toMatch(/^"?name"?,"?domain"?,/)
    expect(all).toHaveLength(meta.total!)

    await page.goto(address(`companies?q=${q}`))
    await page.getByText("1 company", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Save as CSV…" }).click()
    const [, only = "", ...others] = await save()
    expect(others).toEqual([])
    expect(only).toContain(q)
    expect(only).toMatch(/^"?'=HYPERLINK\(1\)/)
  })

  it("show identified people and their visits, and link to the person", async () => {
    const company = await footfall.companies.get(known.domain, { from: firstOf30Days() })
    const page = await open(`companies/${known.domain}`)
    const panel = page.getByRole("region", { name: "company", exact: true })
    await panel.getByRole("heading", { name: known.name! }).waitFor()
    const people = panel.getByRole("region", { name: "People" })
    expect(await people.getByRole("listitem").count()).toBe(company.people.length)
    const visits = panel.getByRole("region", { name: "Activity" })
    expect(await visits.locator("details").count()).toBe(company.journey.sessions.length)
    const { sessionId } = company.journey.sessions[0]!
    const { data: events } = await footfall.companies.sessions.events(known.domain, sessionId)
    const pages = visits.getByRole("list", { name: "Pages" }).getByRole("listitem")
    await expect.poll(() => pages.count()).toBe(events.length)
    expect(await pages.first().textContent()).toContain(events[0]!.path)
    await people.getByRole("link").first().click()
    await page.getByRole("heading", { name: /^What .* did$/ }).waitFor()
    await page
      .getByRole("region", { name: "person", exact: true })
      .getByRole("link", { name: known.name! })
      .first()
      .click()
    await page.waitForURL(new RegExp(`companies/${known.domain}`))
  })

  it("show their score and what it is made of, and the hottest first when asked, as people do", async () => {
    const page = await open("companies")
    for (const [screen, path, top] of [
      [
        "Companies",
        "companies",
        () => footfall.companies.list({ from: firstOf30Days(), sort: "score" }),
      ],
      [
        "People",
        "people",
        () =>
          footfall.visitors.list({ from: firstOf30Days(), sort: "score", suppressed: "exclude" }),
      ],
    ] as const) {
      await page.goto(address(path))
      const table = page.getByRole("table", { name: screen })
      await table.waitFor()
      await page.getByLabel("Order").selectOption("score")
      await expect.poll(() => page.url()).toContain("sort=score")
      const [hottest] = (await top()).data
      const score = String(hottest!.score!.total)
      await expect.poll(() => table.getByRole("row").nth(1).textContent()).toContain(score)
      await table.getByRole("row").nth(1).getByRole("link").click()
      const reasons = page.getByRole("region", { name: "Score" })
      await reasons.getByRole("heading", { name: `Score ${score}` }).waitFor()
      expect(await reasons.getByRole("listitem").count()).toBeGreaterThan(0)
      await page.reload()
      await reasons.waitFor()
      expect(await page.getByLabel("Order").inputValue()).toBe("score")
    }
  })

  it("show who walked when: a row for each person with their days, as the server counts them", async () => {
    const { anonymous, people } = await footfall.companies.activity(known.domain)
    const page = await open(`companies/${known.domain}`)
    const walk = page.getByRole("region", { name: "Who walked when" })
    await walk.waitFor()
    const rows = Math.min(12, people.length) + Math.min(4, anonymous.length)
    await expect.poll(() => walk.getByRole("listitem").count()).toBe(rows)
    const [first] = people
    const days = first!.days.filter(({ pageviews }) => pageviews > 0).length
    await walk
      .getByRole("img", { name: new RegExp(`^${first!.name}: visits on ${days} of 30 days`) })
      .waitFor()
    expect(await walk.getByRole("listitem").first().locator("svg path").count()).toBe(days)
  })

  it("open from the keyboard, and close with Escape", async () => {
    const page = await open("people")
    await page.getByRole("table", { name: "People" }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("c")
    await page.getByRole("table", { name: "Companies" }).waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    const panel = page.getByRole("region", { name: "company", exact: true })
    await panel.waitFor()
    await page.keyboard.press("Escape")
    await panel.waitFor({ state: "detached" })
  })

  it("say as people do that a list took too long, and what to do about it", async () => {
    const message =
      "Reading the list took longer than 10 seconds. Use a shorter period or a longer search text, then try again."
    const page = await open("overview")
    for (const [screen, route] of [
      ["Companies", "**/v1/data/companies?*"],
      ["People", "**/v1/data?*"],
    ] as const) {
      await page.route(route, (each) =>
        each.fulfill({
          status: 422,
          json: { error: { code: "QUERY_TOO_SLOW", message, details: { seconds: 10 } }, meta: {} },
        }),
      )
      await page.getByRole("link", { name: screen, exact: true }).click()
      const problem = page.getByRole("main").getByRole("alert")
      await problem.waitFor()
      expect(await problem.locator("p").allTextContents()).toEqual([message])
      await page.unroute(route)
      await problem.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("table", { name: screen }).waitFor()
    }
  })

  it("say how many are shown if counting them took too long", async () => {
    const page = await open("overview")
    let more = { hasMore: true, nextCursor: "more" as string | null }
    await page.route("**/v1/data/companies?*", async (route) => {
      const response = await route.fetch()
      const { data, meta } = (await response.json()) as {
        data: ReadonlyArray<unknown>
        meta: object
      }
      const json = { data: data.slice(0, 2), meta: { ...meta, ...more, total: null } }
      await route.fulfill({ response, json })
    })
    await page.route("**/v1/data/companies?*cursor=more*", () => undefined)
    const foot = page.locator(".list-foot")
    await page.getByRole("link", { name: "Companies", exact: true }).click()
    await foot.getByText("The first 2 companies").waitFor()
    more = { hasMore: false, nextCursor: null }
    await page.reload()
    await foot.getByText("2 companies", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Save as CSV…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).waitFor()
    expect(await page.getByText(/null|NaN/).count()).toBe(0)
  })

  it("say if a company did not visit in the window, with a link to all time", async () => {
    const page = await open("companies/nowhere.example?window=7d")
    await page.getByText("No visits in this time window").waitFor()
    await page.getByRole("link", { name: "Show all time and all sites" }).click()
    await page.getByText("No visits from this company").waitFor()
  })

  it("are suppressed by a rule, name it, and are unsuppressed when it is removed", async () => {
    const domain = `quiet-${crypto.randomUUID().slice(0, 8)}.example`
    const person = await visit({ email: `jane@${domain}` })
    const page = await open(`companies/${domain}`)
    await page.getByRole("button", { name: "Suppress this company" }).click()
    await page.getByText(`Added a rule for ${domain}`).waitFor()
    const { data } = await footfall.suppression.list({ q: domain })
    expect(data.map(({ type, value }) => [type, value])).toEqual([["company_domain", domain]])

    await expect
      // The server does it within a minute.
      .poll(async () => (await footfall.companies.get(domain)).suppressed, {
        timeout: 100_000,
        interval: 1000,
      })
      .toBe(true)
    await page.reload()
    await page.getByText("1 person, suppressed").waitFor()
    expect(await page.getByText("no one known", { exact: true }).count()).toBe(0)
    const why = page.getByRole("region", { name: "Why suppressed" })
    await why.getByRole("link", { name: domain }).waitFor()
    await why.getByRole("button", { name: "Remove the rule" }).click()
    await page.getByText(`Removed ${domain}`).waitFor()
    expect((await footfall.suppression.list({ q: domain })).data).toEqual([])
    await footfall.visitors.erase(person.emailHash)
  }, 120_000)

  it("show hostile text as text", async () => {
    const hostile = `<img src=x onerror="globalThis.ran=1">`
    const domain = `hostile-${crypto.randomUUID().slice(0, 8)}.example`
    await visit({ email: `jane@${domain}`, traits: { companyName: hostile, jobTitle: hostile } })
    const page = await open(`companies/${domain}`)
    await page.getByRole("heading", { name: hostile }).waitFor()
    await page.goto(address("companies"))
    await page.getByRole("link", { name: hostile }).first().waitFor()
    expect(await page.evaluate("globalThis.ran ?? null")).toBeNull()
    expect(await page.locator("img").count()).toBe(0)
  })

  it("show an error with its request id", async () => {
    const page = await open("people")
    await failing(page, "**/v1/data/companies*")
    await page.getByRole("link", { name: "Companies" }).click()
    await page.getByRole("alert").getByText(failedRequestId).waitFor()
  })

  it("are shown to a viewer without any changes to make", async () => {
    const page = await signIn(await newContext(), "people", await newMember("viewer"))
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.goto(address(`companies/${known.domain}`))
    await page.getByRole("heading", { name: "Who walked when" }).waitFor()
    await page.waitForLoadState("networkidle")
    expect(await page.getByRole("button", { name: /suppress|remove/i }).count()).toBe(0)
    expect(refused).toEqual([])
  })
})
