// Signing in and out, renewal, invitations and organizations (spec 17.1).
import type { BrowserContext } from "playwright-core"
import { describe, expect, it } from "vitest"
import {
  address,
  failing,
  fillSignIn,
  newMember,
  newOrganization,
  refuseOnce,
  signIn,
  stage,
  switchTo,
  useBrowser,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const cookieFor = async (context: BrowserContext, url: string): Promise<string> => {
  const [cookie] = await context.cookies(url)
  return `${cookie?.name}=${cookie?.value}`
}

describe("a session", needs("chromium"), () => {
  const newContext = useBrowser()

  it("starts with email and password, at the requested URL", async () => {
    const page = await signIn(await newContext(), "pixels?window=7d")

    await page.getByRole("heading", { name: "Sites" }).waitFor()
    expect(page.url()).toContain("window=7d")
  })

  it("does not start with a wrong password, and says so", async () => {
    const page = await (await newContext()).newPage()
    await page.goto(address("people"))
    await fillSignIn(page, { email: stage.owner.email, password: "not the password" })

    await page
      .getByRole("alert")
      .getByText(/password/i)
      .first()
      .waitFor()
    expect(await page.getByLabel("Password").inputValue()).toBe("not the password")
    // One sentence: it is no fault of the server that someone could report.
    expect(await page.getByRole("alert").innerText()).toBe("Wrong email or password.")
  })

  it("survives a reload and keeps no token where scripts can read it", async () => {
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

  it("survives a renewal whose response never arrived, as when a page is reloaded twice quickly", async () => {
    const context = await newContext()
    const page = await signIn(context)
    const url = `${stage.url}/v1/auth/session/refresh`
    let lost: Response | undefined
    await page.route(url, async (route) => {
      const headers = { "content-type": "application/json", cookie: await cookieFor(context, url) }
      lost ??= await fetch(url, { method: "POST", headers, body: "{}" })
      await route.continue()
    })

    await page.reload()

    await page.getByRole("heading", { name: "People" }).waitFor()
    expect(lost?.status).toBe(200)
    expect(lost?.headers.getSetCookie()[0]).toContain(`${await cookieFor(context, url)};`)
  })

  it("is shared by several tabs, which renew one after the other", async () => {
    const context = await newContext()
    await signIn(context)
    const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()))
    await Promise.all(tabs.map((tab) => tab.goto(address("pixels"))))

    for (const tab of tabs) await tab.getByRole("table", { name: "Sites" }).waitFor()
  })

  it("ends in every tab when the user signs out", async () => {
    const context = await newContext()
    const page = await signIn(context)
    const other = await context.newPage()
    await other.goto(address("pixels"))
    await other.getByRole("table", { name: "Sites" }).waitFor()

    await page.getByRole("button", { name: "Sign out" }).click()

    for (const each of [page, other])
      await each.getByRole("heading", { name: "See who came by." }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
  })

  it("renews a rejected token silently", async () => {
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

    await page.getByRole("link", { name: "Sites" }).click()
    await page.getByRole("table", { name: "Sites" }).getByRole("link").first().click()

    await page.getByRole("heading", { name: "The tag" }).waitFor()
    expect(refusals).toBe(2)
  })

  it("that can't be renewed prompts for the password over the page, and loses no input", async () => {
    const user = await newMember("member")
    const context = await newContext()
    const page = await signIn(context, "suppression", user)
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill("kept.example")
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    // The cookie is deleted, and the server refuses the token.
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

  it("switches to another organization of the user, and stays there", async () => {
    const user = await newMember("member")
    await newOrganization("Other Ltd", user)
    const page = await signIn(await newContext(), "people", user)

    await switchTo(page, "Other Ltd")

    await page.getByRole("heading", { name: "Add a site" }).waitFor()
    await page.reload()
    await page.getByRole("button", { name: "Organization: Other Ltd" }).waitFor()
  })

  it("says if switching the organization or signing out failed", async () => {
    const user = await newMember("member")
    await newOrganization("Other Ltd", user)
    const page = await signIn(await newContext(), "pixels", user)
    await failing(page, "**/v1/auth/session**")

    await page.getByRole("button", { name: /^Organization: / }).click()
    await page.getByRole("button", { name: "Open Other Ltd" }).click()
    await page.getByRole("alert").getByText("The server failed.").waitFor()
    await page.getByRole("button", { name: "Close", exact: true }).click()

    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "You are still signed in" }).waitFor()
    await page.getByRole("alert").getByText("The server failed.").waitFor()
    await page.unroute("**/v1/auth/session**")
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
  })
})

describe("a session that has ended", needs("chromium"), () => {
  const newContext = useBrowser()

  it("is renewed only once, whatever the page requests, until someone signs in", async () => {
    const user = await newMember("member")
    const context = await newContext()
    await context.clock.install()
    const page = await signIn(context, "overview", user)
    await page.waitForLoadState("networkidle")
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/auth/session/refresh")) asked.push(request.url())
    })
    await context.clearCookies()
    const hourMs = 3_600_000
    await context.clock.fastForward(hourMs)
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
    // The overview requests its parts every 15 or 30 seconds.
    for (let n = 0; n < 10; n++) await context.clock.runFor(30_000)

    expect(asked).toHaveLength(1)
    await fillSignIn(page, user)
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor({ state: "detached" })
  })

  it("continues in its organization even after a wrong password, and loses no input", async () => {
    const user = await newMember("member")
    await newOrganization("Other Ltd", user)
    const context = await newContext()
    const page = await signIn(context, "people", user)
    await switchTo(page, "Other Ltd")
    await page.getByRole("link", { name: "Suppression" }).click()
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill("kept.example")
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    await context.clearCookies()
    await refuseOnce(page, "**/v1/data/suppression-rules**")
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
    expect(await page.getByLabel("Email").inputValue()).toBe(user.email)
    let attempts = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/auth/session")) attempts += 1
    })

    await fillSignIn(page, { ...user, password: "not the password" })
    await page.getByRole("alert").getByText("Wrong email or password.").waitFor()
    await fillSignIn(page, user)

    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor({ state: "detached" })
    expect(attempts).toBe(2)
    expect(await page.getByLabel("Values").inputValue()).toBe("kept.example")
    await page
      .getByRole("button", { name: "Organization: Other Ltd", includeHidden: true })
      .waitFor()
  })

  it("shows another user who signs in nothing from the previous one", async () => {
    const [first, second] = [await newMember("member"), await newMember("member")]
    const context = await newContext()
    const page = await signIn(context, "suppression", first)
    await page.getByRole("button", { name: "Add rules" }).first().click()
    await page.getByLabel("Values").fill("of-the-first.example")
    await page.getByLabel("Type", { exact: true }).selectOption("domain")
    await context.clearCookies()
    await refuseOnce(page, "**/v1/data/suppression-rules**")
    await page.getByRole("button", { name: "Add 1 rule" }).click()
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()

    await fillSignIn(page, second)

    await page.getByText(second.email).waitFor()
    expect(await page.getByText(first.email).count()).toBe(0)
    expect(await page.getByLabel("Values").count()).toBe(0)
  })
})

describe("the start of the console", needs("chromium"), () => {
  const newContext = useBrowser()

  it("sends no renewal from a browser that never had a session, or whose session ended", async () => {
    const page = await (await newContext()).newPage()
    const renewals: Array<string> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/session/refresh")) renewals.push(request.url())
    })
    await page.goto(address("topics"))
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
    await fillSignIn(page, stage.owner)
    await page.locator("#content").waitFor()
    expect(renewals).toEqual([])

    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
    await page.reload()

    await page.getByRole("heading", { name: "See who came by." }).waitFor()
    expect(renewals).toEqual([])
  })

  it("shows the sign-in form while its renewal is limited, and continues when the server allows it", async () => {
    const context = await newContext()
    await signIn(context, "pixels")
    const page = await context.newPage()
    let asked = 0
    await page.route("**/v1/auth/session/refresh", (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      return route.fulfill({
        status: 429,
        headers: { "retry-after": "4" },
        json: { error: { code: "RATE_LIMITED", message: "Too often." }, meta: {} },
      })
    })
    await page.goto(address("pixels"))

    await page.getByText("looks for your session again in 4 seconds").waitFor()
    await page.getByLabel("Password").waitFor()
    await page.getByRole("table", { name: "Sites" }).waitFor()
    expect(asked).toBe(2)
  })
})
