// Signing in and out, renewal, invitations and organizations (spec 17.1).
import { describe, expect, it } from "vitest"
import {
  address,
  fillSignIn,
  footfall,
  hasChromium,
  newMember,
  organizationId,
  signIn,
  stage,
  useBrowser,
} from "./support/console.ts"

describe.skipIf(!hasChromium)("a session", () => {
  const newContext = useBrowser()

  it("begins with email and password, at the address that was opened", async () => {
    const page = await signIn(await newContext(), "pixels?window=7d")

    await page.getByRole("heading", { name: "Pixels" }).waitFor()
    expect(page.url()).toContain("window=7d")
    expect(await page.getByLabel("Window").inputValue()).toBe("7d")
  })

  it("does not begin with a wrong password, and says so", async () => {
    const page = await (await newContext()).newPage()
    await page.goto(address("people"))
    await fillSignIn(page, { email: stage.owner.email, password: "not the password" })

    await page
      .getByRole("alert")
      .getByText(/password/i)
      .first()
      .waitFor()
    expect(await page.getByLabel("Password").inputValue()).toBe("not the password")
  })

  it("survives a reload and keeps no token where scripts read", async () => {
    const context = await newContext()
    const page = await signIn(context)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
    )
    expect(stored).not.toMatch(/eyJ|rt_|Bearer/)
    const cookies = await context.cookies(`${stage.url}/v1/auth/session`)
    expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
      { httpOnly: true, sameSite: "Strict" },
    ])

    await page.reload()

    await page.getByRole("heading", { name: "People" }).waitFor()
  })

  it("is one for several tabs, which renew one after the other", async () => {
    const context = await newContext()
    await signIn(context)
    const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()))
    await Promise.all(tabs.map((tab) => tab.goto(address("pixels"))))

    for (const tab of tabs) await tab.getByRole("table", { name: "Pixels" }).waitFor()
  })

  it("ends in every tab when the user signs out", async () => {
    const context = await newContext()
    const page = await signIn(context)
    const other = await context.newPage()
    await other.goto(address("pixels"))
    await other.getByRole("table", { name: "Pixels" }).waitFor()

    await page.getByRole("button", { name: "Sign out" }).click()

    for (const each of [page, other]) await each.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
  })

  it("renews a refused token without a word", async () => {
    const page = await signIn(await newContext())
    await page.getByRole("table", { name: "People" }).waitFor()
    let refusals = 0
    await page.route("**/v1/data/pixels/*", async (route) => {
      refusals += 1
      if (refusals > 1) return route.continue()
      return route.fulfill({
        status: 401,
        json: { error: { code: "AUTHENTICATION_ERROR", message: "Expired." }, meta: {} },
      })
    })

    await page.getByRole("link", { name: "Pixels" }).click()
    await page.getByRole("table", { name: "Pixels" }).getByRole("link").first().click()

    await page.getByRole("heading", { name: "The tag" }).waitFor()
    expect(refusals).toBe(2)
  })

  it("that can't be renewed asks for the password over the page, and nothing typed is lost", async () => {
    const user = await newMember("member")
    const context = await newContext()
    const page = await signIn(context, "suppression", user)
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill("kept.example")
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    // The cookie goes, and the server refuses the token.
    await context.clearCookies()
    const refuse = "**/v1/data/suppression-rules**"
    await page.route(refuse, (route) =>
      route.fulfill({
        status: 401,
        json: { error: { code: "AUTHENTICATION_ERROR", message: "Expired." }, meta: {} },
      }),
    )
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
    await page.unroute(refuse)

    await fillSignIn(page, user)

    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor({ state: "detached" })
    expect(await page.getByLabel("Values").inputValue()).toBe("kept.example")
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByText("Added 1 rule").waitFor()
  })

  it("begins by an invitation, whose token is sent to no server by its address", async () => {
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

  it("switches to another organization of the user, and stays there", async () => {
    const user = await newMember("member")
    const slug = `other-${crypto.randomUUID().slice(0, 8)}`
    const context = await newContext()
    const page = await signIn(context, "people", user)
    const { accessToken } = await footfall.auth.login(user)
    const { Footfall } = await import("@footfall/sdk")
    const asUser = new Footfall({ baseUrl: stage.url, accessToken })
    await asUser.organizations.create({ name: "Other Ltd", slug })
    await page.reload()

    await page.getByLabel("Organization").selectOption("Other Ltd")

    await page.getByRole("heading", { name: "Create a pixel" }).waitFor()
    await page.reload()
    await expect
      .poll(() => page.getByLabel("Organization").locator("option:checked").textContent())
      .toBe("Other Ltd")
  })
})
