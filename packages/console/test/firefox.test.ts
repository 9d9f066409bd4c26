// The main screens in Firefox, on one page of one browser: sign in, read, add, build and save. The other tests only use
// Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserNames, launchBrowser } from "../../pixel/test/browser/support/browsers.ts"
import { address, footfall, hasChromium, organizationId, stage } from "./support/console.ts"

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser["newPage"]>>
type Element = NonNullable<Awaited<ReturnType<Page["$"]>>>

const unique = (): string => crypto.randomUUID().slice(0, 8)

describe.skipIf(!hasChromium || !browserNames.includes("Firefox"))("in Firefox", () => {
  let browser: Browser
  let page: Page
  const errors: Array<string> = []

  beforeAll(async () => {
    browser = await launchBrowser("Firefox")
    page = await browser.newPage()
    await page.setViewport({ width: 1280, height: 800 })
    page.on("pageerror", (error) => errors.push(String(error)))
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text())
    })
  })
  afterAll(() => browser.close())

  // Not with locators, which evaluate strings in the page. The content security policy refuses that.
  const find = async (selector: string): Promise<Element> => {
    await expect.poll(() => page.$(selector).then((found) => found !== null)).toBe(true)
    return (await page.$(selector))!
  }
  const named = (role: string, name: string) => find(`::-p-aria([name="${name}"][role="${role}"])`)
  const press = async (name: string, role = "button") => (await named(role, name)).click()
  const field = (label: string) =>
    find(`::-p-xpath(//*[@id = //label[normalize-space() = "${label}"]/@for])`)
  const type = async (label: string, text: string) => (await field(label)).type(text)
  const sees = (text: string) => find(`::-p-text(${text})`)
  const open = (path: string) => page.goto(address(path))

  it("a user signs in, and the session outlives a reload", async () => {
    await open("people")
    await type("Email", stage.owner.email)
    await type("Password", stage.owner.password)
    await press("Sign in")
    await named("table", "People")
    await page.reload()
    await named("table", "People")
  })

  it("a person opens from the list by keyboard, with their visits, and Escape closes them", async () => {
    const { data } = await footfall.visitors.list({ timeframe: "30d" })
    await sees(data[0]!.fullName ?? data[0]!.email!)
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await sees("What they did")
    expect(page.url()).toContain(data[0]!.emailHash)
    await page.keyboard.press("Escape")
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/people$/)
  })

  it("rules are added after the console says what they would do", async () => {
    const domain = `fox-${unique()}.example`
    await open("suppression")
    await press("Add rules")
    await (await field("Type")).select("domain")
    await type("Values", domain)
    await sees("1 new rule")
    await press("Add 1 rule")
    await sees("Added 1 rule")
    expect((await footfall.suppression.list({ q: domain })).data).toHaveLength(1)
  })

  it("an audience is built with a masked sample and created as a draft", async () => {
    const name = `Fox ${unique()}`
    const [topic] = await footfall.topics.search({ q: "freight" })
    await open("audiences")
    await press("Create an audience")
    await type("Name", name)
    await type("Topics", topic!.topicName)
    await press(`Add ${topic!.topicName}`)
    await sees("Addresses are masked")
    await press("Create as a draft")
    await sees("Draft: finds no one until you activate it")
    const { data } = await footfall.audiences.list()
    expect(data.map((audience) => audience.name)).toContain(name)
  })

  it("a webhook is created, its secret is shown, and it opens from the list", async () => {
    const name = `Fox ${unique()}`
    await open("webhooks")
    await press("Create a webhook")
    await type("Name", name)
    await type("Address", "https://hooks.acme.example/fox")
    await press("Create")
    await sees("whsec_")
    await press("I have it")
    await press(name, "link")
    await sees("No event yet")
  })

  it("settings are saved", async () => {
    const id = await organizationId()
    const { settings } = await footfall.organizations.get(id)
    await open("settings")
    await type("Networks whose visits are not recorded", "203.0.113.77/32\n")
    await press("Save")
    await sees("Saved the organization")
    const saved = await footfall.organizations.get(id)
    expect(saved.settings.excludedIps).toContain("203.0.113.77/32")
    await footfall.organizations.update(id, { settings })
  })

  it("no script failed, and the content security policy refused nothing", () => {
    expect(errors).toEqual([])
  })
})
