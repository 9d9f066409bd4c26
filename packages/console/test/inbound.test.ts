// Inbound sources, as a member adds one, pastes its URL elsewhere, watches what arrives, and changes it.
import { NotFoundError, type Inbound, type InboundCreateParams } from "@footfall/sdk"
import type { Page } from "playwright-core"
import { afterAll, describe, expect, it } from "vitest"
import {
  demoPixel,
  failing,
  footfall,
  newMember,
  signIn,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { violations } from "./support/violations.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

/** As the documentation of RB2B shows it. */
const rb2b = (email: string) => ({
  "LinkedIn URL": "https://www.linkedin.com/in/janemercer/",
  "First Name": "Jane",
  "Last Name": "Mercer",
  Title: "VP of Operations",
  "Company Name": "Harbor Logistics",
  "Business Email": email,
  Website: "https://www.harbor-logistics.example/about",
  Industry: "Transportation",
  "Employee Count": "51-200",
  "Estimate Revenue": "$22M rev",
  City: "Austin",
  State: "Texas",
  Zipcode: 73301,
  "Seen At": "2024-01-01T12:34:56:00.00+00.00",
  Referrer: "https://news.example/",
  "Captured URL": "https://tidewater.example/pricing",
  Tags: "Hot Pages, Hot Leads",
})

/** Returns the status. */
const post = async (url: string, body: unknown): Promise<number> => {
  const { status } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  return status
}

const makeSource = async (params: Partial<InboundCreateParams> = {}) => {
  const { id: pixelId } = await demoPixel()
  return footfall.inbound.create({ name: `Source ${unique()}`, pixelId, preset: "rb2b", ...params })
}

const byMail = (path: string): Partial<InboundCreateParams> => ({
  preset: "generic",
  mapping: { kind: "person", fields: { email: path } },
})

const sourceNamed = async (name: string): Promise<Inbound | undefined> =>
  (await footfall.inbound.list()).find((source) => source.name === name)

/** Their first name; undefined for someone unknown. */
const firstNameOf = (email: string): Promise<string | null | undefined> =>
  footfall.visitors.get({ email }).then(
    ({ firstName }) => firstName,
    (error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error
      return undefined
    },
  )

const choosePreset = async (page: Page, preset: string) => {
  await page.getByRole("button", { name: "Add a source" }).first().click()
  await page
    .getByRole("dialog", { name: "Add a source" })
    .getByRole("button", { name: preset })
    .click()
  return page.getByRole("dialog", { name: `Add a source: ${preset}` })
}

const chooseSite = async (page: Page): Promise<void> => {
  const { domain } = await demoPixel()
  await page.getByLabel("Site", { exact: true }).selectOption({ label: domain })
}

/** The URL that the page shows once. */
const shownUrl = async (page: Page): Promise<string> => {
  const url = await page.getByRole("group", { name: "URL" }).textContent()
  expect(url).toMatch(/\/in\/in_[0-9A-Za-z]{43}$/)
  return url!
}

const requests = (page: Page) => page.getByRole("table", { name: "Requests" })

describe("inbound sources", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)
  const openSource = ({ id }: Inbound): Promise<Page> => open(`pixels/inbound/${id}`)

  // An organization has at most 20, and other tests share this one.
  afterAll(async () => {
    for (const { id, name } of await footfall.inbound.list()) {
      if (name !== "Screens") await footfall.inbound.delete(id)
    }
  })

  it("are reached from the sites, and one of RB2B waits until the first person arrives", async () => {
    const word = unique()
    const email = `jane@${word}-logistics.example`
    const page = await open("pixels")
    await page.getByRole("link", { name: "Inbound sources" }).click()
    const form = await choosePreset(page, "RB2B")
    await form.getByText("open Integrations and choose Webhook").waitFor()
    expect(await form.getByLabel("Name").inputValue()).toBe("RB2B")
    // RB2B does not sign.
    expect(await form.getByLabel("Signing secret").count()).toBe(0)
    await form.getByLabel("Name").fill(`RB2B ${word}`)
    await chooseSite(page)
    await form.getByRole("button", { name: "Create the URL" }).click()

    const dialog = page.getByRole("dialog", { name: "Keep the URL" })
    await dialog.getByText("Waiting for the first request…").waitFor()
    expect(await violations(page)).toEqual([])
    const url = await shownUrl(page)
    await dialog.getByRole("button", { name: "Copy URL" }).click()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(url)
    expect(await post(url, rb2b(email))).toBe(200)

    await dialog.getByText("The first request has arrived: 1 person").waitFor()
    await dialog.getByRole("button", { name: "I saved it" }).click()
    await page.getByRole("heading", { name: `RB2B ${word}` }).waitFor()
    await requests(page).getByText("1 person", { exact: true }).waitFor()
    await expect.poll(() => firstNameOf(email)).toBe("Jane")
    await page.reload()
    await page.getByText(`…/in/in_…${url.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(url.slice(-43))
  })

  it("are mapped by clicking the values of a sample, with the keyboard too", async () => {
    const word = unique()
    const email = `ada@${word}.example`
    const sample = {
      source: "webinar",
      rows: [{ "E-mail": email, who: { first: "Ada" }, site: `https://www.${word}.example/` }, {}],
    }
    const page = await open("pixels/inbound")
    const form = await choosePreset(page, "Anything else")
    const create = form.getByRole("button", { name: "Create the URL" })
    const preview = form.getByRole("region", { name: "What would arrive" })
    const value = (path: string) => form.getByRole("button", { name: `${path} ` })
    await form.getByLabel("Name", { exact: true }).fill(`Webinar ${word}`)
    await chooseSite(page)
    await form.getByLabel("Sample").fill(JSON.stringify(sample))
    expect(await create.isDisabled()).toBe(true)

    await form.getByLabel("Records").selectOption("Each of the 2 entries of $.rows[*]")
    await form.getByText("Click the value for Email.").waitFor()
    await value("$.E-mail").click()
    await form.getByText("Click the value for First name.").waitFor()
    await value("$.who.first").press("Enter")
    await form.getByText("Click the value for Last name.").waitFor()
    await form.getByRole("textbox", { name: "Company website" }).focus()
    await value("$.site").press("Space")
    await form.getByLabel("Another field").selectOption("Event name")
    await form.getByRole("textbox", { name: "Event name" }).fill("=webinar_joined")
    await form.getByLabel("Another field").selectOption("A custom value")
    await form.getByRole("textbox", { name: "Name of the custom value" }).fill("via")
    await form.getByRole("textbox", { name: "Custom value via" }).fill("=webinar")

    await preview.getByText("A person", { exact: true }).waitFor()
    for (const text of [email, "Ada", `${word}.example`, "webinar_joined", "Custom value via"]) {
      await preview.getByText(text, { exact: true }).waitFor()
    }
    await preview.getByText("Record 2 would be rejected.").waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await create.click()

    const url = await shownUrl(page)
    expect(await sourceNamed(`Webinar ${word}`)).toMatchObject({
      preset: "generic",
      consent: "vouched",
      mapping: {
        kind: "person",
        each: "$.rows[*]",
        fields: {
          email: "$.E-mail",
          firstName: "$.who.first",
          website: "$.site",
          eventName: "=webinar_joined",
          "custom.via": "=webinar",
        },
      },
    })
    expect(await post(url, sample)).toBe(200)
    await page.getByText("The first request has arrived: 1 person, 1 rejected").waitFor()
    await expect.poll(() => firstNameOf(email)).toBe("Ada")
  })

  it("say at once what is wrong with a sample or a path", async () => {
    const page = await open("pixels/inbound")
    const form = await choosePreset(page, "Anything else")
    await form.getByLabel("Sample").fill("{")
    await form.getByText("This is no JSON.").waitFor()
    await form.getByLabel("Sample").fill('"a"')
    await form.getByText("A sample is an object in braces").waitFor()
    await form.getByLabel("Sample").fill('{"mail": "ada@acme.example", "<b>": "<i>"}')
    await form.getByRole("button", { name: "$.<b> <i> for Email" }).waitFor()
    await form.getByText("Record 1 would be rejected.").waitFor()

    await form.getByLabel("Email", { exact: true }).fill("mail")

    await form.getByText("The sample can't be read by this mapping").waitFor()
    await form.getByText("Expected a path that begins with $").waitFor()
  })

  it("show who can send in a gallery without faults, and ask before what was typed is lost", async () => {
    const page = await open("pixels/inbound")
    await page.getByRole("button", { name: "Add a source" }).first().press("Enter")
    const gallery = page.getByRole("dialog", { name: "Add a source" })
    const names = await gallery.getByRole("listitem").getByRole("button").allTextContents()
    expect(names).toEqual(["RB2B", "Typeform", "Tally", "Cal.com", "Calendly", "Anything else"])
    expect(await violations(page)).toEqual([])
    await gallery.getByRole("button", { name: "Calendly" }).press("Enter")
    await page.getByLabel("Signing secret").fill("typed")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Keep editing" }).click()
    expect(await page.getByLabel("Signing secret").inputValue()).toBe("typed")

    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Discard" }).click()
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
  })

  it("need a signature once they have a secret, until it is removed", async () => {
    const word = unique()
    const page = await open("pixels/inbound")
    const form = await choosePreset(page, "Tally")
    await form.getByLabel("Name").fill(`Tally ${word}`)
    await chooseSite(page)
    await form.getByLabel("Signing secret").fill("a secret of the form")
    await form.getByLabel("Consent").selectOption("Keep to the consent of the site")
    await form.getByRole("button", { name: "Create the URL" }).click()
    const url = await shownUrl(page)
    await page.getByRole("button", { name: "I saved it" }).click()
    await page.getByText("required", { exact: true }).waitFor()
    expect(await sourceNamed(`Tally ${word}`)).toMatchObject({ isSigned: true, consent: "pixel" })
    expect(await post(url, {})).toBe(401)

    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Remove the secret: requests need no signature").check()
    await page.getByRole("button", { name: "Save" }).click()

    await page.getByText("not required: anyone with the URL can send").waitFor()
    await expect.poll(() => post(url, {})).toBe(200)
  })

  it("read a rejected request again after a change of the mapping", async () => {
    const word = unique()
    const { inbound, url } = await makeSource(byMail("$.wrong"))
    await post(url, { mail: `bo@${word}.example` })
    const page = await openSource(inbound)
    await requests(page).getByText("1 rejected: none of the expected values").waitFor()

    await page.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Email", { exact: true }).fill("$.mail")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText(`Saved ${inbound.name}`).waitFor()
    await requests(page).getByRole("button", { name: "Run again" }).click()

    await page.getByText("Ran again: 1 person").waitFor()
    await requests(page).getByText("1 person", { exact: true }).waitFor()
    expect(await requests(page).getByRole("button", { name: "Run again" }).count()).toBe(0)
  })

  it("say what was dropped, but not who", async () => {
    const word = unique()
    await footfall.suppression.add([{ type: "domain", value: `${word}.example` }])
    const { inbound, url } = await makeSource(byMail("$.mail"))
    await post(url, { mail: `customer@${word}.example` })
    const page = await openSource(inbound)

    await requests(page).getByText("1 dropped", { exact: true }).waitFor()
    await page.getByText("Dropped records were of someone suppressed or erased").waitFor()
    expect(await page.content()).not.toContain(word)
  })

  it("answer while they are paused, keep nothing, and go on once resumed", async () => {
    const { inbound, url } = await makeSource({ ...byMail("$.mail"), status: "paused" })
    expect(await post(url, { mail: `before@${unique()}.example` })).toBe(200)
    const page = await openSource(inbound)
    await page.getByText("It is paused: requests are answered").waitFor()
    await page.getByText("While it is paused, nothing is kept.").waitFor()

    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByText("Waiting for the first request…").waitFor()
    // A change holds within a second.
    await expect
      .poll(async () => {
        await post(url, { mail: `after@${unique()}.example` })
        return (await footfall.inbound.history(inbound.id)).length
      })
      .toBeGreaterThan(0)
    await requests(page).getByText("1 person", { exact: true }).first().waitFor()

    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("It is paused: requests are answered").waitFor()
    expect((await footfall.inbound.get(inbound.id)).status).toBe("paused")
  })

  it("get a new URL, and the former one works as long as was chosen", async () => {
    const { inbound, url } = await makeSource()
    const page = await openSource(inbound)
    await page.getByRole("button", { name: "Replace the URL…" }).click()
    const dialog = page.getByRole("dialog", { name: "Replace the URL?" })
    await dialog.getByLabel("The present URL").selectOption("works for 1 hour")
    await dialog.getByRole("button", { name: "Create a new URL" }).click()

    const next = await shownUrl(page)
    expect(next).not.toBe(url)
    // A new URL waits for no first request.
    expect(await page.getByRole("dialog").getByText("Waiting for the first request").count()).toBe(
      0,
    )
    await page.getByRole("button", { name: "I saved it" }).click()
    await page.getByText(/works until/).waitFor()
    await expect
      .poll(async () => [(await fetch(url)).status, (await fetch(next)).status])
      .toEqual([200, 200])
  })

  it("say before they are deleted what stays", async () => {
    const email = `stays@${unique()}.example`
    const { inbound, url } = await makeSource(byMail("$.mail"))
    await post(url, { mail: email })
    await expect.poll(() => firstNameOf(email)).toBe(null)
    const page = await openSource(inbound)
    await page.getByRole("button", { name: "Delete…" }).click()
    const dialog = page.getByRole("dialog", { name: `Delete ${inbound.name}?` })
    await dialog.getByText("The people and visits that it brought stay.").waitFor()

    await dialog.getByRole("button", { name: "Delete" }).click()

    await page.getByText(`Deleted source ${inbound.name}`).waitFor()
    await page.getByRole("heading", { name: "Inbound sources" }).waitFor()
    expect(await sourceNamed(inbound.name)).toBeUndefined()
    expect((await footfall.visitors.get({ email })).email).toBe(email)
    await expect.poll(async () => (await fetch(url)).status).toBe(404)
  })

  it("whose site was deleted say so, in the list and on their page", async () => {
    const pixel = await footfall.pixels.create({ domain: `${unique()}.example` })
    const { inbound } = await makeSource({ pixelId: pixel.id })
    await footfall.pixels.delete(pixel.id)
    const page = await open("pixels/inbound")

    const row = page.getByRole("row", { name: inbound.name })
    await row.getByText("site deleted").waitFor()
    await row.getByRole("link", { name: inbound.name }).click()
    await page.getByText("Its site was deleted, so its URL no longer works.").waitFor()
  })

  it("that could not be added keep the form and say why", async () => {
    const page = await open("pixels/inbound")
    const form = await choosePreset(page, "RB2B")
    await chooseSite(page)
    await failing(page, "**/v1/data/inbound")
    await form.getByLabel("Name").fill("Kept")
    await form.getByRole("button", { name: "Create the URL" }).click()

    await form.getByText("No source was added").waitFor()
    expect(await form.getByLabel("Name").inputValue()).toBe("Kept")
  })

  it("are shown to viewers without buttons", async () => {
    const { inbound, url } = await makeSource(byMail("$.mail"))
    await post(url, { nothing: 1 })
    const viewer = await newMember("viewer")
    const page = await signIn(await newContext(), `pixels/inbound/${inbound.id}`, viewer)
    await requests(page).getByText("1 rejected").waitFor()
    const buttons = page.getByRole("button", { name: /Edit|Pause|Replace|Delete|Run again|Add a/ })

    expect(await buttons.count()).toBe(0)
    await page.getByRole("link", { name: "Inbound sources" }).click()
    await page.getByRole("row", { name: inbound.name }).waitFor()
    expect(await buttons.count()).toBe(0)
  })
})
