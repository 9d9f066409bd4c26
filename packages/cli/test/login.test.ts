// Signing in and staying signed in. The tokens are in the profile and nowhere else.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall, type Outcome } from "./fixtures/footfall.ts"
import { account, apiKey, me, organization } from "./fixtures/records.ts"

const password = "correct horse battery"

let api: FakeApi
let directory: string
let environment: NodeJS.ProcessEnv
/** Refresh tokens that the server issued. Only the last one is valid. */
let refreshTokens: Array<string>

/** A well-formed token with a number. */
const accessToken = (number: number): string => `header.claims.${number}`

const freshTokens = () => {
  refreshTokens.push(`rt_${refreshTokens.length + 1}`)
  return {
    accessToken: accessToken(refreshTokens.length),
    tokenType: "Bearer",
    expiresIn: 3600,
    refreshToken: refreshTokens.at(-1),
  }
}

const unauthenticated = {
  status: 401,
  error: { code: "AUTHENTICATION_ERROR", message: "The credentials are not valid." },
}

beforeEach(async () => {
  api = await FakeApi.start()
  directory = configDirectory()
  environment = { FOOTFALL_CONFIG_DIR: directory, FOOTFALL_BASE_URL: api.baseUrl }
  refreshTokens = []
  api.on("POST /v1/auth/login", ({ body }) =>
    JSON.parse(body).password === password ? { data: freshTokens() } : unauthenticated,
  )
  api.on("POST /v1/auth/refresh", ({ body }) =>
    JSON.parse(body).refreshToken === refreshTokens.at(-1)
      ? { data: freshTokens() }
      : unauthenticated,
  )
  api.on("POST /v1/auth/logout", () => ({ data: { loggedOut: true } }))
  api.on("GET /v1/auth/me", () => ({ data: me }))
  api.on("GET /v1/organizations", () => ({
    data: [organization],
    meta: { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null },
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: string, input = ""): Promise<Outcome> =>
  footfall(words.split(" "), { environment, input })

const login = (words = ""): Promise<Outcome> =>
  run(`login --email ${me.user.email} --password-stdin${words}`, `${password}\n`)

const file = (): string => join(directory, "config.json")

const stored = () => JSON.parse(readFileSync(file(), "utf8"))

/** Makes the access token expire. */
const expireToken = (): void => {
  const content = stored()
  content.profiles.default.session.expiresAt = "2026-03-11T09:00:00.000Z"
  writeFileSync(file(), JSON.stringify(content), { mode: 0o600 })
}

const tokensSent = (route: string): ReadonlyArray<string | undefined> =>
  api.seen(route).map(({ headers }) => headers.authorization)

describe("login", () => {
  test("saves the tokens in a new profile and prints neither them nor the password", async () => {
    const { exitCode, stdout, stderr } = await login()

    expect(stored()).toMatchObject({
      current: "default",
      profiles: {
        default: {
          baseUrl: api.baseUrl,
          session: { email: me.user.email, accessToken: accessToken(1), refreshToken: "rt_1" },
        },
      },
    })
    expect(JSON.parse(stdout).data).toMatchObject({ profile: "default", role: "owner" })
    for (const secret of [password, "rt_1", accessToken(1)]) {
      expect(stdout + stderr).not.toContain(secret)
    }
    expect(readFileSync(file(), "utf8")).not.toContain(password)
    expect(exitCode).toBe(0)
  })

  test("keeps the profile's API key", async () => {
    await run("profiles create default --api-key-stdin", apiKey)

    await login()

    expect(stored().profiles.default).toMatchObject({ apiKey, session: { refreshToken: "rt_1" } })
  })

  test("a profile that gets a key keeps its session", async () => {
    await login()

    await run("profiles update default --api-key-stdin", apiKey)

    expect(stored().profiles.default).toMatchObject({ apiKey, session: { refreshToken: "rt_1" } })
  })

  test("requests the given organization", async () => {
    await login(` --organization ${organization.id.toUpperCase()}`)

    const [asked] = api.seen("POST /v1/auth/login")
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      email: me.user.email,
      password,
      organizationId: organization.id,
    })
  })

  test.each([["kelp"], ["KELP"], ["The  kelp farm"]])(
    "switches to the organization given as %s",
    async (name) => {
      const kelp = { ...me.organizations[1]!, name: "The Kelp Farm" }
      api.on("GET /v1/auth/me", ({ headers }) => ({
        data: {
          ...me,
          ...(headers.authorization === `Bearer ${accessToken(2)}` && { organization: kelp }),
          organizations: [me.organizations[0], kelp],
        },
      }))

      const words = ["login", "--email", me.user.email, "--password-stdin", "--organization", name]
      const { stdout } = await footfall(words, { environment, input: `${password}\n` })

      const [renewal] = api.seen("POST /v1/auth/refresh")
      expect(JSON.parse(renewal!.body)).toEqual({ refreshToken: "rt_1", organizationId: kelp.id })
      expect(stored().profiles.default.session).toMatchObject({ refreshToken: "rt_2" })
      expect(JSON.parse(stdout).data.organization.name).toBe("The Kelp Farm")
    },
  )

  test("does not renew the session if the given organization is the user's first", async () => {
    const { exitCode } = await login(" --organization tidewater")

    expect(api.seen("POST /v1/auth/refresh")).toEqual([])
    expect(stored().profiles.default.session).toMatchObject({ refreshToken: "rt_1" })
    expect(exitCode).toBe(0)
  })

  test.each([
    [
      "of no organization",
      "sea-weed",
      5,
      "You have no organization called sea-weed. Your organizations: Tidewater (tidewater), Kelp (kelp), Kelp (kelp-2).",
    ],
    [
      "of several organizations",
      "Kelp",
      2,
      "2 of your organizations are called Kelp. Use the slug of one of them: Kelp (kelp-1), Kelp (kelp-2).",
    ],
  ])(
    "a name %s is rejected with a list of names, and the session is ended",
    async (_which, name, code, message) => {
      const [tidewater, kelp] = me.organizations
      const slug = name === "Kelp" ? "kelp-1" : "kelp"
      const other = { ...kelp!, id: "0e0a1a4e-6f0f-4f4b-8a66-0d0ad1f7c111", slug: "kelp-2" }
      const organizations = [tidewater!, { ...kelp!, slug }, other]
      api.on("GET /v1/auth/me", () => ({ data: { ...me, organizations } }))

      const { exitCode, stderr } = await login(` --organization ${name}`)

      expect(JSON.parse(stderr).error.message).toBe(message)
      expect(exitCode).toBe(code)
      expect(stored).toThrow("ENOENT")
      const [ended] = api.seen("POST /v1/auth/logout")
      expect(JSON.parse(ended!.body)).toEqual({ refreshToken: "rt_1" })
    },
  )

  test("reports a wait for the rate limit of sign-ins", async () => {
    let asked = 0
    api.answer = (request, response) => {
      asked += 1
      if (asked > 1) return api.answerAsUsual(request, response)
      response.writeHead(429, { "retry-after": "1" })
      response.end(JSON.stringify({ error: { code: "RATE_LIMITED", message: "Wait." }, meta: {} }))
    }

    const { exitCode, stderr } = await login()

    expect(stderr).toMatch(/^Rate limit reached: continuing in [12]s\.\n$/)
    expect(exitCode).toBe(0)
  })

  test("a wrong password is reported, and nothing is saved", async () => {
    const words = `login --email ${me.user.email} --password-stdin`
    const { exitCode, stderr } = await run(words, "wrong")

    expect(JSON.parse(stderr).error.message).toContain("Check the email address and the password.")
    expect(stored).toThrow("ENOENT")
    expect(exitCode).toBe(4)
  })

  test.each([
    ["login", "Add --email"],
    ["login --email a@b.example", "--password-stdin"],
    ["accept-invitation", "--stdin"],
  ])("`%s` without a terminal does not prompt, and says what to pass", async (words, message) => {
    const { exitCode, stderr } = await run(words)

    expect(JSON.parse(stderr).error.message).toContain(message)
    expect(exitCode).toBe(2)
  })

  test("a profile for another server does not get this server's session", async () => {
    await login()

    const { exitCode, stderr } = await login(" --base-url http://127.0.0.1:1")

    expect(JSON.parse(stderr).error.message).toContain("Choose another profile with --profile")
    expect(exitCode).toBe(2)
  })

  test("accepts an invitation with two lines on standard input", async () => {
    api.on("POST /v1/auth/accept-invite", () => ({ data: freshTokens() }))

    await run("accept-invitation --stdin --name Lee", `inv_token\n${password}\n`)

    const [accepted] = api.seen("POST /v1/auth/accept-invite")
    expect(JSON.parse(accepted?.body ?? "")).toEqual({ token: "inv_token", password, name: "Lee" })
    expect(api.seen("POST /v1/auth/invitation")).toEqual([])
    expect(stored().profiles.default.session).toMatchObject({ email: me.user.email })
  })
})

describe("staying signed in", () => {
  test("uses a fresh token without renewing it", async () => {
    await login()
    api.requests.length = 0

    await run("organizations list")

    expect(tokensSent("GET /v1/organizations")).toEqual([`Bearer ${accessToken(1)}`])
    expect(api.seen("POST /v1/auth/refresh")).toEqual([])
  })

  test("renews an expired token and saves the new tokens", async () => {
    await login()
    expireToken()

    const { exitCode } = await run("organizations list")

    expect(tokensSent("GET /v1/organizations")).toEqual([`Bearer ${accessToken(2)}`])
    expect(stored().profiles.default.session).toMatchObject({ refreshToken: "rt_2" })
    expect(exitCode).toBe(0)
  })

  test("of several concurrent commands only one renews, and all succeed", async () => {
    await login()
    expireToken()

    const outcomes = await Promise.all(Array.from({ length: 6 }, () => run("organizations list")))

    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0])
    expect(api.seen("POST /v1/auth/refresh")).toHaveLength(1)
    expect(new Set(tokensSent("GET /v1/organizations"))).toEqual(
      new Set([`Bearer ${accessToken(2)}`]),
    )
  })

  test("an expired session says to sign in again", async () => {
    await login()
    expireToken()
    refreshTokens.push("of someone else")

    const { exitCode, stderr } = await run("organizations list")

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "SESSION_ENDED",
      message: `The session for ${me.user.email} has expired. Run: footfall login`,
    })
    expect(exitCode).toBe(4)
  })

  test("a session is sent only to its own server", async () => {
    await login()

    const { exitCode, stderr } = await run("organizations list --base-url http://127.0.0.1:1")

    expect(JSON.parse(stderr).error.code).toBe("CREDENTIALS_MISSING")
    expect(exitCode).toBe(4)
  })

  test("FOOTFALL_ACCESS_TOKEN wins over the session of the current profile", async () => {
    await login()
    environment["FOOTFALL_ACCESS_TOKEN"] = "a.b.c"

    await run("organizations list")

    expect(tokensSent("GET /v1/organizations")).toEqual(["Bearer a.b.c"])
  })

  test("organizations use switches the session to the other organization", async () => {
    await login()

    const { exitCode } = await run("organizations use kelp")

    const [renewal] = api.seen("POST /v1/auth/refresh")
    expect(JSON.parse(renewal?.body ?? "")).toEqual({
      refreshToken: "rt_1",
      organizationId: me.organizations[1]?.id,
    })
    expect(stored().profiles.default.session).toMatchObject({ refreshToken: "rt_2" })
    expect(exitCode).toBe(0)
  })

  describe("organizations use, with an API key in the profile", () => {
    const rulesRoute = "GET /v1/data/suppression-rules/industries"
    const secretOf = (name: string) => `sk_${name.padEnd(43, "0")}`

    beforeEach(async () => {
      api.on("GET /v1/data/account", () => ({ data: account }))
      api.on(rulesRoute, () => ({
        data: [],
        meta: { visitorsWithoutIndustry: 0, suppressedIndustryRules: 0, limit: 100 },
      }))
      await run("profiles create default --api-key-stdin", apiKey)
      await login()
    })

    test("no longer sends the key if it belongs to another organization", async () => {
      const switched = await run("organizations use kelp")
      api.requests.length = 0
      const { exitCode, stderr } = await run("suppression industries")

      expect(switched.exitCode).toBe(0)
      expect(api.requests).toEqual([])
      const error: string = JSON.parse(stderr).error.message
      expect(error).toContain("The API key in the profile default is for Tidewater")
      expect(error).toContain("footfall keys create <name> --save")
      expect(exitCode).toBe(2)
    })

    test("uses the key again after switching back", async () => {
      await run("organizations use kelp")
      await run("organizations use tidewater")

      expect((await run("suppression industries")).exitCode).toBe(0)
      expect(stored().profiles.default.keyOrganization).toBeUndefined()
    })

    test("uses a key that was created for the new organization, and one from the environment", async () => {
      await run("organizations use kelp")
      environment["FOOTFALL_API_KEY"] = secretOf("environment")
      expect((await run("suppression industries")).exitCode).toBe(0)
      delete environment["FOOTFALL_API_KEY"]
      const secret = secretOf("kelp")
      api.on("POST /v1/api-keys", () => ({ data: { apiKey: { id: "1", name: "x" }, secret } }))
      await run("keys create laptop --save")

      expect((await run("suppression industries")).exitCode).toBe(0)
      expect(api.seen(rulesRoute).map(({ headers }) => headers["x-api-key"])).toEqual([
        secretOf("environment"),
        secret,
      ])
    })

    test("whoami names the organization of the key", async () => {
      expect(JSON.parse((await run("whoami")).stdout).data).toMatchObject({
        hasApiKey: true,
        apiKeyOrganization: { name: "Tidewater" },
      })
      await run("organizations use kelp")
      expect(JSON.parse((await run("whoami")).stdout).data).toMatchObject({
        hasApiKey: false,
        apiKeyOrganization: null,
      })
      expect((await run("whoami --output table")).stdout).toContain("for Tidewater, not used here")
    })
  })

  test("organizations use finds only the user's own organizations", async () => {
    await login()

    const { exitCode } = await run("organizations use someone-elses")

    expect(api.seen("POST /v1/auth/refresh")).toEqual([])
    expect(exitCode).toBe(5)
  })
})

describe("logout", () => {
  test("ends the session on the server and here, and keeps the key", async () => {
    await run("profiles create default --api-key-stdin", apiKey)
    await login()

    const { exitCode } = await run("logout")

    const [ended] = api.seen("POST /v1/auth/logout")
    expect(JSON.parse(ended?.body ?? "")).toEqual({ refreshToken: "rt_1" })
    expect(stored().profiles.default).toEqual({ baseUrl: api.baseUrl, apiKey })
    expect(exitCode).toBe(0)
  })

  test("ends here even if the server is unreachable, and warns", async () => {
    await login()
    api.on("POST /v1/auth/logout", () => ({
      status: 500,
      error: { code: "INTERNAL_ERROR", message: "Something broke." },
    }))

    const { exitCode, stderr } = await run("logout")

    expect(stderr).toContain("warning: Could not sign out on the server (Something broke.)")
    expect(stored().profiles.default).toEqual({ baseUrl: api.baseUrl })
    expect(exitCode).toBe(0)
  })

  test("ends a session whose access token has expired", async () => {
    await login()
    let asked = 0
    api.on("POST /v1/auth/logout", () => {
      asked += 1
      return asked === 1 ? unauthenticated : { data: { loggedOut: true } }
    })

    await run("logout")

    const bodies = api.seen("POST /v1/auth/logout").map(({ body }) => JSON.parse(body).refreshToken)
    expect(bodies).toEqual(["rt_1", "rt_2"])
  })

  test("without a session there is nothing to end", async () => {
    const { exitCode } = await run("logout")

    expect(exitCode).toBe(4)
  })
})

describe("whoami", () => {
  test("shows the user, role and organization of the session", async () => {
    await login()

    const { stdout } = await run("whoami")

    expect(JSON.parse(stdout).data).toMatchObject({
      user: { email: me.user.email },
      role: "owner",
      organization: { slug: "tidewater" },
      hasApiKey: false,
    })
  })

  test("without any credentials says what to do", async () => {
    const { exitCode, stderr } = await run("whoami")

    expect(JSON.parse(stderr).error.message).toMatch(/profiles create <name>, or footfall login/)
    expect(exitCode).toBe(4)
  })
})

test("keys create --save saves the new key in the profile and does not print it", async () => {
  await login()
  api.on("POST /v1/api-keys", () => ({ data: { apiKey: { id: "1", name: "x" }, secret: apiKey } }))

  const { stdout, stderr } = await run("keys create laptop --save")

  expect(stored().profiles.default).toMatchObject({ apiKey, session: { refreshToken: "rt_1" } })
  expect(stdout + stderr).not.toContain(apiKey)
})

test("keys create --save creates no key if the profile cannot be written", async () => {
  await login()
  // A folder with the lock's name prevents a lock.
  mkdirSync(join(directory, "config.json.lock"))

  const { exitCode, stderr } = await run("keys create laptop --save")

  expect(JSON.parse(stderr).error.code).toBe("CONFIG_UNWRITABLE")
  expect(api.seen("POST /v1/api-keys")).toEqual([])
  expect(exitCode).toBe(1)
})

test("keys create --save shows the secret if saving it fails", async () => {
  await login()
  api.on("POST /v1/api-keys", () => {
    mkdirSync(join(directory, "config.json.lock"))
    return { data: { apiKey: { id: "1", name: "x" }, secret: apiKey } }
  })

  const { exitCode, stderr, stdout } = await run("keys create laptop --save")

  expect(JSON.parse(stdout).data.secret).toBe(apiKey)
  expect(JSON.parse(stderr).error.code).toBe("CONFIG_UNWRITABLE")
  expect(exitCode).toBe(1)
})
