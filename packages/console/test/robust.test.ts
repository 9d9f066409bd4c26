// The console under unusual conditions: a server below a path prefix, one that sends email, one
// that restarts, and one that is off. Also how many requests it makes and how large they are.
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startSmtp, type SmtpReceiver } from "../../server/test/mail/smtp-server.ts"
import {
  type OpenIdProvider,
  startOpenIdProvider,
} from "../../server/test/support/openid-provider.ts"
import {
  address,
  demoPerson,
  demoPixel,
  fillSignIn,
  refuseOnce,
  signIn,
  stage,
  useBrowser,
} from "./support/console.ts"
import { OwnServer } from "./support/own-server.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

// Tests for this kind of server share one, because each start from scratch takes four seconds of
// processor time.
let server: OwnServer
let smtp: SmtpReceiver
let issuer: OpenIdProvider
beforeAll(async () => {
  ;[smtp, issuer] = await Promise.all([startSmtp(), startOpenIdProvider()])
  vi.stubEnv("OIDC_ISSUER", issuer.url)
  vi.stubEnv("OIDC_CLIENT_ID", "console")
  vi.stubEnv("OIDC_NAME", "Tidewater ID")
  server = await OwnServer.start({ basePath: "/footfall", smtpUrl: smtp.url })
  issuer.serve({
    clientId: "console",
    redirectUri: `${server.url}/v1/auth/external/callback`,
  })
})
afterAll(async () => {
  await server?.stop()
  await smtp?.close()
  await issuer?.close()
})

describe("a server below a prefix", needs("chromium"), () => {
  const newContext = useBrowser()
  const open = async (path: string): Promise<Page> => {
    const page = await (await newContext()).newPage()
    await page.goto(`${server.url}/console/${path}`)
    return page
  }

  it("can be signed in to, browsed and written to", async () => {
    const page = await open("")
    const outside: Array<string> = []
    page.on("request", (request) => {
      if (!request.url().startsWith(`${server.url}/`)) outside.push(request.url())
    })
    await fillSignIn(page, server.owner)
    await page.getByRole("link", { name: "Sites" }).click()
    await page.getByRole("button", { name: "Add a site" }).first().click()
    await page.getByLabel("Domain").fill("prefixed.example")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("heading", { name: "prefixed.example" }).waitFor()
    expect(page.url()).toMatch(/\/footfall\/console\/pixels\/[0-9a-f-]{36}/)
    await page.reload()
    await page.getByRole("heading", { name: "prefixed.example" }).waitFor()
    const cookies = await page.context().cookies(`${server.url}/v1/auth/session`)
    expect(cookies.map(({ path }) => path)).toEqual(["/footfall/v1/auth"])
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
    expect(outside).toEqual([])
  })

  it("emails a link to set a new password", async () => {
    const page = await open("reset")
    await page.getByLabel("Email").fill(server.owner.email)
    await page.getByRole("button", { name: "Send link" }).click()
    await page.getByText("a link is on its way").waitFor()
    await expect.poll(() => smtp.mails.length).toBe(1)
    const [link = ""] = /http\S+\/console\/reset#\S+/.exec(String(smtp.mails[0]?.text)) ?? []
    expect(link).toMatch(`${server.url}/console/reset#pwr_`)

    const asked: Array<string> = []
    const other = await (await newContext()).newPage()
    other.on("request", (request) => asked.push(request.url()))
    await other.goto(link)
    await other.getByLabel("New password").fill("a new long password")
    await other.getByRole("button", { name: "Set password" }).click()
    await other.getByText("You were signed out everywhere").waitFor()
    expect(asked.join(" ").split("#", 1)[0]).not.toContain("pwr_")
    await other.getByRole("link", { name: "Back to sign in" }).click()
    await fillSignIn(other, { ...server.owner, password: "a new long password" })
    await other.locator("#content").waitFor()

    // The link works once.
    const again = await (await newContext()).newPage()
    await again.goto(link)
    await again.getByLabel("New password").fill("yet another password")
    await again.getByRole("button", { name: "Set password" }).click()
    await again
      .getByRole("alert")
      .getByText(/invalid, expired or already used/)
      .waitFor()
  })

  it("emails an alert to the chosen members, each with a link that unsubscribes", async () => {
    const page = await open("webhooks")
    await fillSignIn(page, { ...server.owner, password: "a new long password" })
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    await page.getByLabel("Name").fill("Weekly companies")
    await page.getByLabel("Format").selectOption("email")
    expect(await page.getByLabel("URL").count()).toBe(0)
    await page.getByRole("group", { name: "Recipients" }).getByLabel(server.owner.email).check()
    await page.getByLabel("How often").selectOption("weekly")
    await page.getByLabel("On", { exact: true }).selectOption("5")
    await page.getByLabel("At", { exact: true }).selectOption("9")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText("Created alert Weekly companies").waitFor()
    await page.getByRole("link", { name: "Weekly companies" }).click()
    await page.getByText("Email to members, one message a week, Friday at 09:00").waitFor()
    await page.getByText("1 member", { exact: true }).last().waitFor()

    const { length } = smtp.mails
    await page.getByRole("button", { name: "Send a sample event" }).click()
    await page.getByRole("region", { name: "Test" }).getByText("received").waitFor()
    const mail = smtp.mails.slice(length).find(({ to }) => to?.[0]?.address === server.owner.email)
    const [link = ""] = /http\S+unsubscribe\S+/.exec(String(mail?.text)) ?? []
    expect(link.startsWith(`${server.url}/unsubscribe?token=`)).toBe(true)

    const signedOut = await (await newContext()).newPage()
    await signedOut.goto(link)
    await signedOut.getByRole("button", { name: "Unsubscribe" }).click()
    await signedOut.getByRole("heading", { name: "You are unsubscribed" }).waitFor()
    await page.reload()
    await page.getByText("0 members").last().waitFor()
    await page.getByRole("region", { name: "webhook", exact: true }).getByText("inactive").waitFor()
  })

  it("can be signed in to at the issuer, which sends the user back to the requested page", async () => {
    const page = await open("webhooks?window=7d")
    issuer.account = undefined
    await page.getByRole("link", { name: "Continue with Tidewater ID" }).click()
    await page.getByText("Tidewater ID did not sign you in").waitFor()
    await page.getByRole("link", { name: "Back to sign-in" }).click()
    await page.getByRole("heading", { name: "See who came by." }).waitFor()
    expect(new URL(page.url()).pathname).toBe("/footfall/console/")

    await page.goto(`${server.url}/console/webhooks?window=7d`)
    issuer.account = { email: server.owner.email, email_verified: true }
    await page.getByRole("link", { name: "Continue with Tidewater ID" }).click()

    await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor()
    expect(page.url()).toBe(`${server.url}/console/webhooks?window=7d`)
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toMatch(/eyJ|rt_|footfall\.return/)
    await page.reload()
    await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor()
  })

  it("prompts over the page, accepts a sign-in at the issuer in a new tab, and loses no input", async () => {
    const page = await open("pixels")
    issuer.account = { email: server.owner.email, email_verified: true }
    await page.getByRole("link", { name: "Continue with Tidewater ID" }).click()
    await page.getByRole("button", { name: "Add a site" }).first().click()
    await page.getByLabel("Domain").fill("kept.example")
    await page.context().clearCookies()
    await refuseOnce(page, "**/v1/data/pixels")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()

    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Continue with Tidewater ID in a new tab" }).click(),
    ])

    await tab.getByRole("heading", { name: "You are signed in" }).waitFor()
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor({ state: "detached" })
    expect(await page.getByLabel("Domain").inputValue()).toBe("kept.example")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("heading", { name: "kept.example" }).waitFor()
  })
})

describe("a server that restarts", needs("chromium"), () => {
  const newContext = useBrowser()

  it("is waited for with a line at the top; input stays, and the page continues by itself", async () => {
    const page = await (await newContext()).newPage()
    await page.goto(`${server.url}/console/pixels`)
    // Not with the password, which another test changes.
    issuer.account = { email: server.owner.email, email_verified: true }
    await page.getByRole("link", { name: "Continue with Tidewater ID" }).click()
    await page.getByRole("button", { name: "Add a site" }).first().click()
    await page.getByLabel("Domain").fill("restarted.example")

    await server.stop()
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("alert").getByText("Can't reach the server.").waitFor()
    expect(await page.getByLabel("Domain").inputValue()).toBe("restarted.example")
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("link", { name: "Alerts" }).click()
    await page.getByText(/Can't reach the server\. You can keep reading/).waitFor()
    // The rail marks the new screen, so the old one is not below it.
    await page.getByRole("heading", { name: "Sites" }).waitFor({ state: "detached" })
    expect(await page.getByRole("link", { name: "Alerts" }).getAttribute("aria-current")).toBe(
      "page",
    )

    await server.resume()
    await page.getByText(/You can keep reading/).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Create an alert" }).first().waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
  })
})

describe("a server with rate limits", needs("chromium"), () => {
  const newContext = useBrowser()

  it("lets one browser open ten tabs within a minute", async () => {
    await server.stop()
    await server.resume({ rateLimits: true })
    const page = await (await newContext()).newPage()
    await page.goto(`${server.url}/console/pixels`)
    issuer.account = { email: server.owner.email, email_verified: true }
    await page.getByRole("link", { name: "Continue with Tidewater ID" }).click()
    await page.getByRole("heading", { name: "Sites" }).waitFor()
    for (let n = 0; n < 10; n++) {
      await page.reload()
      await page.getByRole("heading", { name: "Sites" }).waitFor()
    }
  })
})

describe("a server with the console off", () => {
  it("does not serve it", async () => {
    await server.stop()
    await server.resume({ console: false })
    const paths = ["/console", "/console/", "/console/people", "/console/assets/index.js"]
    const answers = await Promise.all(
      [...paths, "/v1/auth/external"].map(async (path) => {
        const response = await fetch(server.url + path)
        const { error } = (await response.json()) as { readonly error: { readonly code: string } }
        return [response.status, error.code]
      }),
    )
    const front = await (await fetch(server.url, { headers: { accept: "text/html" } })).text()

    expect(answers).toEqual(Array.from({ length: 5 }, () => [404, "NOT_FOUND"]))
    expect(front).not.toContain("/console")
  })
})

describe("what the console requests", needs("chromium"), () => {
  const newContext = useBrowser()

  it("is requested once, and no response is above 200 KB", async () => {
    const { emailHash } = await demoPerson()
    const pixel = await demoPixel()
    const page = await signIn(await newContext(), "settings")
    await page.waitForLoadState("networkidle")
    const asked: Array<string> = []
    const large: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "GET") asked.push(request.url())
    })
    page.on("requestfinished", async (request) => {
      // Transferred size; scripts are compressed.
      const { responseBodySize } = await request.sizes()
      if (responseBodySize > 200 * 1024) large.push(`${request.url()} ${responseBodySize}`)
    })
    const faults: Array<string> = []
    for (const path of [
      ...["people", `people/${emailHash}`, "topics", "audiences", "suppression"],
      ...["webhooks", "pixels", `pixels/${pixel.id}`, "settings", "settings/members"],
      ...["settings/keys", "settings/audit", "settings/account"],
    ]) {
      asked.length = 0
      await page.goto(address(path))
      await page.waitForLoadState("networkidle")
      const api = asked.filter((url) => url.startsWith(`${stage.url}/v1/`))
      for (const url of new Set(api)) {
        const times = api.filter((each) => each === url).length
        if (times > 1) faults.push(`${path} asks ${url} ${times} times`)
      }
    }
    expect(faults).toEqual([])
    expect(large).toEqual([])
  })

  it("is not requested again when going back to a screen", async () => {
    const page = await signIn(await newContext(), "people")
    await page.getByRole("table", { name: "People" }).waitFor()
    await page.getByRole("link", { name: "Sites" }).click()
    await page.getByRole("table", { name: "Sites" }).waitFor()
    await page.waitForLoadState("networkidle")
    const asked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().includes("/v1/")) asked.push(request.url())
    })
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("table", { name: "People" }).getByRole("link").first().waitFor()
    await page.waitForLoadState("networkidle")

    expect(asked).toEqual([])
  })
})
