// Signing in, by the rows of spec 5.12.
import { decodeJwt } from "jose"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cheapHash } from "./cheap-hash.ts"
import { rotateDataKeys } from "../support/data-keys.ts"
import { startServer, type TestServer, testSecret, type TestUser } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  server = await startServer({ workers: false })
  call = caller(server)
})
afterAll(() => server.close())

const password = "correct horse battery staple"
const hash = cheapHash(password)
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

/** A member with a password. */
const makeMember = async (
  role: "owner" | "viewer" = "owner",
  organizationId = server.organizationId,
): Promise<TestUser> => {
  const user = await server.makeUser(role, organizationId)
  await server.sql("update user_account set password_hash = $2 where id = $1", [user.userId, hash])
  return user
}

const login = (email: string, more: object = {}) =>
  call("POST /v1/auth/login", { email, password, ...more })

const signIn = async (email: string): Promise<Tokens> => (await login(email)).body.data

const refresh = (refreshToken: string, more: object = {}) =>
  call("POST /v1/auth/refresh", { refreshToken, ...more })

const refusal = { error: { code: "AUTHENTICATION_ERROR" } }

const expectRefused = (answer: Awaited<ReturnType<typeof login>>) => {
  expect(answer.status).toBe(401)
  expect(answer.body).toMatchObject(refusal)
  expect(answer.headers.get("www-authenticate")).toBe("Bearer")
}

/** Number of connections that wait for a lock. */
const waiting = async (): Promise<number> => {
  const [row] = await server.sql(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return Number(row!["n"])
}

/** Makes the user join a second organization later. */
const joinSecond = async (user: TestUser, role = "viewer") => {
  const second = await server.makeOrganization()
  await server.sql(
    "insert into member (organization_id, user_id, role, accepted_at) values ($1, $2, $3, now() + interval '1 second')",
    [second.organizationId, user.userId, role],
  )
  return second
}

describe("login", () => {
  it("returns an access token for 60 minutes and a refresh token", async () => {
    const user = await makeMember()

    const { body, status } = await login(user.email)

    expect(status).toBe(200)
    expect(body.data).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: "Bearer",
      expiresIn: 3600,
      refreshToken: expect.stringMatching(/^rt_[A-Za-z0-9_-]{64}$/),
    })
    const { accessToken }: Tokens = body.data
    const claims = decodeJwt(accessToken)
    expect(claims).toEqual({
      sub: user.userId,
      org: server.organizationId,
      role: "owner",
      iss: server.url,
      aud: "footfall",
      iat: expect.any(Number),
      exp: claims.iat! + 3600,
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect((await call("GET /v1/auth/me", undefined, { token: accessToken })).status).toBe(200)
  })

  it("ignores case and surrounding spaces in the address, and nothing in the password", async () => {
    const { email } = await makeMember()

    expect((await login(`  ${email.toUpperCase()} `)).status).toBe(200)
    expectRefused(await call("POST /v1/auth/login", { email, password: ` ${password}` }))
  })

  it("accepts every spelling of an international address, and no letter that only looks the same", async () => {
    const { userId } = await makeMember()
    const local = `kari-${userId}`
    await server.sql("update user_account set email = $2 where id = $1", [
      userId,
      `${local}@xn--blbr-roah.example`,
    ])

    expect((await login(`${local.toUpperCase()}@Blåbær.example`)).status).toBe(200)
    expect((await login(`${local}@xn--blbr-roah.example`)).status).toBe(200)
    expectRefused(await login(`\u212a${local.slice(1)}@blåbær.example`))
  })

  it("is 401 with one body for a wrong password, an unknown address and a user without a password", async () => {
    const { email } = await makeMember()
    const invited = await server.makeUser("member")

    const answers = await Promise.all([
      call("POST /v1/auth/login", { email, password: "wrong password" }),
      call("POST /v1/auth/login", { email: "nobody@tidewater.example", password }),
      login(invited.email),
      call("POST /v1/auth/login", { email, password: "" }),
      call("POST /v1/auth/login", { email, password: "x".repeat(1000) }),
      call("POST /v1/auth/login", { email: "no address", password }),
    ])

    for (const answer of answers) expectRefused(answer)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.error))).size).toBe(1)
  })

  it("returns a token for the organization joined first, or for the requested one", async () => {
    const user = await makeMember()
    const second = await joinSecond(user)
    const organizationOf = async (more: object) => {
      const { accessToken }: Tokens = (await login(user.email, more)).body.data
      return decodeJwt(accessToken)["org"]
    }

    expect(await organizationOf({})).toBe(server.organizationId)
    expect(await organizationOf({ organizationId: second.organizationId })).toBe(
      second.organizationId,
    )
  })

  it("is 401 for an organization the user does not belong to, and for a user without one", async () => {
    const { email } = await makeMember()
    const foreign = await server.makeOrganization()
    const nowhere = await makeMember()
    await server.sql("delete from member where user_id = $1", [nowhere.userId])

    expectRefused(await login(email, { organizationId: foreign.organizationId }))
    expectRefused(await login(email, { organizationId: randomUUID() }))
    expectRefused(await login(nowhere.email))
  })

  it("works while the organization is suspended", async () => {
    const { organizationId } = await server.makeOrganization("suspended")
    const user = await makeMember("owner", organizationId)

    const { accessToken } = await signIn(user.email)
    const me = await call("GET /v1/auth/me", undefined, { token: accessToken })
    const rest = await call("GET /v1/organizations", undefined, { token: accessToken })

    expect(me.body).toMatchObject({ data: { organization: { status: "suspended" } } })
    expect(rest.body).toMatchObject({ error: { code: "ORGANIZATION_INACTIVE" } })
  })

  it.each([
    [{ email: "a@b.example" }, "/body/password"],
    [{ password: "1234567890" }, "/body/email"],
    [{ email: 1, password: "1234567890" }, "/body/email"],
    [{ email: "a@b.example", password: "1", organizationId: "x" }, "/body/organizationId"],
    [{ email: "a@b.example", password: "1", role: "owner" }, "/body/role"],
  ])("%j is 400 at %s, and no password is repeated", async (body, path) => {
    const answer = await call("POST /v1/auth/login", body)

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ details: { issues: [{ path }] } })
    expect(JSON.stringify(answer.body)).not.toContain("1234567890")
  })
})

it("an access token of the previous secret is valid while both values are set, and not afterwards", async () => {
  const secret = "another secret of the tests as long as it must be"
  const rotating = await startServer({
    workers: false,
    beside: server,
    secret: `${secret},${testSecret}`,
  })
  await rotateDataKeys(server.sql, { from: testSecret, to: secret })
  const rotated = await startServer({ workers: false, beside: server, secret })
  await rotateDataKeys(server.sql, { from: secret, to: testSecret })
  const [old, next] = [await server.makeUser("viewer"), await rotated.makeUser("viewer")]
  const statusOf = async (one: TestServer, { accessToken: token }: TestUser) =>
    (await caller(one)("GET /v1/auth/me", undefined, { token })).status

  expect(await statusOf(rotating, old)).toBe(200)
  expect(await statusOf(rotating, next)).toBe(200)
  expect(await statusOf(rotated, old)).toBe(401)
  expect(await statusOf(server, next)).toBe(401)
  expect(await statusOf(rotated, await rotating.makeUser("viewer"))).toBe(200)
  await rotating.close()
  await rotated.close()
})

describe("refresh", () => {
  it("returns new tokens, and the next refresh token works in turn", async () => {
    const { email } = await makeMember()
    const first = await signIn(email)

    const second = await refresh(first.refreshToken)
    const { accessToken, refreshToken }: Tokens = second.body.data
    const third = await refresh(refreshToken)

    expect(second.body.data).toMatchObject({ tokenType: "Bearer", expiresIn: 3600 })
    expect(refreshToken).not.toBe(first.refreshToken)
    expect((await call("GET /v1/auth/me", undefined, { token: accessToken })).status).toBe(200)
    expect(third.status).toBe(200)
  })

  it("a refresh token used twice ends the whole chain", async () => {
    const { email } = await makeMember()
    const first = await signIn(email)
    const second: Tokens = (await refresh(first.refreshToken)).body.data

    expectRefused(await refresh(first.refreshToken))

    expectRefused(await refresh(second.refreshToken))
  })

  it("in one chain does not end another one", async () => {
    const { email } = await makeMember()
    const [here, there] = [await signIn(email), await signIn(email)]
    await refresh(here.refreshToken)
    expectRefused(await refresh(here.refreshToken))

    expect((await refresh(there.refreshToken)).status).toBe(200)
  })

  it("twenty times at once with one token passes at most once, and then the chain has ended", async () => {
    const { email } = await makeMember()
    const { refreshToken } = await signIn(email)

    // The first request that has read the chain waits before it changes it, so that the others get as far as they can.
    const holding = new pg.Client(server.databaseUrl)
    await holding.connect()
    await holding.query("begin")
    await holding.query("lock table audit_entry in exclusive mode")
    const asked = Array.from({ length: 20 }, () => refresh(refreshToken))
    await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
    await holding.query("rollback")
    await holding.end()
    const answers = await Promise.all(asked)

    const passed = answers.filter(({ status }) => status === 200)
    expect(passed).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
    const next: Tokens = passed[0]!.body.data
    expectRefused(await refresh(next.refreshToken))
  })

  it("is 401 for a token that is expired, unknown or not a token", async () => {
    const user = await makeMember()
    const { refreshToken } = await signIn(user.email)
    await server.sql("update refresh_chain set expires_at = now() where user_id = $1", [
      user.userId,
    ])

    expectRefused(await refresh(refreshToken))
    expectRefused(await refresh(`rt_${"A".repeat(64)}`))
    expectRefused(await refresh(""))
    expectRefused(await refresh(server.apiKey))
  })

  it("works for 30 days from the token's own issue", async () => {
    const user = await makeMember()
    const { refreshToken } = await signIn(user.email)
    const daysLeft = async () =>
      (
        await server.sql(
          "select round(extract(epoch from expires_at - now()) / 86400)::int as days from refresh_chain where user_id = $1",
          [user.userId],
        )
      )[0]
    expect(await daysLeft()).toEqual({ days: 30 })
    await server.sql(
      "update refresh_chain set expires_at = now() + interval '1 minute' where user_id = $1",
      [user.userId],
    )

    await refresh(refreshToken)

    expect(await daysLeft()).toEqual({ days: 30 })
  })

  it("selects the organization as a login does; a foreign one is 401 and uses nothing up", async () => {
    const user = await makeMember()
    const second = await joinSecond(user)
    const { refreshToken } = await signIn(user.email)
    const foreign = await server.makeOrganization()

    expectRefused(await refresh(refreshToken, { organizationId: foreign.organizationId }))
    const named = await refresh(refreshToken, { organizationId: second.organizationId })
    const { accessToken, ...next }: Tokens = named.body.data
    const unnamed: Tokens = (await refresh(next.refreshToken)).body.data

    expect(decodeJwt(accessToken)).toMatchObject({ org: second.organizationId, role: "viewer" })
    expect(decodeJwt(unnamed.accessToken)).toMatchObject({ org: server.organizationId })
  })

  it("is 401 once the user is a member of no organization", async () => {
    const user = await makeMember()
    const { refreshToken } = await signIn(user.email)
    await server.sql("delete from member where user_id = $1", [user.userId])

    expectRefused(await refresh(refreshToken))
  })

  it("stores neither refresh tokens nor passwords in the database", async () => {
    const user = await makeMember()
    const { refreshToken } = await signIn(user.email)
    for (const table of ["refresh_chain", "user_account", "audit_entry"]) {
      const found = await server.sql(
        `select 1 from ${table} as t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
        [refreshToken.slice(30), password],
      )
      expect(found).toEqual([])
    }
  })
})

describe("logout", () => {
  const logout = (token: string, body: object = {}) => call("POST /v1/auth/logout", body, { token })

  it("ends only the refresh token's chain", async () => {
    const { email } = await makeMember()
    const [here, there] = [await signIn(email), await signIn(email)]

    const answer = await logout(here.accessToken, { refreshToken: here.refreshToken })

    expect(answer.body).toMatchObject({ data: { loggedOut: true } })
    expectRefused(await refresh(here.refreshToken))
    expect((await refresh(there.refreshToken)).status).toBe(200)
  })

  it("without a refresh token ends every chain of the user", async () => {
    const { email } = await makeMember()
    const [here, there] = [await signIn(email), await signIn(email)]

    expect((await logout(here.accessToken)).status).toBe(200)

    expectRefused(await refresh(here.refreshToken))
    expectRefused(await refresh(there.refreshToken))
  })

  it("accepts no body as one without a refresh token", async () => {
    const { email } = await makeMember()
    const here = await signIn(email)

    const answer = await call("POST /v1/auth/logout", undefined, { token: here.accessToken })

    expect(answer.body).toMatchObject({ data: { loggedOut: true } })
    expectRefused(await refresh(here.refreshToken))
  })

  it("does not end the chain of another user", async () => {
    const mine = await signIn((await makeMember()).email)
    const yours = await signIn((await makeMember()).email)

    expect((await logout(mine.accessToken, { refreshToken: yours.refreshToken })).status).toBe(200)

    expect((await refresh(yours.refreshToken)).status).toBe(200)
  })

  it("is allowed for a viewer", async () => {
    const { accessToken } = await server.makeUser("viewer")

    expect((await logout(accessToken)).status).toBe(200)
  })
})

describe("me", () => {
  it("returns user, organization, role, and every organization of the user", async () => {
    const user = await makeMember()
    const second = await joinSecond(user)

    const { body } = await call("GET /v1/auth/me", undefined, { token: user.accessToken })

    expect(body.data).toEqual({
      user: { id: user.userId, email: user.email, name: null },
      organization: {
        id: server.organizationId,
        name: "Tidewater",
        slug: expect.any(String),
        status: "active",
        timeZone: "UTC",
        settings: { excludedIps: [], retentionDays: null },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      role: "owner",
      organizations: [
        { id: server.organizationId, name: "Tidewater", slug: expect.any(String), role: "owner" },
        { id: second.organizationId, name: "Tidewater", slug: expect.any(String), role: "viewer" },
      ],
    })
  })
})

describe("an invitation", () => {
  const invite = async (email = `new-${randomUUID()}@tidewater.example`) => {
    const { accessToken } = await server.makeUser("admin")
    const answer = await call(
      `POST /v1/organizations/${server.organizationId}/members`,
      { email, role: "viewer" },
      { token: accessToken },
    )
    const { inviteToken }: { readonly inviteToken: string } = answer.body.data
    return { email, token: inviteToken }
  }
  const accept = (token: string, more: object = {}) =>
    call("POST /v1/auth/accept-invite", { token, password, ...more })

  it("sets password and name and signs in", async () => {
    const { email, token } = await invite()

    const answer = await accept(token, { name: " Jane Mercer " })

    expect(answer.status).toBe(200)
    const { accessToken }: Tokens = answer.body.data
    const me = await call("GET /v1/auth/me", undefined, { token: accessToken })
    expect(me.body).toMatchObject({
      data: { user: { id: uuid, email, name: "Jane Mercer" }, role: "viewer" },
    })
    expect((await login(email)).status).toBe(200)
  })

  it("is 401 when it is unknown, used or expired", async () => {
    const used = await invite()
    const expired = await invite()
    await accept(used.token)
    await server.sql(
      "update invitation set expires_at = now() where user_id = (select id from user_account where email = $1)",
      [expired.email],
    )

    expectRefused(await accept("inv_unknown"))
    expectRefused(await accept(used.token))
    expectRefused(await accept(expired.token))
  })

  it("used by two requests at once admits one", async () => {
    const { token } = await invite()

    const answers = await Promise.all([accept(token), accept(token)])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  it("is valid for 7 days", async () => {
    const { email } = await invite()

    const [row] = await server.sql(
      "select extract(epoch from expires_at - invitation.created_at)::int as seconds from invitation join user_account on user_account.id = user_id where email = $1",
      [email],
    )

    expect(row).toEqual({ seconds: 7 * 86_400 })
  })

  it.each([
    ["123456789", 400],
    ["1234567890", 200],
    ["😀".repeat(200), 200],
    ["😀".repeat(201), 400],
  ])("accepts passwords of 10 to 200 characters: %s is %i", async (chosen, status) => {
    const { token } = await invite()

    expect((await accept(token, { password: chosen })).status).toBe(status)
  })

  it("can still be used after its password was rejected", async () => {
    const { token } = await invite()
    await accept(token, { password: "short" })

    expect((await accept(token)).status).toBe(200)
  })
})
