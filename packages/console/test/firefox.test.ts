// The main screens in Firefox, on one page of one browser: sign in, read, add, build and save. The other tests only use
// Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchBrowser } from "../../pixel/test/browser/support/browsers.ts"
import { address, footfall, organizationId, stage } from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser["newPage"]>>
type Element = NonNullable<Awaited<ReturnType<Page["$"]>>>

const unique = (): string => crypto.randomUUID().slice(0, 8)

describe("in Firefox", needs("chromium", "firefox"), () => {
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

  // Not with locators, which evaluate strings in the page: the content security policy blocks that.
  // Not by role either: Firefox builds its accessibility tree with a whole core for as long as the
  // page changes.
  const find = async (xpath: string): Promise<Element> => {
    const look = () => page.$(`::-p-xpath(${xpath})`)
    let found = await look()
    const isFound = async () => (found ??= await look()) !== null
    await expect.poll(isFound, { interval: 200 }).toBe(true)
    return found!
  }
  const named = (element: string, name: string) =>
    find(`//${element}[normalize-space() = "${name}" or @aria-label = "${name}"]`)
  const press = async (name: string, element = "button") => (await named(element, name)).click()
  const field = (label: string) => find(`//*[@id = //label[normalize-space() = "${label}"]/@for]`)
  const type = async (label: string, text: string) => (await field(label)).type(text)
  const sees = (text: string) => {
    const contains = `contains(normalize-space(), "${text}")`
    return find(`//body//*[${contains}][not(*[${contains}])]`)
  }
  const open = (path: string) => page.goto(address(path))
  const table = () => named("*[@role = 'table']", "People")

  it("a user signs in, and the session survives a reload", async () => {
    await open("people")
    await type("Email", stage.owner.email)
    await type("Password", stage.owner.password)
    await press("Sign in")
    await table()
    await page.reload()
    await table()
  })

  it("a person opens from the list with the keyboard, with their visits, and Escape closes it", async () => {
    const first = await find(`//*[@role = "table"]//a`)
    const href = await first.evaluate((link) => link.getAttribute("href"))
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await sees(" did")
    expect(new URL(page.url()).pathname).toBe(new URL(href!, page.url()).pathname)
    await page.keyboard.press("Escape")
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/people$/)
  })

  it("rules are added after a preview of their effect", async () => {
    const domain = `fox-${unique()}.example`
    await press("Suppression", "a")
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
    await press("Audiences", "a")
    await press("Create an audience")
    await type("Name", name)
    await type("Topics", topic!.topicName)
    await press(`Add ${topic!.topicName}`)
    await sees("Addresses are masked")
    await press("Create as a draft")
    await sees("Draft: it finds no one until you activate it")
    const { data } = await footfall.audiences.list()
    expect(data.map((audience) => audience.name)).toContain(name)
  })

  it("a webhook is created, its secret is shown, and it opens from the list", async () => {
    const name = `Fox ${unique()}`
    await press("Alerts", "a")
    await press("Create an alert")
    await type("Name", name)
    await type("URL", "https://hooks.acme.example/fox")
    await press("Create")
    await sees("whsec_")
    await press("I saved it")
    await press(name, "a")
    await sees("No event yet")
  })

  it("settings are saved", async () => {
    const id = await organizationId()
    const { excludedIps } = (await footfall.organizations.get(id)).settings
    await press("Settings", "a")
    await type("Networks to ignore", "203.0.113.77/32\n")
    await press("Save")
    await sees("Saved the organization")
    const saved = await footfall.organizations.get(id)
    expect(saved.settings.excludedIps).toContain("203.0.113.77/32")
    await footfall.organizations.update(id, { settings: { excludedIps } })
  })

  it("no script failed, and the content security policy blocked nothing", () => {
    expect(errors).toEqual([])
  })
})
