// The list of people with chosen columns, as a file, and a person's page.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer, text } from "node:stream/consumers"
import { describe, expect, it } from "vitest"
import {
  contentOf,
  demoPerson,
  demoPixel,
  footfall,
  newMember,
  signIn,
  useBrowser,
  useSignedIn,
  visit,
} from "./support/console.ts"
import { firstOf30Days } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("people", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("have selectable columns, which the browser remembers", async () => {
    const page = await signIn(await newContext({ width: 1600 }))
    const heads = () =>
      page.getByRole("table", { name: "People" }).getByRole("columnheader").allTextContents()
    await expect
      .poll(heads)
      .toEqual(expect.arrayContaining(["Who", "Company", "Score", "Read", "Job"]))
    await page.getByRole("button", { name: "Columns…" }).click()
    await page.getByLabel("Seniority").check()
    await page.getByLabel("Source").uncheck()
    await page.getByRole("button", { name: "Done" }).click()
    await page.reload()
    await expect.poll(heads).toContain("Seniority")
    expect(await heads()).not.toContain("Source")
    await page.getByRole("button", { name: "Columns…" }).click()
    await page.getByRole("button", { name: "Reset" }).click()
    await page.getByRole("button", { name: "Done" }).click()
    expect(await heads()).toContain("Source")
  })

  it("are saved as CSV: every row of the list, the selected columns, no formulas", async () => {
    const email = `formula-${crypto.randomUUID()}@acme.example`
    const person = await visit({ email, traits: { firstName: "=HYPERLINK(1)", jobTitle: "@sum" } })
    const total = async () =>
      (await footfall.visitors.list({ from: firstOf30Days(), suppressed: "exclude" })).meta.total
    const save = async () => {
      const count = await total()
      const page = await open("people")
      await page.getByRole("button", { name: "Save as CSV…" }).click()
      const downloading = page.waitForEvent("download")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      const download = await downloading
      const saved = await page.getByText(/^Saved \d+ rows/).textContent()
      return { count, download, rows: Number(/\d+/.exec(saved!)) }
    }
    let last = await save()
    // Other tests add and erase people meanwhile.
    for (let again = 0; last.rows !== last.count && again < 5; again++) last = await save()
    const { count, download, rows } = last
    expect(rows).toBe(count)
    expect(download.suggestedFilename()).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await text(await download.createReadStream())).trimEnd().split("\r\n")
    expect(lines[0]).toMatch(/^fullName,email,emailHash,companyName,companyDomain,score\.total,/)
    expect(lines).toHaveLength(rows + 1)
    const row = lines.find((line) => line.includes(email))
    expect(row).toMatch(/^'=HYPERLINK\(1\),/)
    expect(row).toContain(",'@sum,")
    await footfall.visitors.erase(person.emailHash)
  })

  it("are saved for Excel with semicolons and a byte order mark if someone chooses that", async () => {
    const page = await open("people")
    await page.getByRole("button", { name: "Save as CSV…" }).click()
    await page.getByLabel("Format").selectOption("semicolons")
    const downloading = page.waitForEvent("download")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    const saved = await buffer(await (await downloading).createReadStream())
    expect(saved.toString()).toMatch(/^\ufefffullName;email;emailHash;/)
  })

  it("who were erased or never identified are not an error that someone could try again", async () => {
    const page = await open(`people/${"ab".repeat(32)}`)
    await page.getByText("This person is not here: never known, or erased.").waitFor()
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  })

  it("are filtered by chips: F adds one with the keyboard, a click changes it, and its cross removes it", async () => {
    const page = await open("people")
    await page.getByRole("table", { name: "People" }).getByRole("link").first().waitFor()
    await page.keyboard.press("f")
    const menu = page.getByRole("dialog", { name: "Filter" })
    const choice = menu.getByRole("combobox", { name: "What to filter by" })
    await choice.fill("company employ")
    await menu.getByRole("option", { name: "Employees" }).waitFor()
    await page.keyboard.press("Enter")
    await menu.getByRole("button", { name: "Apply" }).waitFor()
    // A condition without a value filters nothing.
    expect(await menu.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true)
    await menu.locator("input").last().fill("250")
    await page.keyboard.press("Enter")
    const chip = page.getByRole("group", { name: "Filter by Employees" })
    expect(await chip.textContent()).toBe("Employeesis at least250")
    const ruleOf = () => new URL(page.url()).searchParams.get("rule")
    await expect.poll(ruleOf).toContain('"company.employee_count","op":"gte","value":250')
    const { data } = await footfall.visitors.query({
      ruleAst: {
        version: 1,
        window: "30d",
        rule: { all: [{ field: "company.employee_count", op: "gte", value: 250 }] },
      },
      suppressed: "exclude",
    })
    await page.getByText(/^\d+ (person|people)$/).waitFor()
    expect(data.length).toBeGreaterThan(0)

    await chip.getByRole("button", { name: /at least/ }).click()
    await menu.locator("input").last().fill("300")
    await menu.getByRole("button", { name: "Apply" }).click()
    await expect.poll(() => chip.textContent()).toContain("300")
    await page.keyboard.press("f")
    await page.keyboard.press("Escape")
    await menu.waitFor({ state: "detached" })
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Filter")
    await chip.getByRole("button", { name: "Remove the filter Employees" }).click()
    await expect.poll(ruleOf).toBeNull()
    await chip.waitFor({ state: "detached" })
  })

  it("with a rule of groups have one chip, which opens the page of the rule", async () => {
    const rule = {
      version: 1,
      window: "30d",
      rule: {
        any: [
          { field: "behavior.pageviews", op: "gte", value: 2 },
          { all: [{ field: "behavior.sessions", op: "gte", value: 2 }] },
        ],
      },
    }
    const page = await open(`people?rule=${encodeURIComponent(JSON.stringify(rule))}`)
    await page.getByRole("link", { name: "2 conditions" }).click()
    await page.waitForURL(/\/segments\/new/)
    await page.getByRole("group", { name: "Visits: pages" }).waitFor()
  })

  it("open as a page of their own, and beside the list again", async () => {
    const { emailHash } = await demoPerson()
    const page = await open(`people/${emailHash}`)
    const table = page.getByRole("table", { name: "People" })
    await table.waitFor()
    await page.getByRole("link", { name: "Open the page" }).click()
    await table.waitFor({ state: "hidden" })
    await page.reload()
    await page.getByRole("heading", { name: /^What .* did$/ }).waitFor()
    expect(await table.isVisible()).toBe(false)
    await page.getByRole("link", { name: "Show the list" }).click()
    await table.waitFor()
  })

  it("follow j and k in the open panel", async () => {
    const page = await open("people")
    const table = page.getByRole("table", { name: "People" })
    await table.getByRole("link").first().click()
    const panel = page.getByRole("region", { name: "person", exact: true })
    await panel.getByRole("heading", { level: 1 }).waitFor()
    const next = table.locator("[data-index='1'] a.open")
    const href = (await next.getAttribute("href"))!
    await page.keyboard.press("j")
    await page.waitForURL((url) => url.pathname === new URL(href, page.url()).pathname)
    await panel.getByRole("heading", { level: 1, name: (await next.textContent())! }).waitFor()
  })

  it("are all on paper, without the rail", async () => {
    const page = await open("people")
    const table = page.getByRole("table", { name: "People" })
    await table.getByRole("row").nth(5).waitFor()
    const { data } = await footfall.visitors.list({ from: firstOf30Days(), suppressed: "exclude" })
    const pdf = await page.pdf()
    // About 18 rows fit on one page.
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(1)
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await table.locator("[data-index]").count()).toBeGreaterThanOrEqual(data.length)
    // The rest was not loaded.
    const total = Number(await table.getAttribute("aria-rowcount")) - 1
    const printed = await table.locator("[data-index]").count()
    expect(printed).toBeLessThan(total)
    await page.getByText(`The first ${printed} of ${total}.`).waitFor()
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await page.getByText(/^The first \d+ of/).count()).toBe(0)
    await page.emulateMedia({ media: "print" })
    expect(await page.locator(".rail").isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  })

  it("show what was read in a visit, in order with titles and seconds, opened with the keyboard", async () => {
    const { emailHash } = await demoPerson(({ pageviews }) => pageviews > 2)
    const { data: sessions } = await footfall.visitors.sessions(emailHash, { timeframe: "all" })
    const session = sessions.find(({ pageviews }) => pageviews > 1)!
    const { data: events } = await footfall.visitors.sessions.events(emailHash, session.sessionId)
    const page = await open(`people/${emailHash}?window=all`)
    const visits = page.getByRole("region", { name: "Activity" })
    const opened = visits.locator("details").nth(sessions.indexOf(session))
    // The newest is open.
    if (sessions.indexOf(session) > 0) await opened.locator("summary").press("Enter")
    const pages = opened.getByRole("list", { name: "Pages" }).getByRole("listitem")
    await expect.poll(() => pages.count()).toBe(events.length)

    const texts = await pages.allTextContents()
    for (const [index, { name, path, props, secondsVisible, title }] of events.entries()) {
      const text = texts[index]!
      expect(text).toContain(name ?? path)
      if (title !== null) expect(text).toContain(title)
      for (const value of Object.values(props ?? {})) expect(text).toContain(String(value))
      if (secondsVisible === null) expect(text).not.toContain("visible")
      else expect(text).toMatch(/\d s visible$/)
    }
    expect(await opened.locator("summary").textContent()).toMatch(
      /Show pages of the visit .*20\d\d/,
    )
    await opened.locator("summary").press("Enter")
    await expect.poll(() => pages.count()).toBe(0)
  })

  it("show nothing of a visit of someone who was suppressed meanwhile", async () => {
    const email = `suppressed-${crypto.randomUUID()}@acme.example`
    const { emailHash } = await visit({ email })
    const page = await open(`people/${emailHash}`)
    await page.route("**/sessions/*/events*", (route) =>
      route.fulfill({
        status: 404,
        json: { error: { code: "NOT_FOUND", message: "Not found." }, meta: { request_id: "x" } },
      }),
    )
    await page.reload()
    await page.getByText("Not shown: this visit is of someone who is suppressed").waitFor()
    await footfall.visitors.erase(emailHash)
  })

  it("show how each address was learned, and where each value comes from", async () => {
    const email = `origin-${crypto.randomUUID()}@harbor.example`
    const person = await visit({ email, traits: { jobTitle: `<img src=x onerror="ran=1">` } })
    const pixel = await demoPixel()
    const page = await open(`people/${person.emailHash}`)
    const panel = page.getByRole("region", { name: "person" }).or(page.locator("#content"))

    await panel.getByText(`from an identify call on ${pixel.domain}`).first().waitFor()
    await panel.getByText("from a visit").first().waitFor()
    await panel.getByText("from the email address").first().waitFor()
    expect(await page.locator("img").count()).toBe(0)
    await footfall.visitors.erase(person.emailHash)
  })

  it("show which webhook events were sent about them, and the results", async () => {
    const receiver = createServer((_, response) => response.writeHead(204).end())
    await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done))
    const { port } = receiver.address() as AddressInfo
    const name = `Told ${crypto.randomUUID().slice(0, 8)}`
    const { webhook } = await footfall.webhooks.create({ name, url: `http://127.0.0.1:${port}/` })
    const person = await visit({ email: `told-${crypto.randomUUID()}@acme.example` })
    await expect
      .poll(async () => (await footfall.webhooks.deliveries(webhook.id)).data[0]?.status)
      .toBe("succeeded")
    const page = await open(`people/${person.emailHash}`)
    const sent = page.getByRole("region", { name: "Told" })
    const event = sent.getByRole("listitem").filter({ hasText: name })
    await event.getByText("succeeded").waitFor()
    expect(await event.textContent()).toContain("visitor.identified · HTTP 204")
    await event.getByRole("link", { name }).click()
    await page.waitForURL(new RegExp(webhook.id))
    await footfall.webhooks.delete(webhook.id)
    await footfall.visitors.erase(person.emailHash)
    receiver.close()
  })

  it("in a segment are searched within it, in the list, its total and the file", async () => {
    const word = crypto.randomUUID().slice(0, 8)
    const inside = await visit({
      email: `in@${word}-in.example`,
      traits: { firstName: "In", lastName: word, jobTitle: `Inside ${word}` },
    })
    const outside = await visit({
      email: `out@${word}-out.example`,
      traits: { firstName: "Out", lastName: word, jobTitle: `Outside ${word}` },
    })
    const { id } = await footfall.segments.create({
      name: `Within ${word}`,
      ruleAst: {
        version: 1,
        rule: { field: "company.job_title", op: "starts_with", value: "Inside" },
      },
    })
    const page = await open(`people?segment=${id}`)
    await page.getByRole("link", { name: `In ${word}`, exact: true }).waitFor()
    await page.getByLabel("Search people").fill(word)
    await page.waitForURL(/[?&]q=/)
    await page.getByText("1 person", { exact: true }).waitFor()
    await page.getByRole("link", { name: `In ${word}`, exact: true }).waitFor()
    expect(await page.getByRole("link", { name: `Out ${word}` }).count()).toBe(0)
    await page.getByRole("button", { name: "Save as CSV…" }).click()
    const downloading = page.waitForEvent("download")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    const file = await contentOf(await downloading)
    expect(file).toContain(inside.email)
    expect(file).not.toContain(outside.email)
    await footfall.segments.delete(id)
    await footfall.visitors.erase(inside.emailHash)
    await footfall.visitors.erase(outside.emailHash)
  })

  it("are found by any part of their name or of their address, and the page says so if no one is", async () => {
    const word = crypto.randomUUID().slice(0, 8)
    const person = await visit({
      email: `first.${word}@${word}.example`,
      traits: { firstName: "Žofie", lastName: `Nová${word}` },
    })
    const page = await open("people")
    for (const text of [`zofie nova${word.slice(0, 4)}`, `st.${word}@${word.slice(0, 3)}`]) {
      await page.getByLabel("Search people").fill(text)
      await page.waitForURL((url) => url.searchParams.get("q") === text)
      await page.getByText("1 person", { exact: true }).waitFor()
      await page.getByText(person.email!, { exact: true }).waitFor()
    }
    await page.getByLabel("Search people").fill(`nobody ${word}`)
    await page.getByText("The search looked at names and email addresses.").waitFor()
    await footfall.visitors.erase(person.emailHash)
  })

  it("are found by full email address, among everyone", async () => {
    const domain = `${crypto.randomUUID().slice(0, 8)}.example`
    const found = await visit({ email: `one@${domain}`, traits: { firstName: "One" } })
    const other = await visit({ email: `other@${domain}`, traits: { firstName: "Other" } })
    const { id } = await footfall.segments.create({
      name: `Nobody ${domain}`,
      ruleAst: {
        version: 1,
        rule: { field: "company.job_title", op: "eq", value: "no such job" },
      },
    })
    const page = await open(`people?segment=${id}`)
    await page.getByText("No matching people").waitFor()
    await page.getByLabel("Search people").fill(`ONE@${domain}`)
    await page.getByText("1 person", { exact: true }).waitFor()
    await page.getByText(found.email!, { exact: true }).waitFor()
    expect(await page.getByText(other.email!).count()).toBe(0)
    const chips = page.getByRole("navigation", { name: "Views" })
    const marked = async (): Promise<ReadonlyArray<string>> => {
      const found = chips.locator('.chip[aria-current]:not([aria-current="false"])')
      return found.allTextContents()
    }
    expect(await marked()).toEqual(["All"])
    await chips.getByRole("link", { name: `Nobody ${domain}` }).click()
    await page.waitForURL(/segment=/)
    await expect.poll(marked).toEqual([`Nobody ${domain}`])
    await page.getByText("No matching people").waitFor()
    await page.getByLabel("Search people").fill(`nobody@${domain}`)
    await page.waitForURL(/nobody/)
    await page.getByText("The search looked for this exact email address").waitFor()
    await footfall.segments.delete(id)
    await footfall.visitors.erase(found.emailHash)
    await footfall.visitors.erase(other.emailHash)
  })

  it("who were erased are not shown again after going back", async () => {
    const word = crypto.randomUUID().slice(0, 8)
    const person = await visit({
      email: `erased@${word}.example`,
      traits: { firstName: "Erased", lastName: word },
    })
    const page = await open("people")
    await page.getByRole("link", { name: `Erased ${word}` }).click()
    await page.getByRole("heading", { name: `Erased ${word}` }).waitFor()
    await page.getByRole("button", { name: "Erase…" }).click()
    await page.getByLabel(`Type ${person.email}`).fill(person.email!)
    await page.getByRole("button", { name: "Erase permanently" }).click()
    await page.getByText(`Erased Erased ${word}`).waitFor()
    await page.waitForURL(/\/console\/people(\?|$)/)
    await page.goBack()
    await page.getByText("This person is not here").waitFor()
    expect(await page.getByRole("heading", { name: `Erased ${word}` }).count()).toBe(0)
    expect(await page.getByText(person.email!).count()).toBe(0)
  })

  it("who were erased by someone else disappear from an open page when it reloads", async () => {
    const person = await visit({ email: `elsewhere@${crypto.randomUUID()}.example` })
    const page = await open(`people/${person.emailHash}`)
    await page.getByRole("button", { name: `Suppress this person` }).waitFor()
    await footfall.visitors.erase(person.emailHash)
    await page.getByRole("button", { name: `Suppress this person` }).click()
    await page.getByText("This person is not here").waitFor()
    expect(await page.getByRole("button", { name: "Erase…" }).count()).toBe(0)
  })

  it("show every address with its kind", async () => {
    const { data } = await footfall.visitors.list({ from: firstOf30Days(), suppressed: "exclude" })
    // Other files have people with several addresses of one kind.
    const person = data.find(
      ({ businessEmails, emails, personalEmails }) =>
        emails.length > 1 && businessEmails.includes(emails[0]!) && personalEmails.length > 0,
    )!
    const page = await open(`people/${person.emailHash}`)
    const panel = page.getByRole("region", { name: "person", exact: true })
    for (const email of person.emails) await panel.getByText(email, { exact: true }).waitFor()
    await panel.getByText("primary, business").waitFor()
    await panel
      .getByText(/^personal/)
      .first()
      .waitFor()
  })

  it("are shown to a viewer without the events, which a viewer may not read", async () => {
    const { emailHash } = await demoPerson()
    const page = await signIn(await newContext(), `people/${emailHash}`, await newMember("viewer"))
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.getByRole("heading", { name: /^What .* did$/ }).waitFor()
    await page.waitForLoadState("networkidle")
    expect(await page.getByText("Told").count()).toBe(0)
    expect(refused).toEqual([])
  })
})
