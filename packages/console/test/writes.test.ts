// Every write, as a member makes it on the page, and that a viewer sees none.
import { describe, expect, it } from "vitest"
import {
  address,
  demoPerson,
  demoPixel,
  footfall,
  newMember,
  organizationId,
  signIn,
  stage,
  useBrowser,
  useSignedIn,
  visit,
} from "./support/console.ts"
import { firstOf30Days } from "./support/window.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

describe("a write", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("creates, pauses, resumes and deletes a pixel", async () => {
    const domain = `site-${unique()}.example`
    const page = await open("pixels")
    await page.getByRole("button", { name: "Add a site" }).click()
    await page.getByLabel("Domain").fill(domain)
    await page.getByRole("button", { name: "Create", exact: true }).click()

    await page.getByRole("heading", { name: domain }).waitFor()
    const pixel = (await footfall.pixels.list()).find((each) => each.domain === domain)
    const { code } = await footfall.pixels.get(pixel!.id)
    expect(await page.getByLabel("tag", { exact: true }).textContent()).toBe(code)
    await page.getByRole("button", { name: "Copy tag", exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)

    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText(`Paused ${domain}`).waitFor()
    expect((await footfall.pixels.get(pixel!.id)).status).toBe("paused")
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByText(`Resumed ${domain}`).waitFor()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText(`Deleted ${domain}`).waitFor()
    expect(page.url()).toMatch(/\/console\/pixels(\?|$)/)
  })

  it("changes the settings of a pixel, and adds and removes a topic rule that the server suggests", async () => {
    const { id } = await footfall.pixels.create({ domain: `set-${unique()}.example` })
    const [topic] = await footfall.topics.search({ q: "freight" })
    const page = await open(`pixels/${id}`)
    await page.getByRole("button", { name: "Edit settings" }).click()
    await page.getByLabel("Consent").selectOption("required")
    await page.getByLabel("Pages to record").selectOption("included")
    await page.getByLabel("Pages", { exact: true }).fill("/blog\n\n /help ")
    await page.getByLabel("Pricing pages").fill("/plans")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("only /blog, /help").waitFor()
    const settings = page.getByRole("region", { name: "Settings" })
    expect(await settings.locator("dl").innerText()).toMatch(
      /Consent\s+Required: nothing is stored or sent before consent[\s\S]*Pricing pages\s+\/plans\s+Demo pages\s+detected by address/,
    )
    expect(await footfall.pixels.get(id)).toMatchObject({
      includedPaths: ["/blog", "/help"],
      excludedPaths: null,
      settings: { consent: "required", pricingPaths: ["/plans"], demoPaths: null, spa: "auto" },
    })

    // No site with this name can be read.
    const evidence = { url: "https://x.example/f", title: null, words: ["freight"], similarity: 1 }
    const { topicId, topicName } = topic!
    await page.route("**/suggest-topics", (route) =>
      route.fulfill({
        json: {
          data: {
            rules: [
              { path: "/freight", topicId, topicName, evidence },
              { path: "/other", topicId, topicName, evidence },
            ],
            pages: [{ url: evidence.url, title: null, unreadable: null }],
          },
          meta: {},
        },
      }),
    )
    await page.getByRole("button", { name: "Suggest rules" }).click()
    await page.getByLabel("/other").uncheck()
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("Added 1 rule").waitFor()
    const rules = async () => (await footfall.pixels.get(id)).settings.topicRules
    expect(await rules()).toEqual([{ path: "/freight", topicId }])
    await page.getByRole("button", { name: "Remove the rule of /freight" }).click()
    await page.getByText("Removed the rule of /freight").waitFor()
    expect(await rules()).toEqual([])
    await footfall.pixels.delete(id)
  })

  it("checks the site of a pixel, and shows each finding with its severity and what to do", async () => {
    const { id } = await footfall.pixels.create({ domain: `check-${unique()}.invalid` })
    const page = await open(`pixels/${id}`)
    const check = page.getByRole("region", { name: "Check" })
    await check.getByRole("button", { name: "Check the site" }).click()
    const { findings } = await footfall.pixels.verify(id)
    expect(findings.length).toBeGreaterThan(0)
    await check.getByText("not yet").waitFor()
    expect(await check.getByRole("listitem").allInnerTexts()).toEqual(
      findings.map(({ message, severity }) => `${severity} ${message}`),
    )

    await footfall.pixels.update(id, { status: "paused" })
    await check.getByRole("button", { name: "Check the site" }).click()
    await check.getByText("The site is paused, so it records nothing.").waitFor()

    const pixel = await demoPixel()
    await page.goto(address(`pixels/${pixel.id}`))
    await visit({ email: `${unique()}@checked.example` })
    await check.getByRole("button", { name: "Check the site" }).click()
    await check.getByText("works").waitFor()
    expect(await check.getByText(/^works Last event/).count()).toBe(1)
    expect(await check.getByRole("listitem").count()).toBe(0)
    await footfall.pixels.delete(id)
  })

  it("says why a pixel was not created, and keeps the form", async () => {
    const pixel = await demoPixel()
    const page = await open("pixels")
    await page.getByRole("button", { name: "Add a site" }).click()
    await page.getByLabel("Domain").fill(pixel.domain)
    await page.getByRole("button", { name: "Create", exact: true }).click()

    await page.getByRole("alert").waitFor()
    expect(await page.getByLabel("Domain").inputValue()).toBe(pixel.domain)
  })

  it("creates, tests, edits and deletes a webhook, whose secret is shown once", async () => {
    const name = `CRM ${unique()}`
    const page = await open("webhooks")
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("URL").fill(`${stage.url.replace("http:", "https:")}/nothing`)
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole("button", { name: "I saved it" }).click()

    await page.getByRole("link", { name }).click()
    await page.getByRole("button", { name: "Send a sample event" }).click()
    await page.getByRole("region", { name: "Test" }).getByText("failed", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Turn off" }).click()
    await page.getByText(`Turned off ${name}`).waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("When").selectOption("every_update")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`Saved ${name}`).waitFor()
    const webhook = (await footfall.webhooks.list()).find((each) => each.name === name)
    expect(webhook).toMatchObject({ status: "inactive", trigger: "every_update" })
    await page.getByRole("button", { name: "Rotate secret…" }).click()
    await page.getByRole("button", { name: "Rotate secret", exact: true }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole("button", { name: "I saved it" }).click()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText(`Deleted alert ${name}`).waitFor()
  })

  it("sends a webhook's messages to a channel once a day, or its events to a program", async () => {
    const name = `Channel ${unique()}`
    const page = await open("webhooks")
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("URL").fill("https://hooks.acme.example/channel")
    await page.getByLabel("Format").selectOption("slack")
    await page.getByLabel("How often").selectOption("daily")
    await page.getByLabel("At", { exact: true }).selectOption("9")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(`Created alert ${name}`).waitFor()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
    const webhook = async () => (await footfall.webhooks.list()).find((each) => each.name === name)!
    expect(await webhook()).toMatchObject({ format: "slack", digest: "daily", digestHour: 9 })
    await page.getByRole("link", { name }).click()
    await page.getByText("Slack message, one message a day at 09:00").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Format").selectOption("standard")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Signed JSON, for programs").waitFor()
    expect(await webhook()).toMatchObject({ format: "standard", digest: "immediate" })
    await footfall.webhooks.delete((await webhook()).id)
  })

  it("alerts a channel of who views a page", async () => {
    const name = `Pricing ${unique()}`
    const page = await open("webhooks")
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("URL").fill("https://hooks.acme.example/pricing")
    await page.getByLabel("Format").selectOption("slack")
    await page.getByLabel("When").selectOption("page_viewed")
    await page.getByLabel("Page", { exact: true }).fill("/pricing")
    await page.getByLabel("Seconds visible").fill("20")
    await page.getByLabel("Whose visits").selectOption("anonymous")
    await page.getByLabel("Again").selectOption("24h")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(`Created alert ${name}`).waitFor()
    const webhook = (await footfall.webhooks.list()).find((each) => each.name === name)!
    expect(webhook).toMatchObject({
      trigger: "page_viewed",
      path: "/pricing",
      minSeconds: 20,
      identified: "anonymous",
      again: "24h",
    })
    await page.getByRole("link", { name }).click()
    await page.getByText("/pricing, visible for 20 seconds").waitFor()
    await footfall.webhooks.delete(webhook.id)
  })

  it("shows while an alert is written what it would have said, and what once a day would hold back", async () => {
    const page = await open("webhooks")
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    await page.getByLabel("When").selectOption("page_viewed")
    await page.getByLabel("Page", { exact: true }).fill("/pricing")
    await page.getByLabel("Again").selectOption("24h")
    const { byAgain } = await footfall.webhooks.preview({
      trigger: "page_viewed",
      path: "/pricing",
      again: "24h",
    })
    const tried = page.getByRole("region", { name: "Tried" })
    await tried.getByText(/^In 30 days it would have told you \d+ times$/).waitFor()
    await expect
      .poll(() => tried.locator(".by-again dd").allTextContents())
      .toHaveLength(Object.keys(byAgain).length)
    await tried.getByRole("listitem").first().waitFor()
    expect(await tried.getByRole("listitem").first().textContent()).toMatch(/told|held back/)
    expect(await tried.locator(".message").textContent()).toContain("/pricing")
    await page.getByRole("button", { name: "Cancel" }).click()
  })

  it("creates an alert about a segment of people or companies, which needs one", async () => {
    const name = `Readers ${unique()}`
    const segment = await footfall.segments.create({
      name,
      ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
    })
    const companies = await footfall.segments.create({
      name: `${name} of companies`,
      subject: "companies",
      ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
    })
    const page = await open("webhooks")
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("URL").fill("https://hooks.acme.example/readers")
    await page.getByLabel("When").selectOption("entered_segment")
    const chosen = page.getByLabel("View", { exact: true })
    expect(await chosen.evaluate((field: HTMLSelectElement) => field.validity.valueMissing)).toBe(
      true,
    )
    await chosen.selectOption(segment.id)
    await chosen.selectOption(companies.id)
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(`Created alert ${name}`).waitFor()
    const webhook = (await footfall.webhooks.list()).find((each) => each.name === name)!
    expect(webhook).toMatchObject({ trigger: "entered_segment", segmentId: companies.id })
    await footfall.webhooks.delete(webhook.id)
    await footfall.segments.delete(segment.id)
    await footfall.segments.delete(companies.id)
  })

  it("shows what a webhook sent about a person, byte for byte except line breaks", async () => {
    const { webhook } = await footfall.webhooks.create({
      name: `Sent ${unique()}`,
      url: "https://hooks.invalid/sent",
    })
    const { emailHash } = await visit({ email: `${unique()}@sent.example` })
    const sent = async () => {
      const { data } = await footfall.webhooks.deliveries(webhook.id, { visitorHash: emailHash })
      return data[0]?.attempts ?? 0
    }
    await expect.poll(sent).toBeGreaterThan(0)
    const page = await open(`webhooks/${webhook.id}`)
    const event = page
      .getByRole("listitem")
      .filter({ has: page.locator(`a[href*="${emailHash}"]`) })
    await event.getByText("Payload").click()

    const shown = event.locator("pre")
    await shown.waitFor()
    const [{ id = "" } = {}] = (
      await footfall.webhooks.deliveries(webhook.id, { visitorHash: emailHash })
    ).data
    const { payload } = await footfall.webhooks.delivery(webhook.id, id)
    expect(JSON.stringify(JSON.parse((await shown.textContent()) ?? ""))).toBe(payload)

    // The server deletes what was sent after a few days.
    await page.route(`**/deliveries/${id}`, async (route) => {
      const answer = await route.fetch()
      const { data, meta } = (await answer.json()) as {
        readonly data: object
        readonly meta: object
      }
      await route.fulfill({ response: answer, json: { data: { ...data, payload: null }, meta } })
    })
    await page.reload()
    await event.getByText("Payload").click()
    await event.getByText("The payload is no longer stored.").waitFor()
    expect(await shown.count()).toBe(0)
    await footfall.webhooks.delete(webhook.id)
  })

  it("filters a webhook's events by status, which the URL keeps", async () => {
    const { webhook } = await footfall.webhooks.create({
      name: `Status ${unique()}`,
      url: "https://hooks.invalid/status",
    })
    const page = await open(`webhooks/${webhook.id}`)
    const state = page.getByRole("region", { name: "History" }).getByLabel("State")
    await state.selectOption("Failed")
    await page.getByText("No event is failed yet.").waitFor()
    expect(new URL(page.url()).searchParams.get("history")).toBe("failed")
    await page.reload()
    await page.getByText("No event is failed yet.").waitFor()
    expect(await state.inputValue()).toBe("failed")
    await state.selectOption("All events")
    await page.getByText("No event yet.").waitFor()
    expect(page.url()).not.toContain("history")
    await footfall.webhooks.delete(webhook.id)
  })

  it("adds rules after a preview of their effect, removes one, and undoes that", async () => {
    const domain = `rule-${unique()}.example`
    const page = await open("suppression")
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    await page.getByLabel("Values").fill(`${domain}\nnot a domain!!`)
    await page.getByText(/1 new rule.*invalid/).waitFor()
    await page.getByRole("button", { name: "Add 1 rule, skip 1" }).click()
    await page.getByRole("heading", { name: "1 value not added" }).waitFor()
    await page.getByText("not a domain!!: not a domain").waitFor()
    await page.getByRole("button", { name: "Close", exact: true }).last().click()

    await page.getByLabel("Search rules").fill(domain)
    await page.getByRole("button", { name: `Remove ${domain}` }).click()
    await page.getByText(`Removed ${domain}`).waitFor()
    const rules = async () => (await footfall.suppression.list({ q: domain })).data.length
    expect(await rules()).toBe(0)
    await page.getByRole("button", { name: "Undo" }).click()
    await expect.poll(rules).toBe(1)
    await expect.poll(() => page.url()).toContain(`q=${domain}`)
  })

  it("takes a removed rule out of a long list without reloading its pages", async () => {
    const word = `long${unique()}`
    const values = Array.from({ length: 450 }, (_, at) => `${word}-${at}.example`)
    await footfall.suppression.add(values.map((value) => ({ type: "domain", value })))
    const page = await open(`suppression?q=${word}`)
    const table = page.getByRole("table").first()
    await expect
      .poll(async () => {
        await table.evaluate((list) => list.scrollTo(0, list.scrollHeight))
        return table.evaluate((list) => list.scrollHeight)
      })
      .toBeGreaterThan(52 * values.length - 1)
    await expect
      .poll(() => page.getByRole("button", { name: /^Remove long/ }).count())
      .toBeGreaterThan(3)
    await page.waitForLoadState("networkidle")
    const types = page.getByRole("navigation", { name: "Types of rules" })
    const shown = async () =>
      Number((await types.getByRole("link", { name: /^All/ }).textContent())!.replaceAll(/\D/g, ""))
    const before = await shown()
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "GET") asked.push(new URL(request.url()).pathname)
    })
    const button = page.getByRole("button", { name: /^Remove long/ }).last()
    const name = (await button.getAttribute("aria-label"))!
    await button.click()

    await page.getByText(name.replace("Remove", "Removed")).waitFor()
    await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" })
    await expect.poll(shown).toBe(before - 1)
    await page.waitForLoadState("networkidle")
    expect(asked.filter((path) => path.endsWith("/suppression-rules"))).toEqual([])
  })

  it("names up to 10 people whom new rules would suppress, each a link to their record", async () => {
    const { data } = await footfall.companies.list({ from: firstOf30Days() })
    const { domain } = data.toSorted((a, b) => b.peopleCount - a.peopleCount)[0]!
    const { affectedVisitors, sample } = await footfall.suppression.preview([
      { type: "company_domain", value: domain },
    ])
    expect(affectedVisitors).toBeGreaterThan(10)
    expect(sample).toHaveLength(10)
    const page = await open("suppression")
    // An empty list offers it a second time.
    await page.getByRole("button", { name: "Add rules" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Type").selectOption("company_domain")
    await dialog.getByLabel("Values").fill(domain)
    const effect = dialog.getByRole("status")
    await effect.getByText(`${affectedVisitors} people seen in the last 30 days`).waitFor()
    const links = await effect
      .getByRole("link")
      .evaluateAll((all) =>
        all.map((link) => [
          link.textContent,
          new URL(link.getAttribute("href")!, location.href).pathname,
        ]),
      )
    expect(links).toEqual(
      sample.map(({ emailHash, fullName }) => [fullName, `/console/people/${emailHash}`]),
    )
    expect(await effect.textContent()).toContain(`, and ${affectedVisitors - 10} more.`)
  })

  it("suppresses a person, says why, and removes the rule", async () => {
    const person = await visit({ email: `${unique()}@suppressed.example` })
    const page = await open(`people/${person.emailHash}`)
    await page.getByRole("button", { name: "Suppress this person" }).click()
    const why = page.getByRole("region", { name: "Why suppressed" })
    await why.getByText(person.email!).waitFor()
    await why.getByRole("button", { name: "Remove the rule" }).click()
    await page.getByText(`Removed ${person.email}`).waitFor()
    expect((await footfall.suppression.list({ q: person.email! })).data).toEqual([])
  })

  it("erases a person only after the address was typed", async () => {
    const person = await visit({ email: `${unique()}@erased.example` })
    const page = await open(`people/${person.emailHash}`)
    await page.getByRole("button", { name: "Erase…" }).click()
    const erase = page.getByRole("button", { name: "Erase permanently" })
    expect(await erase.isDisabled()).toBe(true)
    await page.getByLabel(`Type ${person.email}`).fill(person.email!)
    await erase.click()
    await page.getByText(/^Erased /).waitFor()
    expect(page.url()).toMatch(/\/console\/people(\?|$)/)
    await expect(footfall.visitors.get({ email: person.email! })).rejects.toThrow(/No visitor/)
  })

  it("adds a member with an invitation, changes the role and removes the member", async () => {
    const email = `new-${unique()}@footfall.example`
    const page = await open("settings/members")
    await page.getByRole("button", { name: "Add a member" }).click()
    await page.getByLabel("Email").fill(email)
    await page.getByLabel("Role", { exact: true }).selectOption("viewer")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const link = page.getByRole("group", { name: "invitation link" })
    const first = await link.textContent()
    await page.getByText("This server sends no email, so send them this link yourself.").waitFor()
    await page.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: `Send the invitation of ${email} again` }).click()
    await page.getByText("The links that they got before no longer work.").waitFor()
    const second = await link.textContent()
    const [old, token] = [first, second].map((text) => text!.split("/console/invitation#")[1]!)
    expect(await footfall.auth.invitation({ token: token! })).toMatchObject({ email })
    await expect(footfall.auth.invitation({ token: old! })).rejects.toThrow(/already used/)
    await page.getByRole("button", { name: "Close" }).click()
    await page.getByLabel(`Role of ${email}`, { exact: true }).selectOption("admin")
    await page.getByRole("button", { name: `Save the role of ${email}` }).click()
    await page.getByText(`${email} is now admin`).waitFor()
    await page.getByRole("button", { name: `Remove ${email}` }).click()
    await page.getByRole("button", { name: "Remove", exact: true }).click()
    await page.getByText(`Removed ${email}`).waitFor()
    const { data } = await footfall.members.list(await organizationId())
    expect(data.map((member) => member.email)).not.toContain(email)
  })

  it("creates an API key, shown once, and revokes it", async () => {
    const name = `Key ${unique()}`
    const page = await open("settings/keys")
    await page.getByRole("button", { name: "Create a key" }).click()
    await page.getByLabel("Name").fill(name)
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(/^sk_\w{43}$/).waitFor()
    await page.getByRole("button", { name: "I saved it" }).click()
    await page.getByRole("button", { name: `Revoke ${name}` }).click()
    await page.getByRole("button", { name: "Revoke", exact: true }).click()
    await page.getByText(`Revoked ${name}`).waitFor()
  })

  it("saves the organization", async () => {
    const page = await open("settings")
    await page.getByLabel("Days to keep visits").fill("400")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("button", { name: "Save and delete older data" }).click()
    await page.getByText("Saved the organization").waitFor()
    expect((await footfall.organizations.get(await organizationId())).settings.retentionDays).toBe(
      400,
    )
  })

  it("shows the count of an audience on a phone while its fields are edited", async () => {
    const page = await signIn(await newContext({ width: 390 }), "audiences")
    await page.getByRole("button", { name: "Create an audience" }).first().click()
    await page.getByLabel("Topics", { exact: true }).fill("freight")
    await page.getByRole("button", { name: /^Add / }).first().click()
    const count = page
      .getByRole("dialog")
      .getByRole("status")
      .getByText(/^[\d,]+ (person|people)$/)
    await count.waitFor()
    const before = await count.textContent()
    for (const name of ["Name", "Minimum score"]) {
      await page.getByLabel(name, { exact: true }).scrollIntoViewIfNeeded()
      const { height, y } = (await count.boundingBox())!
      expect(y).toBeGreaterThan(0)
      expect(y + height).toBeLessThanOrEqual(800)
    }
    await page.getByLabel("Minimum score").fill("95")
    await expect.poll(() => count.textContent()).not.toBe(before)
    // The fields and the sample are not under it.
    const { x, y } = (await count.boundingBox())!
    expect(
      await page.evaluate(
        `document.elementFromPoint(${x + 2}, ${y + 2}).closest("[role=status]") !== null`,
      ),
    ).toBe(true)
  })

  it("builds an audience of a segment, adds topics to it, and names the segment", async () => {
    const [name, segment] = [`Audience ${unique()}`, `Segment ${unique()}`]
    const rule = { field: "company.employee_count", op: "gt", value: 200 } as const
    const { id } = await footfall.segments.create({ name: segment, ruleAst: { version: 1, rule } })
    const page = await open("audiences")
    await page.getByRole("button", { name: "Create an audience" }).first().click()
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByLabel("View", { exact: true }).selectOption({ label: segment })
    const preview = page.getByRole("region", { name: "Preview" })
    await preview.getByText("Addresses are masked.", { exact: true }).waitFor()
    await expect(page.getByLabel("Minimum score").count()).resolves.toBe(0)
    await page.getByRole("button", { name: "Create as a draft" }).click()
    const facts = page.getByRole("region", { name: "audience" }).locator("dl")
    await facts.getByText(segment).waitFor()
    const created = (await footfall.audiences.list()).data.find((each) => each.name === name)!
    expect(created.config).toMatchObject({ segmentId: id, topicIds: [] })
    expect(await facts.innerText()).not.toMatch(/Score|Topics/)

    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Topics", { exact: true }).fill("freight")
    await page.getByRole("button", { name: /^Add / }).first().click()
    await page.getByLabel("Minimum score").waitFor()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(`Saved ${name}`).waitFor()
    const both = (await footfall.audiences.get(created.id)).config
    expect(both).toMatchObject({ segmentId: id, topicIds: [expect.any(Number)] })
  })

  it("builds an audience with a live count, activates, pauses and deletes it", async () => {
    const name = `Audience ${unique()}`
    const page = await open("audiences")
    await page.getByRole("button", { name: "Create an audience" }).first().click()
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByLabel("Topics", { exact: true }).fill("freight")
    await page.getByRole("button", { name: /^Add / }).first().click()
    await page.getByText("Addresses are masked").waitFor()
    await page.getByRole("button", { name: "Create as a draft" }).click()
    await page.getByText("Draft: it finds no one until you activate it").waitFor()
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByRole("list", { name: "Who is left after each part" }).last().waitFor()
    const handle = page.getByRole("slider", { name: "Lowest score" })
    expect(await handle.getAttribute("aria-valuenow")).toBe("70")
    await handle.press("Shift+ArrowRight")
    expect(await page.getByLabel("Minimum score").inputValue()).toBe("80")
    expect(await handle.getAttribute("aria-valuetext")).toMatch(/^80: [\d,]+ (people|person)$/)
    await page.getByLabel("Minimum score").fill("80")
    await page.getByRole("checkbox", { name: "vp" }).check()
    await page.getByText("More filters").click()
    await page.getByRole("group", { name: "Employees" }).getByLabel("201-500").check()
    await page.getByLabel("Company name contains").fill("Freight")
    await page.getByLabel("Business email").selectOption("known")
    await page.getByLabel("Phone number").selectOption("unknown")
    await page.getByLabel("Works in B2B").selectOption("yes")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(`Saved ${name}`).waitFor()
    const saved = (await footfall.audiences.list()).data.find((each) => each.name === name)
    expect(saved!.config).toMatchObject({
      minScore: 80,
      filters: {
        seniority: ["vp"],
        companySize: ["201-500"],
        companyName: "Freight",
        hasBusinessEmail: true,
        hasPhone: false,
        isB2b: "y",
      },
    })
    const facts = page.getByRole("region", { name: "audience" }).locator("dl")
    await facts.getByText("VP", { exact: true }).waitFor()
    const shown = await facts.innerText()
    expect(shown).toMatch(/Business email\s+known/)
    expect(shown).toMatch(/Phone number\s+unknown/)
    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByText("(5 set)").waitFor()
    await page.getByLabel("Company name contains").fill("")
    await page.getByLabel("Phone number").selectOption("Any")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await expect
      .poll(async () => (await footfall.audiences.get(saved!.id)).config.filters)
      .toEqual({
        seniority: ["vp"],
        companySize: ["201-500"],
        hasBusinessEmail: true,
        isB2b: "y",
      })
    await page.getByRole("button", { name: "Activate" }).click()
    await page.getByText(`Activated ${name}`).waitFor()
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText(`Paused ${name}`).waitFor()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByText(`Deleted audience ${name}`).waitFor()
  })

  it("is not offered to a viewer, on any screen", async () => {
    const viewer = await newMember("viewer")
    const page = await signIn(await newContext(), "people", viewer)
    const { emailHash } = await demoPerson()
    const pixel = await demoPixel()
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    const rail = page.getByRole("navigation", { name: "Console" })
    expect(await rail.getByRole("link", { name: "Alerts" }).count()).toBe(0)
    const offered: Array<string> = []
    for (const path of [
      ...["pixels", "suppression", "audiences", "settings", "start"],
      ...["settings/members", "settings/keys", "settings/audit", "settings/imports"],
      ...[`people/${emailHash}`, `pixels/${pixel.id}`],
    ]) {
      await page.goto(address(path))
      await page.waitForLoadState("networkidle")
      const names = await page.getByRole("main").getByRole("button").allTextContents()
      for (const name of names) {
        // Saving a file of the shown rows is not a write.
        if (
          name !== "Save as CSV…" &&
          /add|check|create|delete|erase|import|pause|remove|save|send|suppress/i.test(name)
        ) {
          offered.push(`${path}: ${name}`)
        }
      }
    }
    expect(offered).toEqual([])
    expect(refused).toEqual([])
  })
})
