// A user's own account: terminal sign-in, password, organizations. Also the audit log and imports
// in Settings.
import { Footfall } from "@footfall/sdk"
import { describe, expect, it } from "vitest"
import {
  address,
  demoPixel,
  fillSignIn,
  footfall,
  newMember,
  signIn,
  stage,
  useBrowser,
  useSignedIn,
} from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const anyone = new Footfall({ baseUrl: stage.url }).auth

describe("a terminal", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("is signed in after its user signs in and approves, with the code from the URL", async () => {
    const user = await newMember("viewer")
    const login = await anyone.startDeviceLogin({ clientName: "footfall on lee-laptop" })
    const page = await (await newContext()).newPage()
    await page.goto(login.verificationUriComplete)
    await fillSignIn(page, user)

    const request = page.getByRole("region", { name: "Request" })
    await request.getByText("footfall on lee-laptop").waitFor()
    await request.getByText("127.0.0.1").waitFor()
    await request.getByText(login.userCode).waitFor()
    await request.getByRole("button", { name: "Approve" }).click()
    await page.getByText("The terminal is signed in").waitFor()

    const { accessToken } = await anyone.deviceTokens({ deviceCode: login.deviceCode })
    const me = await new Footfall({ baseUrl: stage.url, accessToken }).auth.me()
    expect(me.user.email).toBe(user.email)
  })

  it("is denied, with a typed code", async () => {
    const login = await anyone.startDeviceLogin({ clientName: `<img src=x onerror="ran=1">` })
    const page = await open("device")
    await page.getByLabel("Code").fill(login.userCode.toLowerCase().replace("-", ""))
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByText(`<img src=x onerror="ran=1">`).waitFor()
    await page.getByRole("button", { name: "Deny" }).click()
    await page.getByText("You denied the request").waitFor()

    await expect(anyone.deviceTokens({ deviceCode: login.deviceCode })).rejects.toThrow("denied")
  })

  it("that is not waiting is not found, and another code can be entered", async () => {
    const page = await signIn(await newContext(), "device#BBBB-BBBB")
    await page.getByText("No terminal is waiting with this code").waitFor()
    await page.getByRole("button", { name: "Enter another code" }).click()
    await page.getByLabel("Code").waitFor()
  })
})

describe("the account", needs("chromium"), () => {
  const newContext = useBrowser()

  it("changes the password; this session continues and others end", async () => {
    const user = await newMember("viewer")
    const { refreshToken } = await anyone.login(user)
    const page = await signIn(await newContext(), "settings/account", user)
    const form = page.getByRole("form", { name: "Password" })
    await form.getByLabel("Current password").fill("not the password")
    await form.getByLabel("New password").fill("another long password")
    await form.getByRole("button", { name: "Change password" }).click()
    await form.getByText("This is not your current password.").waitFor()
    expect(await form.getByLabel("New password").inputValue()).toBe("another long password")

    await form.getByLabel("Current password").fill(user.password)
    await form.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Changed your password").waitFor()

    await expect(anyone.refresh({ refreshToken })).rejects.toThrow()
    await anyone.login({ email: user.email, password: "another long password" })
    await page.reload()
    await page.getByRole("form", { name: "Password" }).waitFor()
  })

  it("shows the sessions, ends one, and then all others", async () => {
    const user = await newMember("viewer")
    const program = await fetch(`${stage.url}/v1/auth/login`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `<img/src=x/onerror="ran=1">`,
      },
      body: JSON.stringify(user),
    })
    const { data } = await program.json()
    const other = await anyone.login(user)
    const page = await signIn(await newContext(), "settings/account", user)
    const sessions = page.getByRole("region", { name: "Sessions" })
    const here = sessions.getByRole("listitem").filter({ hasText: "this session" })
    await here.getByText("Chrome on Linux").waitFor()
    // Accepting the invitation started one too.
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(4)

    const name = `End the session of <img/src=x/onerror="ran=1">`
    await sessions.getByRole("button", { name }).click()
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(3)
    await expect(anyone.refresh({ refreshToken: data.refreshToken })).rejects.toThrow()
    expect(await page.locator("img").count()).toBe(0)

    await sessions.getByRole("button", { name: "End other sessions…" }).click()
    await page.getByRole("button", { name: "End other sessions", exact: true }).click()
    await page.getByText("Ended 2 other sessions").waitFor()
    await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1)
    await expect(anyone.refresh({ refreshToken: other.refreshToken })).rejects.toThrow()
    await page.reload()
    await here.waitFor()
  })

  it("signs out everywhere", async () => {
    const user = await newMember("viewer")
    const { refreshToken } = await anyone.login(user)
    const page = await signIn(await newContext(), "settings/account", user)
    await page.getByRole("button", { name: "Sign out everywhere…" }).click()
    await page.getByRole("button", { name: "Sign out everywhere", exact: true }).click()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()

    await expect(anyone.refresh({ refreshToken })).rejects.toThrow()
  })

  it("opens another organization", async () => {
    const user = await newMember("viewer")
    const { accessToken } = await anyone.login(user)
    const slug = `second-${crypto.randomUUID().slice(0, 8)}`
    const asUser = new Footfall({ baseUrl: stage.url, accessToken })
    await asUser.organizations.create({ name: "Second Ltd", slug })
    const page = await signIn(await newContext(), "settings/account", user)
    await page.getByRole("button", { name: "Open Second Ltd" }).click()

    await page.getByRole("button", { name: "Organization: Second Ltd" }).waitFor()
  })

  it("sends a wrong password to the server once", async () => {
    const page = await (await newContext()).newPage()
    let asked = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/auth/session")) asked += 1
    })
    await page.goto(address("people"))
    await fillSignIn(page, { email: stage.owner.email, password: "not the password" })
    await page.getByRole("alert").waitFor()

    expect(asked).toBe(1)
  })

  it("says who can help if the password is forgotten and the server sends no email", async () => {
    const page = await (await newContext()).newPage()
    await page.goto(address("people"))
    await page.getByRole("link", { name: "Forgot your password?" }).click()
    // The page to sign in has a field of the same name.
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor()
    await page.getByLabel("Email").fill("ida@footfall.example")
    await page.getByRole("button", { name: "Send link" }).click()

    await page.getByText("footfall-server members reset ida@footfall.example").waitFor()
  })
})

describe("settings", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("show an admin who changed what, by action and by user", async () => {
    const admin = await newMember("admin")
    const { accessToken } = await anyone.login(admin)
    const asAdmin = new Footfall({ baseUrl: stage.url, accessToken })
    const { apiKey } = await asAdmin.apiKeys.create({ name: "Audited" })
    const page = await signIn(await newContext(), "settings/audit", admin)
    await page.getByLabel("Action or resource").fill("api_key")
    await expect.poll(() => page.url()).toContain("action=api_key")
    const row = page.getByRole("row", { name: new RegExp(admin.email) })
    await row.getByText("API key created").waitFor()
    await row.getByText("api_key.created").waitFor()
    expect(await row.getByTitle(apiKey.id).count()).toBe(1)
    await row.getByText("Audited", { exact: true }).waitFor()
    await row.getByRole("link", { name: admin.email }).click()
    await expect.poll(() => page.getByRole("row").count()).toBe(2)
    await page.getByRole("button", { name: "Show everyone's changes" }).click()
    await page.getByLabel("From").fill("2200-01-01")
    await page.getByText("No changes match these filters.").waitFor()
  })

  it("hide renewals of sessions until someone looks for them, and then join them into one row", async () => {
    const admin = await newMember("admin")
    const page = await signIn(await newContext(), "settings/audit", admin)
    for (let loads = 0; loads < 3; loads++) {
      await page.getByRole("table").waitFor()
      await page.reload()
    }
    await page.getByRole("table").getByRole("link", { name: admin.email }).first().click()
    await expect.poll(() => page.url()).toContain("actor=")
    await page.getByRole("row", { name: /user\.logged_in/ }).waitFor()
    const renewals = page.getByRole("row", { name: /user\.token_refreshed/ })
    expect(await renewals.count()).toBe(0)
    await page.getByLabel("Action or resource").fill("user")
    await renewals.getByText(/× [3-9]/).waitFor()
    expect(await renewals.count()).toBe(1)
    await page.getByRole("row", { name: /user\.logged_in/ }).waitFor()
  })

  it("reject a day that does not exist instead of showing another one", async () => {
    const context = await newContext()
    const page = await signIn(context, "settings/audit?until=2026-02-31", await newMember("admin"))
    await page.getByText("2026-02-31 is not a valid date. Choose another day.").waitFor()
    expect(await page.getByLabel("To").getAttribute("aria-invalid")).toBe("true")
    expect(await page.getByRole("table").count()).toBe(0)
    await page.getByLabel("To").fill("2200-01-01")
    await page
      .getByRole("row", { name: /user.logged_in/ })
      .first()
      .waitFor()
  })

  it("set the time zone of an organization, and say at the field if there is none of that name", async () => {
    const user = await newMember("viewer")
    const { accessToken } = await anyone.login(user)
    const slug = `clock-${crypto.randomUUID().slice(0, 8)}`
    const asUser = new Footfall({ baseUrl: stage.url, accessToken })
    const { id } = await asUser.organizations.create({ name: "Clockwork", slug })
    const page = await signIn(await newContext(), "settings/account", user)
    await page.getByRole("button", { name: "Open Clockwork" }).click()
    await page.getByRole("button", { name: "Organization: Clockwork" }).waitFor()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByRole("link", { name: "Organization", exact: true }).click()
    const zone = page.getByLabel("Time zone")
    expect(await zone.inputValue()).toBe("UTC")

    await zone.fill("Mars/Olympus")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("This is not a time zone.").waitFor()
    await zone.fill("asia/kolkata")
    await page.getByRole("button", { name: "Save" }).click()

    await page.getByText("Saved the organization").waitFor()
    expect(await zone.inputValue()).toBe("Asia/Kolkata")
    const { accessToken: there } = await anyone.login({ ...user, organizationId: id })
    const me = await new Footfall({ baseUrl: stage.url, accessToken: there }).auth.me()
    expect(me.organization.timeZone).toBe("Asia/Kolkata")
  })

  it("import a file, and say which rows were rejected", async () => {
    const email = `import-${crypto.randomUUID().slice(0, 8)}@harbor.example`
    const page = await open("settings/imports")
    await page.getByLabel("File").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`email,firstName\n${email},Ida\nnot an address,Bo\n`),
    })
    await page.getByRole("button", { name: "Import" }).click()
    const result = page.getByRole("region", { name: "Result" }).or(page.getByRole("status"))
    await result.getByText("2 rows read").waitFor()
    await result.getByText("invalid value").waitFor()
    await page.getByText(/^people.csv: 1 new/).waitFor()
  })

  it("say what is wrong with a file and keep it selected", async () => {
    const page = await open("settings/imports")
    await page.getByLabel("File").setInputFiles({
      name: "wrong.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("nothing,useful\n1,2\n"),
    })
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByRole("alert").getByText("The import stopped").waitFor()
    expect(await page.getByRole("button", { name: "Import" }).isEnabled()).toBe(true)
  })

  it("show a viewer only the organization, its erasures and the account", async () => {
    const page = await signIn(await newContext(), "settings/account", await newMember("viewer"))
    const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link")
    await tabs.first().waitFor()
    expect(await tabs.allTextContents()).toEqual(["Organization", "Erasures", "Account"])
  })
})

describe("write keys", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = useSignedIn(newContext)

  it("are created, shown once with a snippet, rotated with a grace period, and revoked", async () => {
    const pixel = await footfall.pixels.create({
      domain: `keys-${crypto.randomUUID().slice(0, 8)}.example`,
    })
    const page = await open(`pixels/${pixel.id}`)
    const sources = page.getByRole("region", { name: "Sources" })
    await sources.getByRole("button", { name: "Create a write key" }).click()
    await page.getByLabel("Name").fill("Warehouse")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    const key = page.getByLabel("write key", { exact: true })
    const writeKey = await key.textContent()
    expect(writeKey).toMatch(/^wk_\w{43}$/)
    await page.getByRole("button", { name: "Copy write key" }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(writeKey)
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Send events from").selectOption("rudderstack")
    expect(await dialog.getByLabel("snippet", { exact: true }).textContent()).toContain(writeKey)
    await page.getByRole("button", { name: "I saved it" }).click()
    expect(await page.getByText(writeKey!).count()).toBe(0)

    const { status } = await fetch(`${stage.url}/v1/track`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${writeKey}:`)}` },
      body: JSON.stringify({ userId: "u_1", event: "Tested" }),
    })
    expect(status).toBe(200)

    await sources.getByRole("button", { name: "Rotate Warehouse" }).click()
    await page.getByLabel("This key ends").selectOption("1")
    await page.getByRole("button", { name: "Create new key" }).click()
    await page.getByRole("button", { name: "I saved it" }).click()
    await sources.getByText("ends soon").waitFor()
    const keys = await footfall.pixels.writeKeys.list(pixel.id)
    expect(keys.map(({ expiresAt }) => expiresAt === null)).toEqual([true, false])
    for (const button of [0, 0]) {
      await sources.getByRole("button", { name: "Revoke Warehouse" }).nth(button).click()
      await page.getByRole("button", { name: "Revoke", exact: true }).click()
      await page.getByText("Revoked Warehouse").first().waitFor()
      await page.getByRole("dialog").waitFor({ state: "detached" })
    }
    await expect.poll(() => sources.getByText("revoked").count()).toBe(2)
  })

  it("show the user ids that strangers share, and release them", async () => {
    const pixel = await footfall.pixels.create({
      domain: `shared-${crypto.randomUUID().slice(0, 8)}.example`,
    })
    const { writeKey } = await footfall.pixels.writeKeys.create(pixel.id, { name: "Backend" })
    const sent = Array.from({ length: 21 }, (_, index) => ({
      type: "identify",
      userId: "demo-account",
      anonymousId: crypto.randomUUID(),
      traits: index < 4 ? { email: `shared-${index}@tidewater.example` } : {},
    }))
    await fetch(`${stage.url}/v1/batch`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${writeKey}:`)}` },
      body: JSON.stringify({ batch: sent }),
    })
    await expect
      .poll(async () => (await footfall.pixels.sharedUserIds.list(pixel.id)).length)
      .toBe(1)

    const page = await open(`pixels/${pixel.id}`)
    await page.getByRole("button", { name: "Release demo-account" }).click()
    await page.getByText("Released demo-account").waitFor()
    await expect.poll(() => page.getByRole("region", { name: "Shared user ids" }).count()).toBe(0)
    expect(await footfall.pixels.sharedUserIds.list(pixel.id)).toEqual([])
  })

  it("are not shown to a viewer", async () => {
    const pixel = await demoPixel()
    const page = await signIn(await newContext(), `pixels/${pixel.id}`, await newMember("viewer"))
    await page.getByRole("heading", { name: "The tag" }).waitFor()
    expect(await page.getByRole("region", { name: "Sources" }).count()).toBe(0)
  })
})
