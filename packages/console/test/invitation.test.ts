// A new user and an existing user accept an invitation in the browser (spec 17.1.8).
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import {
  address,
  failing,
  footfall,
  newMember,
  newOrganization,
  organizationId,
  signIn,
  stage,
  switchTo,
  useBrowser,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("a session", needs("chromium"), () => {
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
    await page.getByText(`You will sign in as ${email}.`).waitFor()
    await page.getByLabel("Your name").fill("Ida Invited")
    await page.getByLabel("New password").fill("a long enough password")
    await page.getByRole("button", { name: /Set password/ }).click()

    await page.getByRole("heading", { name: "Overview" }).waitFor()
    expect(asked.filter((url) => url.split("#", 1)[0]!.includes(inviteToken!))).toEqual([])
  })
})

describe("an invitation for someone with an account", needs("chromium"), () => {
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

  it("for someone else says so to the signed-in user, who can use the other account", async () => {
    const { token, user } = await invite()
    const other = await newMember("viewer")
    const page = await signIn(await newContext(), "people", other)
    await page.goto(address(`invitation#${token}`))

    await page.getByText(`You are signed in as ${other.email}, but this invitation is`).waitFor()
    await page.getByText(`You will sign in as ${user.email}.`).waitFor()
    await page.getByLabel("New password").waitFor()
    expect(await page.getByRole("button", { name: /^Join/ }).count()).toBe(0)
  })

  it("names the organization, the role and the address, each isolated from the words around it", async () => {
    const hebrew = "\u05d0\u05d1\u05d2 Ltd"
    const { client, organization } = await newOrganization(hebrew, await newMember("member"))
    const email = `ida-${crypto.randomUUID().slice(0, 8)}@footfall.example`
    const { inviteToken } = await client.members.add(organization.id, { email, role: "admin" })
    const page = await open(inviteToken)

    await page.getByText(`Join ${hebrew} as an admin. You will sign in as ${email}.`).waitFor()

    for (const text of [hebrew, email]) {
      const shown = page.getByText(text, { exact: true })
      expect(await shown.evaluate((node) => getComputedStyle(node).unicodeBidi)).toBe("isolate")
    }
  })

  it("that no longer works says so before anything is typed, and what to do", async () => {
    const { client, organization } = inviting
    const email = `ida-${crypto.randomUUID().slice(0, 8)}@footfall.example`
    const first = await client.members.add(organization.id, { email, role: "viewer" })
    const id = { organizationId: organization.id, userId: first.member.userId }
    const { inviteToken } = await client.members.invite(id)
    const page = await open(first.inviteToken)

    await page.getByRole("heading", { name: "This invitation no longer works" }).waitFor()
    await page.getByText("ask the person who invited you to send it again").waitFor()
    expect(await page.getByLabel("New password").count()).toBe(0)

    // The new link in the same tab only changes the part after `#`.
    await page.goto(address(`invitation#${inviteToken}`))
    await page.getByText(`You will sign in as ${email}.`).waitFor()
    await page.getByLabel("New password").waitFor()
  })

  it("pasted by hand is looked up once it is complete", async () => {
    const { token, user } = await invite()
    const page = await open("")
    const looked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/auth/invitation")) looked.push(request.postData() ?? "")
    })
    const field = page.getByLabel("Invitation", { exact: true })
    await field.fill(token!.slice(0, -1))
    expect(await page.getByText(/You will sign in as/).count()).toBe(0)

    await field.fill(`${stage.url}/console/invitation#${token}`)

    await page.getByText(`You will sign in as ${user.email}.`).waitFor()
    expect(looked).toEqual([JSON.stringify({ token })])
    await page.getByRole("button", { name: "I already have a password" }).click()
    await page.getByLabel("Password").fill(user.password)
    await page.getByRole("button", { name: "Accept and sign in" }).click()
    await page.getByRole("button", { name: "Organization: Inviting Ltd" }).waitFor()
  })

  it("pasted by hand that no longer works says so at the field", async () => {
    const page = await open("")
    await page.getByLabel("Invitation", { exact: true }).fill(`inv_${"x".repeat(43)}`)

    await page.getByText("This invitation no longer works. Ask the person").waitFor()
  })

  it("that could not be looked up is looked up again on request", async () => {
    const { token, user } = await invite()
    const page = await (await newContext()).newPage()
    await failing(page, "**/v1/auth/invitation")
    await page.goto(address(`invitation#${token}`))
    await page.getByRole("alert").getByText("We could not look up the invitation").waitFor()
    await page.unroute("**/v1/auth/invitation")

    await page.getByRole("button", { name: "Try again" }).click()

    await page.getByText(`You will sign in as ${user.email}.`).waitFor()
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
