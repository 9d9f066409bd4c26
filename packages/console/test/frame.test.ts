// What works on every screen: time window and site in the URL, the keyboard, the search, lists that
// load on scroll, errors, and the connection.
import { describe, expect, it } from "vitest"
import {
  address,
  demoPerson,
  demoPixel,
  fillSignIn,
  footfall,
  newMember,
  signIn,
  stage,
  useBrowser,
  useSignedIn,
  visit,
} from "./support/console.ts"
import { daysAgo, firstOf30Days } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("the frame", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("keeps window and site in the URL across screens", async () => {
    const pixel = await demoPixel()
    const page = await open("people")
    await page.getByLabel("Window").selectOption("90d")
    await page.getByLabel("Site").selectOption(pixel.domain)
    await page.getByRole("link", { name: "Alerts" }).click()
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("table", { name: "People" }).waitFor()
    const { searchParams } = new URL(page.url())
    expect(searchParams.get("window")).toBe("90d")
    expect(searchParams.get("site")).toBe(pixel.domain)
    await page.reload()
    expect(await page.getByLabel("Window").inputValue()).toBe("90d")
  })

  it("shows chosen days on every screen, keeps them in the URL, and drops them for a window", async () => {
    const days = { from: daysAgo(20), to: daysAgo(11) }
    const { meta } = await footfall.visitors.list({ ...days, suppressed: "exclude" })
    const page = await open("people")
    const choice = page.getByLabel("Time window")
    await choice.selectOption({ label: "Other days…" })
    const dialog = page.getByRole("dialog", { name: "Other days" })
    // It begins with the days that are shown.
    expect(await dialog.getByLabel("First day").inputValue()).toBe(firstOf30Days())
    await dialog.getByLabel("Last day").fill(days.to)
    await dialog.getByLabel("First day").fill(days.from)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    await page.locator(".list-foot").getByText(`${meta.total} people`).waitFor()
    await page.getByRole("table", { name: "People" }).getByRole("link").first().click()
    const asked = page.waitForRequest((request) => request.url().includes("/sessions?"))
    await page.reload()
    const { searchParams } = new URL((await asked).url())
    expect(Object.fromEntries(searchParams)).toMatchObject(days)
    expect(await choice.inputValue()).toBe("days")
    await page.getByRole("link", { name: "Companies", exact: true }).click()
    await page.getByRole("table", { name: "Companies" }).waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(days)
    await choice.selectOption("7d")
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ window: "7d" })
    // As a link such as "Show everyone" leads, which carries the days over.
    await page.goto(address(`people?window=90d&from=${days.from}&to=${days.to}`))
    await expect.poll(() => choice.inputValue()).toBe("90d")
  })

  it("refuses a last day before the first, and leaves the period as it was", async () => {
    const page = await open("people")
    await page.getByLabel("Time window").focus()
    await page.getByLabel("Time window").selectOption({ label: "Other days…" })
    const dialog = page.getByRole("dialog", { name: "Other days" })
    await dialog.getByLabel("Last day").fill(daysAgo(40))
    await dialog.getByRole("button", { name: "Show these days" }).click()
    expect(await dialog.getByLabel("Last day").evaluate((field) => field.matches(":invalid"))).toBe(
      true,
    )
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    expect(await page.getByLabel("Time window").inputValue()).toBe("30d")
    expect(await page.evaluate("document.activeElement.tagName")).toBe("SELECT")
  })

  it("keeps the days of the audit log apart from those of the period", async () => {
    const page = await open(`people?from=${daysAgo(20)}&to=${daysAgo(11)}`)
    await page.goto(address(`settings/audit?from=${daysAgo(20)}&to=${daysAgo(11)}`))
    await page
      .getByRole("row", { name: /user\.logged_in/ })
      .first()
      .waitFor()
    expect(await page.getByLabel("From").inputValue()).toBe("")
  })

  it("shows the choice of window and site only on screens that depend on it", async () => {
    const page = await open("overview")
    const choices = async () => ({
      hasWindow: (await page.getByLabel("Time window").count()) === 1,
      hasSite: (await page.getByLabel("Site", { exact: true }).count()) === 1,
    })
    const found: Record<string, unknown> = {}
    for (const name of ["Overview", "People", "Companies", "Topics"]) {
      await page.getByRole("link", { name, exact: true }).click()
      await page.getByRole("heading", { name, exact: true }).waitFor()
      found[name] = await choices()
    }
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("heading", { name: "People a day" }).waitFor()
    found["Topic"] = await choices()
    for (const name of ["Audiences", "Lists", "Suppression", "Alerts", "Sites"]) {
      await page.getByRole("link", { name, exact: true }).click()
      await page.getByRole("heading", { name, exact: true }).waitFor()
      found[name] = await choices()
    }
    const both = { hasWindow: true, hasSite: true }
    const none = { hasWindow: false, hasSite: false }
    expect(found).toEqual({
      Overview: both,
      People: both,
      Companies: both,
      Topics: none,
      Topic: { hasWindow: true, hasSite: false },
      Audiences: none,
      Lists: none,
      Suppression: none,
      Alerts: none,
      Sites: none,
    })
  })

  it("can be used with the keyboard: to a screen, through the rows, into a person and out", async () => {
    const page = await open("pixels")
    await page.getByRole("table", { name: "Sites" }).waitFor()
    await page.keyboard.press("g")
    await page.keyboard.press("p")
    const table = page.getByRole("table", { name: "People" })
    await table.getByRole("link").first().waitFor()
    const row = table.locator("[data-index]", { has: page.locator("a:focus") })
    await page.keyboard.press("j")
    await row.waitFor()
    const first = Number(await row.getAttribute("data-index"))
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    await expect.poll(() => row.getAttribute("data-index")).toBe(String(first + 1))
    const href = await row.getByRole("link").first().getAttribute("href")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: /^What .* did$/ }).waitFor()
    expect(new URL(href!, page.url()).pathname).toBe(new URL(page.url()).pathname)
    await page.keyboard.press("Escape")
    await page.getByRole("region", { name: "person" }).waitFor({ state: "detached" })
    await page.keyboard.press("?")
    await page.getByRole("heading", { name: "Keys" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("heading", { name: "Keys" }).waitFor({ state: "detached" })
  })

  it("stays around an address that does not exist", async () => {
    const page = await open("nonsense/of/any/kind")
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor()
    await page.getByRole("navigation", { name: "Console" }).waitFor()
  })

  it("names the tab after what is open, and after the screen again once that closes", async () => {
    const person = await demoPerson(({ fullName }) => fullName !== null)
    const page = await open(`people/${person.emailHash}`)
    await expect.poll(() => page.title()).toBe(`${person.fullName} · Footfall`)
    await page.keyboard.press("Escape")
    await expect.poll(() => page.title()).toBe("People · Footfall")
    await page.goto(address("settings/keys"))
    await expect.poll(() => page.title()).toBe("API keys · Settings · Footfall")
  })

  it("writes dates and numbers as the language of the browser does", async () => {
    const person = await demoPerson()
    const own = await newContext({ locale: "de-DE" })
    const page = await signIn(own, `people/${person.emailHash}`)
    const time = page.getByRole("region", { name: "person", exact: true }).locator("dl time").last()
    await expect.poll(() => time.innerText()).toMatch(/^\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}$/)
    await own.close()
  })

  it("on a phone closes its sheet of screens with Escape or a click beside it, and shows the current tab", async () => {
    const page = await signIn(await newContext({ width: 390 }), "settings/account")
    const rail = page.getByRole("navigation", { name: "Console" })
    await page.getByRole("button", { name: "More" }).click()
    await rail.waitFor()
    await page.keyboard.press("Escape")
    await rail.waitFor({ state: "hidden" })
    await page.getByRole("button", { name: "More" }).click()
    await rail.waitFor()
    await page.mouse.click(370, 80)
    await rail.waitFor({ state: "hidden" })
    const tab = page.getByRole("link", { name: "Account" }).and(page.locator(".tab"))
    const box = (await tab.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(390)
    await page.goto(address("people"))
    await page.locator(".on-phones").first().waitFor()
  })

  it("finds a person by email address, and a screen by name", async () => {
    const person = await demoPerson(({ email }) => email !== null)
    const page = await open("pixels")
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: /^Search/ }).fill(person.email!)
    await page.getByRole("option", { name: /Person/ }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: /^What .* did$/ }).waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: /^Search/ }).fill("supp")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Suppression" }).waitFor()
  })

  it("lists what was opened last from it, then actions, before anything is typed", async () => {
    const page = await open("pixels")
    const options = page.getByRole("option")
    await page.keyboard.press("Control+k")
    expect(await options.first().textContent()).toBe("Create an audienceAction")
    await page.getByRole("combobox", { name: /^Search/ }).fill("supp screen")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Suppression" }).waitFor()
    await page.keyboard.press("Control+k")
    const texts = await options.allTextContents()
    expect(texts.slice(0, 2)).toEqual(["SuppressionScreen", "Create an audienceAction"])
    expect(texts.filter((text) => text === "SuppressionScreen")).toHaveLength(1)
  })

  it("finds a recent visitor by part of the name and company, in any order", async () => {
    const word = crypto.randomUUID().slice(0, 8)
    const person = await visit({
      email: `ida@${word}.example`,
      traits: { firstName: "Ida", lastName: word, companyName: `${word} Harbor` },
    })
    const [firstName = "", lastName = ""] = person.fullName!.toLowerCase().split(" ")
    const page = await open("pixels")
    await page.keyboard.press("Control+k")
    const search = page.getByRole("combobox", { name: /^Search/ })
    await search.fill(`${person.companyName!.slice(0, 5)} ${lastName.slice(0, 3)} ${firstName}`)
    await page
      .getByRole("option", { name: `${person.fullName} Person · ${person.companyName}` })
      .first()
      .click()
    await page.getByRole("heading", { name: person.fullName! }).waitFor()
    await page.keyboard.press("Control+k")
    await search.fill(`${firstName} of no company`)
    await page.getByText(/Names are searched among recent visitors/).waitFor()
    await footfall.visitors.erase(person.emailHash)
  })

  it("finds a company by name, and actions", async () => {
    const { data } = await footfall.companies.list({ timeframe: "all" })
    // From the demo: other tests erase their own, which were here later.
    const company = data.findLast(({ name }) => name !== null)!
    const page = await open("pixels")
    await page.keyboard.press("Control+k")
    const search = page.getByRole("combobox", { name: /^Search/ })
    await search.fill(company.name!.toLowerCase())
    await page.getByRole("option", { name: new RegExp(`Company · ${company.domain}`) }).click()
    await page.getByRole("heading", { name: company.name! }).waitFor()
    for (const title of ["Create an audience", "Add suppression rules"]) {
      await page.keyboard.press("Control+k")
      await search.fill(title)
      await page.keyboard.press("Enter")
      await page
        .getByRole("dialog")
        .getByRole("heading", { name: title.replace("suppression ", "") })
        .waitFor()
      await page.getByRole("button", { name: "Cancel" }).click()
    }
    await page.reload()
    await page.getByRole("heading", { name: "Suppression" }).waitFor()
    await page.waitForLoadState("networkidle")
    expect(await page.getByRole("dialog").count()).toBe(0)
    const viewer = await signIn(await newContext(), "people", await newMember("viewer"))
    await viewer.keyboard.press("Control+k")
    await viewer.getByRole("combobox", { name: /^Search/ }).fill("create")
    await viewer.getByText("Nothing found").waitFor()
  })

  it("loads the list on scroll, and renders only visible rows", async () => {
    const count = async () =>
      (await footfall.visitors.list({ from: firstOf30Days(), suppressed: "exclude" })).meta.total ??
      0
    const before = await count()
    const page = await open("people")
    const table = page.getByRole("table", { name: "People" })
    await table.waitFor()
    const total = Number(await table.getAttribute("aria-rowcount")) - 1
    // Other tests may add people meanwhile, and erase them.
    const counts = [before, await count()]
    expect(total).toBeGreaterThanOrEqual(Math.min(...counts))
    expect(total).toBeLessThanOrEqual(Math.max(...counts))
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().includes("/v1/data?")) asked.push(request.url())
    })
    await expect
      .poll(async () => {
        await table.evaluate((list) => list.scrollTo(0, list.scrollHeight))
        return page.locator(`[data-index="${total - 1}"]`).count()
      })
      .toBe(1)
    expect(await table.getByRole("row").count()).toBeLessThan(60)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it("renders few rows of a list of 100,000 people, and never shifts visible rows", async () => {
    const [size, read, total] = [1_000, 10_000, 100_000]
    const { data } = await footfall.visitors.list({ from: firstOf30Days(), suppressed: "exclude" })
    const page = await (await newContext()).newPage()
    const asked: Array<number> = []
    await page.route("**/v1/data?*", async (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get("cursor"))
      asked.push(from)
      const people = Array.from({ length: size }, (_, index) => ({
        ...data[index % data.length],
        emailHash: (from + index).toString(16).padStart(64, "0"),
        fullName: `Person ${from + index}`,
      }))
      const hasMore = from + size < read
      const meta = { total, hasMore, nextCursor: hasMore ? String(from + size) : null }
      await route.fulfill({ json: { data: people, meta } })
    })
    await page.goto(address("people"))
    await fillSignIn(page, stage.owner)
    const table = page.getByRole("table", { name: "People" })
    await table.getByText("Person 0", { exact: true }).waitFor()
    const height = () => table.evaluate((list) => list.scrollHeight)
    const top = async (index: number) =>
      (await table.getByText(`Person ${index}`, { exact: true }).boundingBox())?.y

    // The next page is requested while row 970 is in view.
    await table.evaluate((list) => list.scrollTo(0, 36 + 52 * 970))
    const before = await top(970)
    await expect.poll(height).toBeGreaterThan(52 * 2 * size - 1)
    expect(await top(970)).toBe(before)
    while ((await height()) < 52 * read) {
      await table.evaluate((list) => list.scrollTo(0, list.scrollHeight))
      expect(await table.getByRole("row").count()).toBeLessThan(50)
    }
    await table.evaluate((list) => list.scrollTo(0, 36 + 52 * 7_000))
    await table.getByText("Person 7000", { exact: true }).waitFor()
    const person = await top(7_000)
    // The event that a browser sends when the user returns to the tab long after the list was
    // loaded.
    await page.clock.install()
    await page.clock.fastForward(3_600_000)
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
    await page.waitForLoadState("networkidle")
    expect(await top(7_000)).toBe(person)
    expect(asked).toEqual(Array.from({ length: read / size }, (_, index) => index * size))
  })

  it("shows an error with its request id and what to do, and continues after a retry", async () => {
    const page = await open("pixels")
    await page.getByRole("table", { name: "Sites" }).waitFor()
    const broken = "**/v1/data/webhooks"
    await page.route(broken, (route) =>
      route.fulfill({
        status: 500,
        headers: { "x-request-id": "req_00000000000000000000000000" },
        json: { error: { code: "INTERNAL_ERROR", message: "The server failed." }, meta: {} },
      }),
    )
    await page.getByRole("link", { name: "Alerts" }).click()
    const problem = page.getByRole("alert")
    await problem.getByText("req_00000000000000000000000000").waitFor()
    await problem.getByText(/send the request id to the operator/).waitFor()
    await page.unroute(broken)
    await problem.getByRole("button", { name: "Try again" }).click()
    await problem.waitFor({ state: "detached" })
  })

  it("says that it is offline, and keeps what was loaded", async () => {
    const context = await newContext()
    const page = await signIn(context)
    const table = page.getByRole("table", { name: "People" })
    await table.getByRole("link").first().waitFor()
    await context.setOffline(true)
    await page.getByText(/You are offline/).waitFor()
    expect(await table.getByRole("link").count()).toBeGreaterThan(0)
    await context.setOffline(false)
    await page.getByText(/You are offline/).waitFor({ state: "detached" })
  })

  it("remembers the theme", async () => {
    const page = await signIn(await newContext())
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await paper()
    await page.getByRole("button", { name: "Theme: system" }).click()
    await page.getByRole("button", { name: "Theme: light" }).click()
    await expect.poll(paper).not.toBe(light)
    await page.goto(address("pixels"))
    await page.getByRole("button", { name: "Theme: dark" }).waitFor()
    await expect.poll(paper).not.toBe(light)
  })
})
