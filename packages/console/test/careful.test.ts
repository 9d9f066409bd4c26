// Careful writes: the console asks for confirmation before anything that can't be undone, writes
// only what changed, and doesn't abort a write when its dialog closes.
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import type { Footfall } from "@footfall/sdk"
import {
  failing,
  footfall,
  demoPixel,
  newMember,
  newOrganization,
  type User,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const unique = (): string => crypto.randomUUID().slice(0, 8)

/** Holds requests to an address until the returned function is called. */
const holding = async (page: Page, at: string): Promise<() => void> => {
  const gate = Promise.withResolvers<void>()
  await page.route(at, async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

describe("the organization", needs("chromium"), () => {
  const name = `Careful ${unique()}`
  let own: Footfall
  let id: string
  let user: User
  const openSignedIn = useSignedIn(useBrowser(), () => Promise.resolve(user))
  beforeAll(async () => {
    const { client, organization } = await newOrganization(name, await newMember("member"))
    own = client
    id = organization.id
    user = await newMember("owner", client)
  })
  const retention = async () => (await own.organizations.get(id)).settings.retentionDays
  const open = async (): Promise<Page> => {
    const page = await openSignedIn("settings")
    await page.getByLabel("Days to keep visits").waitFor()
    return page
  }

  it("keeps its data until a shorter retention is confirmed", async () => {
    const page = await open()
    await page.getByLabel("Days to keep visits").fill("400")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("This deletes visits and events older than 400 days").waitFor()
    expect(await retention()).toBeNull()
    await page.getByRole("button", { name: "Cancel" }).click()
    expect(await retention()).toBeNull()
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("button", { name: "Save and delete older data" }).click()
    await page.getByText("Saved the organization").waitFor()
    expect(await retention()).toBe(400)
    await page.getByLabel("Days to keep visits").fill("500")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await expect.poll(retention).toBe(500)
  })

  it("keeps what a colleague changed while the form was open", async () => {
    const page = await open()
    await own.organizations.update(id, { settings: { retentionDays: 900 } })
    await page.getByLabel("Name", { exact: true }).fill("Renamed")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved the organization").waitFor()
    const { name, settings } = await own.organizations.get(id)
    expect([name, settings.retentionDays]).toEqual(["Renamed", 900])
  })
})

describe("a careful write", needs("chromium"), () => {
  const open = useSignedIn(useBrowser())

  it("changes a role only with its button, not while arrow keys step through roles", async () => {
    const { email } = await newMember("viewer")
    const page = await open("settings/members")
    const written: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "PATCH") written.push(request.postData() ?? "")
    })
    const role = page.getByLabel(`Role of ${email}`, { exact: true })
    await role.focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown")
    await expect.poll(() => role.inputValue()).toBe("owner")
    await page.keyboard.press("ArrowUp")
    await expect.poll(() => role.inputValue()).toBe("admin")
    expect(written).toEqual([])
    await page.getByRole("button", { name: `Save the role of ${email}` }).click()
    await page.getByText(`${email} is now admin`).waitFor()
    expect(written).toEqual(['{"role":"admin"}'])
  })

  it("keeps its dialog open while it is pending, whatever is pressed", async () => {
    const pixel = await footfall.pixels.create({ domain: `held-${unique()}.example` })
    const page = await open(`pixels/${pixel.id}`)
    await page.getByRole("button", { name: "Delete…" }).click()
    const release = await holding(page, `**/v1/data/pixels/${pixel.id}`)
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await page.locator("dialog [aria-busy=true]").waitFor()
    expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true)
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true)
    await page.keyboard.press("Escape")
    expect(await dialog.count()).toBe(1)
    release()
    await page.getByText(`Deleted ${pixel.domain}`).waitFor()
  })

  it("shows a key's secret even if Escape is pressed while it is being created", async () => {
    const page = await open("settings/keys")
    await page.getByRole("button", { name: "Create a key" }).click()
    await page.getByLabel("Name").fill(`Escaped ${unique()}`)
    const release = await holding(page, "**/v1/**/api-keys")
    await page.getByLabel("Name").press("Enter")
    await page.locator("dialog [aria-busy=true]").waitFor()
    await page.keyboard.press("Escape")
    release()
    await page.getByText(/^sk_\w{43}$/).waitFor()
  })

  it("fails immediately when offline, and does not run later", async () => {
    const pixel = await footfall.pixels.create({ domain: `offline-${unique()}.example` })
    const page = await open(`pixels/${pixel.id}`)
    const context = page.context()
    await page.getByRole("button", { name: "Delete…" }).click()
    await context.setOffline(true)
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("Can't reach the server.").waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    const deleted: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "DELETE") deleted.push(request.url())
    })
    await context.setOffline(false)
    await page.getByRole("link", { name: "Alerts" }).click()
    await page.waitForLoadState("networkidle")
    expect(deleted).toEqual([])
    expect((await footfall.pixels.get(pixel.id)).domain).toBe(pixel.domain)
    await footfall.pixels.delete(pixel.id)
  })

  it("shows the new write key of a rotation before it revokes the old one, and retries only the revocation", async () => {
    const pixel = await demoPixel()
    const name = `Rotated ${unique()}`
    const old = await footfall.pixels.writeKeys.create(pixel.id, { name, kind: "server" })
    const page = await open(`pixels/${pixel.id}`)
    const at = `**/write-keys/${old.key.id}*`
    await failing(page, at)
    await page.getByRole("button", { name: `Rotate ${name}` }).click()
    await page.getByRole("button", { name: "Create new key" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(/^wk_/).waitFor()
    await dialog.getByText("Both keys work, because the old one was not revoked").waitFor()
    const keys = async () =>
      (await footfall.pixels.writeKeys.list(pixel.id)).filter((key) => key.name === name)
    expect((await keys()).map(({ expiresAt }) => expiresAt)).toEqual([null, null])
    await page.unroute(at)
    await dialog.getByRole("button", { name: "Try again" }).click()
    await page.getByText(`Rotated ${name}`, { exact: true }).waitFor()
    expect((await keys()).filter(({ expiresAt }) => expiresAt !== null)).toHaveLength(1)
    expect(await keys()).toHaveLength(2)
    await page.getByRole("button", { name: "I saved it" }).click()
  })

  it("keeps a webhook's deleted site and its segment when something else is edited", async () => {
    const domain = `left-${unique()}.example`
    const pixel = await footfall.pixels.create({ domain })
    const segment = await footfall.segments.create({
      name: `Hundred and first ${domain}`,
      ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
    })
    const { webhook } = await footfall.webhooks.create({
      name: `Of ${domain}`,
      url: "https://hooks.acme.example/left",
      pixelId: pixel.id,
      segmentId: segment.id,
    })
    await footfall.pixels.delete(pixel.id)
    const page = await open("settings")
    // Leaves it out of the list of segments, as if a hundred newer ones existed.
    await page.route(/\/segments\?/, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: ReadonlyArray<{ readonly id: string }> }
      await route.fulfill({
        response,
        json: { ...body, data: body.data.filter(({ id }) => id !== segment.id) },
      })
    })
    await page.goto(new URL(`webhooks/${webhook.id}`, page.url()).href)
    await page.getByRole("button", { name: "Edit" }).click()
    const shown = (label: string) =>
      page.getByLabel(label, { exact: true }).last().locator("option:checked").textContent()
    await expect.poll(() => shown("Site")).toBe("A deleted site")
    await expect.poll(() => shown("Who")).toBe(segment.name)
    await page.getByLabel("Name").fill(`Still of ${domain}`)
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText(`Saved Still of ${domain}`).waitFor()
    expect(await footfall.webhooks.get(webhook.id)).toMatchObject({
      name: `Still of ${domain}`,
      pixelId: pixel.id,
      segmentId: segment.id,
    })
    await footfall.webhooks.delete(webhook.id)
    await footfall.segments.delete(segment.id)
  })

  it("a list that can't be loaded to the end says so at its foot, and continues from there", async () => {
    const page = await open("settings")
    for (let i = 0; i < 2; i++) await footfall.suppression.add(rulesOf(150))
    let fails = true
    await page.route(/\/suppression[^/]*cursor=/, (route) =>
      fails
        ? route.fulfill({
            status: 500,
            json: { error: { code: "INTERNAL_ERROR", message: "The server failed." }, meta: {} },
          })
        : route.continue(),
    )
    await page.goto(new URL("suppression", page.url()).href)
    const alert = page.getByRole("alert").filter({ hasText: "Can't load the rest of the list" })
    const table = page.getByRole("table", { name: "Suppression rules" })
    await table.getByRole("row").nth(5).waitFor()
    await expect
      .poll(async () => {
        await table.evaluate((element: Element) => element.scrollTo(0, element.scrollHeight))
        return alert.count()
      })
      .toBe(1)
    fails = false
    await alert.getByRole("button", { name: "Try again" }).click()
    await alert.waitFor({ state: "detached" })
    const rowsBefore = 200
    await expect
      .poll(() => table.evaluate((element: Element) => element.scrollHeight))
      .toBeGreaterThan(52 * (rowsBefore + 50))
  })

  it("keeps rejected values of added rules on the page, even before the preview has loaded", async () => {
    const page = await open("suppression")
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill(`good@${unique()}.example\nnot-an-address`)
    await page.getByRole("button", { name: /^Add \d rules$/ }).click()
    await page.getByRole("heading", { name: "1 value not added" }).waitFor()
    await page.getByText("not-an-address: not an email address").waitFor()
  })
})

const rulesOf = (count: number) =>
  Array.from({ length: count }, () => ({
    type: "domain" as const,
    value: `${unique()}.rules.example`,
  }))
