// Several tabs of one browser: each stays in its organization, and none shows a user what another
// user has loaded.
import { describe, expect, it } from "vitest"
import {
  address,
  fillSignIn,
  footfall,
  newMember,
  newOrganization,
  organizationId,
  refuseOnce,
  signIn,
  switchTo,
  useBrowser,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("a tab", needs("chromium"), () => {
  const newContext = useBrowser()

  it("stays in its organization when another tab switches", async () => {
    const user = await newMember("member")
    const { client } = await newOrganization("Other Ltd", user)
    const context = await newContext()
    const page = await signIn(context, "suppression", user)
    const other = await context.newPage()
    await other.goto(address("pixels"))
    await switchTo(other, "Other Ltd")

    const value = `${crypto.randomUUID().slice(0, 8)}.example`
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill(value)
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    await refuseOnce(page, "**/v1/data/suppression-rules**")
    // The list's next read may ask for the sign-in first, and covers the button.
    await page.getByRole("button", { name: "Add 1 rule" }).dispatchEvent("click")
    await page.getByText("Added 1 rule").waitFor()

    const valuesOf = async (of: typeof footfall) =>
      (await of.suppression.list({ q: value })).data.map((rule) => rule.value)
    expect([await valuesOf(footfall), await valuesOf(client)]).toEqual([[value], []])
    await other.reload()
    await other.getByRole("button", { name: "Organization: Other Ltd" }).waitFor()
    await page.reload()
    const { organization } = await footfall.auth.me()
    await page.getByRole("button", { name: `Organization: ${organization.name}` }).waitFor()
  })

  it("starts in the organization that was chosen last", async () => {
    const user = await newMember("member")
    await newOrganization("Other Ltd", user)
    const context = await newContext()
    const page = await signIn(context, "pixels", user)
    await switchTo(page, "Other Ltd")
    const other = await context.newPage()
    await other.goto(address("pixels"))
    await other.getByRole("button", { name: "Organization: Other Ltd" }).waitFor()
  })

  it("switches away from an organization that its user was removed from, and shows nothing of it", async () => {
    const user = await newMember("admin")
    await newOrganization("Other Ltd", user)
    const page = await signIn(await newContext(), "settings/members", user)
    const members = page.getByRole("region", { name: "Members" })
    await members.getByText(user.email).waitFor()
    const id = await organizationId()
    const { data } = await footfall.members.list(id, { limit: 100 })
    const { userId } = data.find(({ email }) => email === user.email)!
    await footfall.members.remove({ organizationId: id, userId })
    await refuseOnce(page, "**/v1/api-keys**")
    await page.getByRole("link", { name: "API keys" }).click()

    // A user with only one organization is offered no other.
    await page.getByTitle("Other Ltd").waitFor()
    expect(await page.getByRole("dialog").count()).toBe(0)
  })

  it("continues when its user signs in again in another tab, and loses no input", async () => {
    const user = await newMember("member")
    const context = await newContext()
    const page = await signIn(context, "suppression", user)
    const other = await context.newPage()
    await other.goto(address("pixels"))
    await other.getByRole("table", { name: "Sites" }).waitFor()
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill("kept.example")
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    await context.clearCookies()
    await refuseOnce(page, "**/v1/data/suppression-rules**")
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await refuseOnce(other, "**/v1/data/webhooks**")
    await other.getByRole("link", { name: "Alerts" }).click()
    for (const each of [page, other]) {
      await each.getByRole("heading", { name: "Sign in to continue" }).waitFor()
    }

    await fillSignIn(other, user)

    for (const each of [page, other]) {
      await each
        .getByRole("heading", { name: "Sign in to continue" })
        .waitFor({ state: "detached" })
    }
    expect(await page.getByLabel("Values").inputValue()).toBe("kept.example")
    await other.getByRole("button", { name: "Create an alert" }).first().waitFor()
    expect(await other.getByRole("alert").count()).toBe(0)
  })

  it("shows nothing of the previous user when another one signs in in another tab", async () => {
    const [first, second] = [await newMember("member"), await newMember("viewer")]
    const context = await newContext()
    const page = await signIn(context, "pixels", first)
    const other = await context.newPage()
    await other.goto(address("webhooks"))
    await other.getByText(first.email).waitFor()
    await other.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
    await fillSignIn(other, second)

    for (const each of [page, other]) {
      await each.getByText(second.email).waitFor()
      expect(await each.getByText(first.email).count()).toBe(0)
    }
    // A viewer can't create one.
    expect(await page.getByRole("button", { name: "Add a site" }).count()).toBe(0)
  })
})
