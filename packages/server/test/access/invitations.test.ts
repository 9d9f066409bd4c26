// Accounts and invitations from an attacker's view (spec 5.12, 5.13). Whoever adds an address gets an invitation for it
// and may accept it, even if the address is someone else's. That gives access to no other organization, and whoever
// proves the address takes over the account.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let smtp: SmtpReceiver
let server: TestServer
let mailing: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  smtp = await startSmtp()
  server = await startServer({ workers: false })
  mailing = await startServer({ workers: false, beside: server, smtpUrl: smtp.url })
  call = caller(server)
})
afterAll(async () => {
  await mailing.close()
  await server.close()
  await smtp.close()
})

const passwords = { squatter: "password of the squatter", owner: "password of the true owner" }
const newEmail = () => `victim-${randomUUID()}@harbor.example`

interface Added {
  readonly member: { readonly userId: string; readonly status: string; readonly name: string }
  readonly inviteToken: string
}
interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}
interface Me {
  readonly organization: { readonly id: string }
  readonly organizations: ReadonlyArray<{ readonly id: string }>
}

/** Creates an organization with an owner who adds members. */
const makeOrganization = async () => {
  const { organizationId } = await server.makeOrganization()
  const { accessToken: token } = await server.makeUser("owner", organizationId)
  const path = `/v1/organizations/${organizationId}/members`
  const add = async (email: string, role = "admin", at = server) => {
    const answer = await caller(at)(`POST ${path}`, { email, role }, { token })
    expect(answer.status).toBe(201)
    return answer.body.data as Added
  }
  const member = async (userId: string) => {
    const { body } = await call(`GET ${path}`, undefined, { token })
    return (body.data as ReadonlyArray<Added["member"]>).find((one) => one.userId === userId)
  }
  const remove = (userId: string) => call(`DELETE ${path}/${userId}`, undefined, { token })
  return { organizationId, path, token, add, member, remove }
}

const accept = (token: string, password: string, more: object = {}) =>
  call("POST /v1/auth/accept-invite", { token, password, ...more })
const login = (email: string, password: string, organizationId?: string) =>
  call("POST /v1/auth/login", { email, password, ...(organizationId && { organizationId }) })
const tokensOf = ({ body }: Awaited<ReturnType<typeof accept>>) => body.data as Tokens
const me = async (token: string) => {
  const { body } = await call("GET /v1/auth/me", undefined, { token })
  return body.data as Me
}

/** Creates an account for someone else's address, accepted by the person who added it. */
const squat = async () => {
  const email = newEmail()
  const own = await makeOrganization()
  const added = await own.add(email)
  const accepted = await accept(added.inviteToken, passwords.squatter)
  expect(accepted.status).toBe(200)
  return { email, own, userId: added.member.userId, tokens: tokensOf(accepted) }
}

/** The token from a mail to the address. */
const mailed = (email: string, count = 1) =>
  vi.waitFor(
    () => {
      const mails = smtp.mails.filter(({ to }) => to?.[0]?.address === email)
      expect(mails).toHaveLength(count)
      return /inv_[\w-]{43}/.exec(String(mails.at(-1)?.text))![0]
    },
    { timeout: 30_000 },
  )
const statusOf = async (answer: ReturnType<typeof call>) => (await answer).status
const meStatus = (token: string) => statusOf(call("GET /v1/auth/me", undefined, { token }))
const ends = (token: string) =>
  // Memberships are cached for less than 5 seconds.
  vi.waitFor(async () => expect(await meStatus(token)).toBe(401), {
    timeout: 30_000,
    interval: 200,
  })

describe("an account with someone else's address", () => {
  it("gets no access to an organization that adds the address later", async () => {
    const { email, own, tokens, userId } = await squat()
    const other = await makeOrganization()

    const added = await other.add(email)

    expect(added.inviteToken).toMatch(/^inv_/)
    expect(added.member).toMatchObject({ userId, status: "pending", name: null })
    expect(await other.member(userId)).toMatchObject({ status: "pending" })
    const refused = [
      await login(email, passwords.squatter, other.organizationId),
      await call("POST /v1/auth/refresh", {
        refreshToken: tokens.refreshToken,
        organizationId: other.organizationId,
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401])
    const { organizations } = await me(tokens.accessToken)
    expect(organizations.map(({ id }) => id)).toEqual([own.organizationId])
    const listed = await call("GET /v1/organizations", undefined, { token: tokens.accessToken })
    expect(listed.body).toMatchObject({ data: [{ id: own.organizationId }], meta: { total: 1 } })
  })

  it("cannot accept another organization's invitation with its own token", async () => {
    const { email, own, userId } = await squat()
    await own.remove(userId)
    const again = await own.add(email)
    const other = await makeOrganization()
    await other.add(email)

    const accepted = await accept(again.inviteToken, passwords.squatter)

    expect(accepted.status).toBe(200)
    const { organizations } = await me(tokensOf(accepted).accessToken)
    expect(organizations.map(({ id }) => id)).toEqual([own.organizationId])
    expect(await other.member(userId)).toMatchObject({ status: "pending" })
  })

  it("is taken over with the mailed token: the squatter loses password, sessions and memberships", async () => {
    const { email, own, tokens, userId } = await squat()
    const other = await makeOrganization()
    await other.add(email, "admin", mailing)
    expect(await meStatus(tokens.accessToken)).toBe(200)
    const { deviceCode, userCode } = (await call("POST /v1/auth/device")).body.data as {
      readonly deviceCode: string
      readonly userCode: string
    }
    const approval = { userCode, approve: true }
    await call("POST /v1/auth/device/approve", approval, { token: tokens.accessToken })

    const accepted = await caller(mailing)("POST /v1/auth/accept-invite", {
      token: await mailed(email),
      password: passwords.owner,
      name: "True Owner",
    })

    expect(accepted.status).toBe(200)
    const { organization, organizations } = await me(tokensOf(accepted).accessToken)
    expect(organization.id).toBe(other.organizationId)
    expect(organizations.map(({ id }) => id)).toEqual([other.organizationId])
    const terminal = await call("POST /v1/auth/device/token", { deviceCode })
    expect(terminal.body.error.details).toEqual({ reason: "expired_token" })
    expect(await statusOf(login(email, passwords.squatter))).toBe(401)
    expect(await statusOf(login(email, passwords.owner))).toBe(200)
    const { refreshToken } = tokens
    expect(await statusOf(call("POST /v1/auth/refresh", { refreshToken }))).toBe(401)
    expect(await own.member(userId)).toMatchObject({ status: "pending", name: null })
    await ends(tokens.accessToken)
    // Invitations to the account's former organizations are mailed again, and even then the old access token is
    // refused.
    const back = await accept(await mailed(email, 2), passwords.owner)
    expect(back.status).toBe(200)
    expect((await me(tokensOf(back).accessToken)).organization.id).toBe(own.organizationId)
    expect(await meStatus(tokens.accessToken)).toBe(401)
  })

  it("is not taken over with the token from a response, which proves nothing", async () => {
    const { email, userId } = await squat()
    const other = await makeOrganization()
    const { inviteToken } = await other.add(email, "admin", mailing)

    const refused = await accept(inviteToken, passwords.owner)

    expect(refused.status).toBe(401)
    expect(refused.body.error).toMatchObject({ code: "AUTHENTICATION_ERROR" })
    expect(await statusOf(login(email, passwords.squatter))).toBe(200)
    expect(await other.member(userId)).toMatchObject({ status: "pending" })
  })
})

describe("an account whose holder proved the address", () => {
  const prove = async () => {
    const email = newEmail()
    const own = await makeOrganization()
    const { member } = await own.add(email, "admin", mailing)
    const accepted = await accept(await mailed(email), passwords.owner)
    return { email, own, userId: member.userId, tokens: tokensOf(accepted) }
  }

  it("cannot be opened with another password, whatever the token", async () => {
    const { email, tokens } = await prove()
    const other = await makeOrganization()
    const { inviteToken } = await other.add(email, "admin", mailing)

    const tried = [
      await accept(inviteToken, passwords.squatter),
      await accept(await mailed(email, 2), passwords.squatter),
    ]

    expect(tried.map(({ status }) => status)).toEqual([401, 401])
    expect(await meStatus(tokens.accessToken)).toBe(200)
    expect(await statusOf(login(email, passwords.owner))).toBe(200)
  })

  it("accepts with its password and stays in its other organizations", async () => {
    const { email, own, tokens } = await prove()
    const other = await makeOrganization()
    const { inviteToken } = await other.add(email, "viewer")

    const accepted = await accept(inviteToken, passwords.owner)

    expect(accepted.status).toBe(200)
    const { organization, organizations } = await me(tokensOf(accepted).accessToken)
    expect(organization.id).toBe(other.organizationId)
    expect(organizations.map(({ id }) => id)).toEqual([own.organizationId, other.organizationId])
    expect(await meStatus(tokens.accessToken)).toBe(200)
  })

  it("accepts while signed in, once; no one else can", async () => {
    const { email, tokens } = await prove()
    const other = await makeOrganization()
    const { inviteToken } = await other.add(email, "viewer")
    const stranger = await server.makeUser("owner")
    const join = (token: string, invitation: string) =>
      call("POST /v1/auth/join", { token: invitation }, { token })

    expect(await statusOf(join(stranger.accessToken, inviteToken))).toBe(404)
    const joined = await join(tokens.accessToken, inviteToken)
    expect(joined.status).toBe(200)
    expect(joined.body.data).toEqual({
      id: other.organizationId,
      name: "Tidewater",
      slug: expect.any(String),
      role: "viewer",
    })
    expect(await statusOf(join(tokens.accessToken, inviteToken))).toBe(404)
    expect(await statusOf(login(email, passwords.owner, other.organizationId))).toBe(200)
  })

  it("without a password, as with an external issuer, gets none with the token from a response", async () => {
    const { email, userId } = await server.makeUser("viewer")
    const other = await makeOrganization()
    const { inviteToken } = await other.add(email)

    expect(await statusOf(accept(inviteToken, passwords.squatter))).toBe(401)
    expect(await other.member(userId)).toMatchObject({ status: "pending" })
  })
})

describe("guessing the password of an account with an invitation to it", () => {
  it("counts like sign-ins: the sixth failure in a minute is 429", async () => {
    const limited = await startServer({ workers: false, beside: server, rateLimits: true })
    const { email } = await squat()
    const { inviteToken } = await (await makeOrganization()).add(email)
    const guess = (path: string, body: object) => statusOf(caller(limited)(`POST ${path}`, body))

    const statuses: Array<number> = []
    for (let tried = 0; tried < 5; tried++) {
      const password = `guessed password ${tried}`
      statuses.push(await guess("/v1/auth/accept-invite", { token: inviteToken, password }))
    }

    expect(statuses).toEqual(Array(5).fill(401))
    expect(await guess("/v1/auth/login", { email, password: "guessed password" })).toBe(429)
    await limited.close()
  })
})

describe("a pending membership", () => {
  it("loses its invitation when it is removed, without a change in other organizations", async () => {
    const email = newEmail()
    const [one, two] = [await makeOrganization(), await makeOrganization()]
    const first = await one.add(email)
    const second = await two.add(email)

    await one.remove(first.member.userId)

    expect(await one.member(first.member.userId)).toBeUndefined()
    expect(await statusOf(accept(first.inviteToken, passwords.owner))).toBe(401)
    expect(await statusOf(accept(second.inviteToken, passwords.owner))).toBe(200)
  })

  it("stays pending when its invitation expires, and gets a new one when added again", async () => {
    const email = newEmail()
    const { add, member, organizationId, remove } = await makeOrganization()
    const { inviteToken, member: added } = await add(email)
    await server.sql("update invitation set expires_at = now() where organization_id = $1", [
      organizationId,
    ])

    expect(await statusOf(accept(inviteToken, passwords.owner))).toBe(401)
    expect(await member(added.userId)).toMatchObject({ status: "pending" })
    await remove(added.userId)
    const again = await add(email)
    expect(await statusOf(accept(again.inviteToken, passwords.owner))).toBe(200)
    expect(await member(added.userId)).toMatchObject({ status: "active" })
  })

  it("accepted ten times at once succeeds once", async () => {
    const { add } = await makeOrganization()
    const { inviteToken } = await add(newEmail())

    // 503 says that nothing was done because no connection was free, as on a busy machine, so the request is sent
    // again.
    const acceptNow = async (): ReturnType<typeof accept> => {
      const answer = await accept(inviteToken, passwords.owner)
      return answer.status === 503 ? acceptNow() : answer
    }
    const answers = await Promise.all(Array.from({ length: 10 }, acceptNow))

    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, ...Array<number>(9).fill(401)])
  })

  it("does not count as an owner: the last owner who accepted stays", async () => {
    const { organizationId } = await server.makeOrganization()
    const owner = await server.makeUser("owner", organizationId)
    const path = `/v1/organizations/${organizationId}/members`
    const token = owner.accessToken
    await call(`POST ${path}`, { email: newEmail(), role: "owner" }, { token })

    expect(await statusOf(call(`DELETE ${path}/${owner.userId}`, undefined, { token }))).toBe(409)
  })

  it("takes effect with its new role if the role was changed", async () => {
    const { add, path, token } = await makeOrganization()
    const { inviteToken, member } = await add(newEmail(), "admin")

    await call(`PATCH ${path}/${member.userId}`, { role: "viewer" }, { token })

    const accepted = await accept(inviteToken, passwords.owner)
    const shown = await call("GET /v1/auth/me", undefined, {
      token: tokensOf(accepted).accessToken,
    })
    expect(shown.body).toMatchObject({ data: { role: "viewer" } })
  })
})
