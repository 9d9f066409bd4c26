// Signing in to the console at the external issuer (spec 7.5), with a real OpenID provider: who gets signed in, and
// which attacks fail.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type OpenIdProvider, startOpenIdProvider } from "../support/openid-provider.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let provider: OpenIdProvider
let server: TestServer
/** Its provider is down at first. It registers the server as a public client. */
let other: { readonly provider: OpenIdProvider; readonly server: TestServer }

const callbackOf = (of: TestServer) => `${of.url}/v1/auth/external/callback`

beforeAll(async () => {
  provider = await startOpenIdProvider()
  vi.stubEnv("OIDC_ISSUER", provider.url)
  vi.stubEnv("OIDC_CLIENT_ID", "footfall-console")
  vi.stubEnv("OIDC_CLIENT_SECRET", "a secret: 100 % & more")
  vi.stubEnv("OIDC_NAME", `Acme "<SSO>"`)
  server = await startServer({ workers: false })
  provider.serve({
    clientId: "footfall-console",
    clientSecret: "a secret: 100 % & more",
    redirectUri: callbackOf(server),
  })
  const silent = await startOpenIdProvider()
  vi.stubEnv("OIDC_ISSUER", silent.url)
  vi.stubEnv("OIDC_CLIENT_SECRET", "")
  vi.stubEnv("OIDC_NAME", "")
  other = { provider: silent, server: await startServer({ workers: false, rateLimits: true }) }
})
afterAll(async () => {
  await other?.server.close()
  await server?.close()
  await other?.provider.close()
  await provider?.close()
})

/** Keeps cookies by origin and follows redirects when asked to. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()

  cookiesOf(url: string): Map<string, string> {
    const { origin } = new URL(url)
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, cookies)
    return cookies
  }

  /** Sends one request, without following redirects. */
  async open(url: string, headers: Readonly<Record<string, string>> = {}) {
    const cookies = this.cookiesOf(url)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, { redirect: "manual", headers: { cookie, ...headers } })
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/Max-Age=0|Thu, 01 Jan 1970/i.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get("location")
    return {
      status: response.status,
      setCookies: response.headers.getSetCookie(),
      headers: response.headers,
      text: await response.text(),
      location: location === null ? "" : new URL(location, url).href,
    }
  }

  /** Goes from the server's start page to the address the issuer sends the browser to, without opening it. */
  async toCallback(at: TestServer = server): Promise<string> {
    let { location } = await this.open(`${at.url}/v1/auth/external`)
    for (let hops = 0; !location.startsWith(at.url) && hops < 10; hops++) {
      ;({ location } = await this.open(location))
    }
    expect(location.split("?")[0]).toBe(callbackOf(at))
    return location
  }

  async signIn(at: TestServer = server) {
    return this.open(await this.toCallback(at))
  }
}

const asVerified = (email: string) => ({ email, email_verified: true })

const sessionOf = async (browser: Browser, at: TestServer = server) => {
  const cookie = `footfall_session=${browser.cookiesOf(at.url).get("footfall_session")}`
  const call = caller(at)
  const renewed = await call("POST /v1/auth/session/refresh", {}, { headers: { cookie } })
  expect(renewed.status).toBe(200)
  const { accessToken: token } = renewed.body.data as { readonly accessToken: string }
  return (await call("GET /v1/auth/me", undefined, { token })).body.data as {
    readonly user: { readonly email: string }
    readonly organization: { readonly id: string }
    readonly role: string
  }
}

/** Expects the page that says why sign-in failed. No session was started. */
const expectRefusal = (
  { headers, setCookies, status, text }: Awaited<ReturnType<Browser["open"]>>,
  expected: { readonly status: number; readonly text: string },
) => {
  expect(text).toContain("You are not signed in")
  expect(text).toContain(expected.text)
  expect(status).toBe(expected.status)
  expect(headers.get("content-type")).toContain("text/html")
  expect(headers.get("content-security-policy")).toContain("default-src 'none'")
  expect(setCookies.join()).not.toContain("footfall_session")
}

describe("a member who signs in at the issuer", () => {
  it("gets a console session like any other, and an entry in the audit log", async () => {
    const { email, userId } = await server.makeUser("viewer")
    provider.account = asVerified(` ${email.toUpperCase()}`)
    const browser = new Browser()

    const { location, setCookies, status } = await browser.signIn()

    expect([status, location]).toEqual([303, `${server.url}/console/signed-in`])
    const session = setCookies.find((text) => text.startsWith("footfall_session="))
    expect(session?.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/v1/auth",
      "SameSite=Strict",
    ])
    expect(await sessionOf(browser)).toMatchObject({
      user: { email },
      organization: { id: server.organizationId },
      role: "viewer",
    })
    const entries = await server.sql(
      "select action from audit_entry where target_id = $1 order by id",
      [userId],
    )
    expect(entries.map(({ action }) => action)).toEqual(["user.logged_in", "user.token_refreshed"])
  })

  it("gets into the organization of the org claim", async () => {
    const { email, userId } = await server.makeUser("viewer")
    const { organizationId } = await server.makeOrganization()
    await server.sql(
      "insert into member (organization_id, user_id, role, accepted_at) values ($1, $2, 'owner', now() + interval '1 second')",
      [organizationId, userId],
    )
    const audit = () =>
      server.sql("select organization_id from audit_entry where target_id = $1", [userId])

    provider.account = { ...asVerified(email), org: organizationId }
    expect((await new Browser().signIn()).status).toBe(303)
    expect(await audit()).toEqual([{ organization_id: organizationId }])
  })

  it("accepts the open invitation, since the issuer vouches for the address", async () => {
    const { email, userId } = await server.makeUser("member")
    await server.sql("update member set accepted_at = null where user_id = $1", [userId])
    provider.account = asVerified(email)
    const browser = new Browser()

    expect((await browser.signIn()).status).toBe(303)
    expect((await sessionOf(browser)).role).toBe("member")
  })

  it("is sent there with PKCE, state and nonce, and the browser keeps what only it may know", async () => {
    const { location, setCookies, status } = await new Browser().open(
      `${server.url}/v1/auth/external?returnTo=https://evil.example&redirect_uri=https://evil.example`,
      { "sec-fetch-site": "same-origin" },
    )

    expect(status).toBe(303)
    const url = new URL(location)
    expect(url.origin).toBe(provider.url)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "footfall-console",
      response_type: "code",
      scope: "openid email",
      redirect_uri: callbackOf(server),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    })
    expect(setCookies[0]).toMatch(/^footfall_external=[\w-]{43}\.[\w-]{43}\.[\w-]{43};/)
    expect(setCookies[0]!.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=600",
      "Path=/v1/auth/external",
      "SameSite=Lax",
    ])
  })
})

describe("no one is signed in", () => {
  it.each([
    [
      "whose address the issuer has not verified",
      { email: "x@tidewater.example", email_verified: false },
      { status: 403, text: "has not verified your email address" },
    ],
    [
      "whose address is verified by a text",
      { email: "x@tidewater.example", email_verified: "true" },
      { status: 403, text: "has not verified your email address" },
    ],
    [
      "who has no address",
      { email_verified: true },
      { status: 403, text: "has not verified your email address" },
    ],
    [
      "whose address no member has",
      asVerified("stranger@tidewater.example"),
      { status: 403, text: "No Footfall user has the email address" },
    ],
    ["who cancels", undefined, { status: 403, text: "you canceled" }],
  ])("%s", async (_, account, expected) => {
    provider.account = account

    const answer = await new Browser().signIn()

    expectRefusal(answer, expected)
    // The operator's name for the issuer is shown as text.
    expect(answer.text).not.toContain("<SSO>")
    expect(answer.text).toContain("Acme &quot;&lt;SSO&gt;&quot;")
  })

  it("for an organization they are not in", async () => {
    const { email } = await server.makeUser("viewer")
    provider.account = { ...asVerified(email), org: randomUUID() }

    expectRefusal(await new Browser().signIn(), { status: 403, text: "No Footfall user has" })
  })
})

describe("an attacker", () => {
  const victimOf = async () => {
    const { email } = await server.makeUser("owner")
    provider.account = asVerified(email)
  }
  const expired = { status: 400, text: "Start again" }

  it("cannot sign someone in with a link to the end of their own sign-in: it is bound to the browser", async () => {
    await victimOf()
    const link = await new Browser().toCallback()
    const begun = new Browser()
    await begun.open(`${server.url}/v1/auth/external`)

    expectRefusal(await new Browser().open(link), expired)
    expectRefusal(await begun.open(link), expired)
  })

  it("cannot use a code twice, nor with the previous cookie", async () => {
    await victimOf()
    const browser = new Browser()
    const link = await browser.toCallback()
    const attempt = browser.cookiesOf(server.url).get("footfall_external")!
    expect((await browser.open(link)).status).toBe(303)

    // The cookie is deleted after its first use.
    expect(browser.cookiesOf(server.url).has("footfall_external")).toBe(false)
    expectRefusal(await browser.open(link), expired)
    browser.cookiesOf(server.url).set("footfall_external", attempt)
    expectRefusal(await browser.open(link), expired)
  })

  it.each([
    ["nonce", 1, { status: 403, text: "does not accept" }],
    ["PKCE verifier", 2, expired],
  ])("cannot finish a sign-in with another %s", async (_, part, expected) => {
    await victimOf()
    const browser = new Browser()
    const link = await browser.toCallback()
    const cookies = browser.cookiesOf(server.url)
    const parts = cookies.get("footfall_external")!.split(".")
    parts[part] = parts[part]!.replace(/^.{4}/, "AAAA")
    cookies.set("footfall_external", parts.join("."))

    expectRefusal(await browser.open(link), expected)
  })

  it("cannot mix up issuers, add parameters or put text into the page", async () => {
    await victimOf()
    for (const change of [
      (url: URL) => url.searchParams.set("iss", "https://evil.example"),
      (url: URL) => url.searchParams.append("code", "another"),
      (url: URL) => url.searchParams.set("code", "<script>alert(1)</script>"),
    ]) {
      const browser = new Browser()
      const url = new URL(await browser.toCallback())
      change(url)
      const answer = await browser.open(url.href)

      expect([400, 403]).toContain(answer.status)
      expectRefusal(answer, { status: answer.status, text: "Back to sign-in" })
      expect(answer.text).not.toMatch(/evil|alert/)
    }
  })

  it.each(["cross-site", "same-site"])(
    "starts no sign-in from a page of another origin: a %s request gets a page that asks",
    async (site) => {
      const { setCookies, status, text } = await new Browser().open(
        `${server.url}/v1/auth/external`,
        { "sec-fetch-site": site },
      )

      expect(status).toBe(200)
      expect(setCookies).toEqual([])
      expect(text).toContain(`<a href="${server.url}/v1/auth/external">`)
    },
  )
})

it("the console's page contains the issuer's name as text", async () => {
  const { text } = await new Browser().open(`${server.url}/console/people`)

  expect(text).toContain(`<meta name="footfall-issuer" content="Acme &quot;&lt;SSO&gt;&quot;">`)
})

describe("an issuer that is down", () => {
  const unreachable = { status: 503, text: "is not responding" }

  it("shows an error page at the start, and once it is up a public client is signed in, by its user info", async () => {
    const { provider, server } = other
    const start = await new Browser().open(`${server.url}/v1/auth/external`)
    expectRefusal(start, unreachable)
    expect(start.text).toContain(new URL(provider.url).host)
    expect(start.setCookies).toEqual([])

    provider.serve({
      clientId: "footfall-console",
      redirectUri: callbackOf(server),
      isEmailElsewhere: true,
    })
    const { email } = await server.makeUser("admin")
    provider.account = asVerified(email)
    const browser = new Browser()
    expect((await browser.signIn(server)).status).toBe(303)
    expect((await sessionOf(browser, server)).user.email).toBe(email)

    provider.account = { email, email_verified: false }
    expectRefusal(await new Browser().signIn(server), { status: 403, text: "has not verified" })
  })

  it("shows an error page at the end too", async () => {
    const { provider, server } = other
    provider.account = asVerified("someone@tidewater.example")
    const browser = new Browser()
    const link = await browser.toCallback(server)
    await provider.close()

    expectRefusal(await browser.open(link), unreachable)
  })

  it("gets no requests for an address that tries too often", async () => {
    const { server } = other
    const browser = new Browser()
    let answer = await browser.open(`${server.url}/v1/auth/external`)
    for (let tries = 0; answer.status !== 429 && tries < 12; tries++) {
      answer = await browser.open(`${server.url}/v1/auth/external`)
    }

    expectRefusal(answer, { status: 429, text: "Wait a minute" })
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  })
})
