// A new user and an existing user accept an invitation in the browser (spec 17.1.8).
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import {
  address,
  failing,
  footfall,
  hasChromium,
  newMember,
  newOrganization,
  organizationId,
  signIn,
  stage,
  switchTo,
  useBrowser,
} from "./support/console.ts"

describe.skipIf(!hasChromium)("a session", () => {
  const newContext = useBrowser()

  it("starts with an invitation, whose URL sends the token to no server", async () => {
    const email = `invited-${crypto.randomUUID().slice(0, 8)}@footfall.example`
    const { inviteToken } = await footfall.members.add(await organizationId(), {
      email,
      role: "viewer",
    })
    const page = await (await newContext()).newPage()
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))

    await page.goto(address(`invitation#${inviteToken}`))
    await page.getByLabel("Your name").fill("Ida Invited")
    await page.getByLabel("New password").fill("a long enough password")
    await page.getByRole("button", { name: /Set password/ }).click()

    await page.getByRole("heading", { name: "Overview" }).waitFor()
    expect(asked.filter((url) => url.split("#", 1)[0]!.includes(inviteToken!))).toEqual([])
  })
})

describe.skipIf(!hasChromium)("an invitation for someone with an account", () => {
  const newContext = useBrowser()
  const open = async (token: string | null): Promise<Page> => {
    const page = await (await newContext()).newPage()
    await page.goto(address(`invitation#${token}`))
    return page
  }
  let inviting: Awaited<ReturnType<typeof newOrganization>>
  beforeAll(async () => {
    inviting = await newOrganization("Inviting Ltd", await newMember("member"))
  })
  const invite = async () => {
    const user = await newMember("member")
    const { client, organization } = inviting
    const { inviteToken } = await client.members.add(organization.id, {
      email: user.email,
      role: "viewer",
    })
    return { user, token: inviteToken }
  }

  it("is accepted with their password, and opens the organization that invited them", async () => {
    const { token, user } = await invite()
    const page = await open(token)
    await page.getByLabel("New password").fill("another long password")
    await page.getByRole("button", { name: "Set password and sign in" }).click()
    await page.getByRole("alert").getByText("already has an account").waitFor()

    await page.getByRole("button", { name: "I already have a password" }).click()
    await page.getByLabel("Password").fill(user.password)
    await page.getByRole("button", { name: "Accept and sign in" }).click()

    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).waitFor()
    await page.reload()
    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).waitFor()
  })

  it("is accepted with one click by a signed-in user, who sees the organization's name", async () => {
    const { token, user } = await invite()
    const page = await signIn(await newContext(), "people", user)
    await page.goto(address(`invitation#${token}`))
    await page.getByText(`You are signed in as ${user.email}.`).waitFor()
    expect(await page.getByLabel("New password").count()).toBe(0)

    await page.getByRole("button", { name: "Join Inviting Ltd" }).click()

    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).click()
    await page.getByRole("button", { name: /^Open / }).waitFor()
  })

  it("is used once by a signed-in user, even if the organization opens on the second attempt", async () => {
    const { token, user } = await invite()
    const page = await signIn(await newContext(), "people", user)
    await page.goto(address(`invitation#${token}`))
    const join = page.getByRole("button", { name: "Join Inviting Ltd" })
    await join.waitFor()
    await failing(page, "**/v1/auth/session/refresh")
    await join.click()
    await page.getByRole("alert").getByText("Could not open Inviting Ltd").waitFor()

    await page.unroute("**/v1/auth/session/refresh")
    await join.click()

    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).waitFor()
  })

  it("for someone else is not shown to the signed-in user, who can use another account", async () => {
    const { token } = await invite()
    const page = await signIn(await newContext(), "people", await newMember("viewer"))
    await page.goto(address(`invitation#${token}`))

    await page.getByText("There is no open invitation for").waitFor()
    await page.getByLabel("New password").waitFor()
    expect(await page.getByText("Inviting Ltd").count()).toBe(0)
  })

  it("is accepted even if the next request fails", async () => {
    const { token, user } = await invite()
    const page = await open(token)
    await failing(page, "**/v1/auth/logout")
    await page.getByRole("button", { name: "I already have a password" }).click()
    await page.getByLabel("Password").fill(user.password)
    await page.getByRole("button", { name: "Accept and sign in" }).click()
    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).waitFor()
  })

  it("is shown among the members until it is accepted", async () => {
    const host = await newMember("member")
    const { client, organization } = await newOrganization("Inviting Ltd", host)
    const page = await signIn(await newContext(), "pixels", host)
    await switchTo(page, "Inviting Ltd")
    await client.members.add(organization.id, { email: stage.owner.email, role: "viewer" })
    await page.goto(address("settings/members"))

    const row = page.getByRole("row").filter({ hasText: stage.owner.email })
    await row.getByText("has not accepted yet").waitFor()
    expect(await page.getByText("has not accepted yet").count()).toBe(1)
  })

  it("says that it is accepted if signing in fails", async () => {
    const { token, user } = await invite()
    const page = await open(token)
    await failing(page, "**/v1/auth/session")
    await page.getByRole("button", { name: "I already have a password" }).click()
    await page.getByLabel("Password").fill(user.password)
    await page.getByRole("button", { name: "Accept and sign in" }).click()
    await page.getByRole("heading", { name: "The invitation is accepted" }).waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    await page.unroute("**/v1/auth/session")

    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByLabel("Email").fill(user.email)
    await page.getByLabel("Password").fill(user.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).waitFor()
  })
})
