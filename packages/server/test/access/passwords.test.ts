// Setting a new password (spec 5.12), also from an attacker's view: with a stolen access token, with a stranger's mail,
// and with an account for someone else's address.
import { Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { type SmtpReceiver, startSmtp } from "../mail/smtp-server.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let smtp: SmtpReceiver
let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  smtp = await startSmtp()
  server = await startServer({ workers: false, smtpUrl: smtp.url })
  call = caller(server)
})
afterAll(async () => {
  await server.close()
  await smtp.close()
})

const soon = { timeout: 30_000 }
const password = "correct horse battery staple"
const next = "a longer horse battery staple"
const hash = hashPassword(Redacted.make(password))

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

const makeUser = async ({ isProven = true } = {}) => {
  const user = await server.makeUser("member")
  await server.sql(
    `update user_account set password_hash = $2, proven_at = ${isProven ? "now()" : "null"} where id = $1`,
    [user.userId, await hash],
  )
  return user
}
const login = async (email: string, given = password) =>
  call("POST /v1/auth/login", { email, password: given })
const signIn = async (email: string): Promise<Tokens> => (await login(email)).body.data
const refresh = async (refreshToken: string) =>
  (await call("POST /v1/auth/refresh", { refreshToken })).status
const change = (token: string, body: object) =>
  call(
    "POST /v1/auth/password",
    { currentPassword: password, newPassword: next, ...body },
    { token },
  )
/** A membership is cached for less than 5 seconds. */
const isRefused = (token: string) =>
  vi.waitFor(
    async () => expect((await call("GET /v1/auth/me", undefined, { token })).status).toBe(401),
    soon,
  )

describe("a signed-in user", () => {
  it("changes the password with the current one, and every other session and token ends", async () => {
    const { email } = await makeUser()
    const [here, elsewhere] = [await signIn(email), await signIn(email)]

    const { refreshToken } = here
    expect(await change(here.accessToken, { refreshToken })).toMatchObject({
      status: 200,
      body: { data: { changed: true } },
    })

    expect((await login(email)).status).toBe(401)
    expect((await login(email, next)).status).toBe(200)
    expect(await refresh(elsewhere.refreshToken)).toBe(401)
    expect(await refresh(refreshToken)).toBe(200)
    await isRefused(elsewhere.accessToken)
  })

  it("stays signed in to the console by the cookie", async () => {
    const { email } = await makeUser()
    const started = await call("POST /v1/auth/session", { email, password })
    const [cookie = ""] = started.headers.getSetCookie()[0]!.split(";")
    const { accessToken: token }: Tokens = started.body.data

    const headers = { cookie }
    await call(
      "POST /v1/auth/password",
      { currentPassword: password, newPassword: next },
      { token, headers },
    )

    expect((await call("POST /v1/auth/session/refresh", {}, { headers })).status).toBe(200)
  })

  it("keeps no session with another user's refresh token", async () => {
    const [{ email }, other] = [await makeUser(), await makeUser()]
    const here = await signIn(email)
    const theirs = await signIn(other.email)

    const { refreshToken } = theirs
    expect((await change(here.accessToken, { refreshToken })).status).toBe(200)

    expect(await refresh(here.refreshToken)).toBe(401)
    expect(await refresh(refreshToken)).toBe(200)
  })

  it("changes nothing with a wrong current password, which is not a 401", async () => {
    const { email } = await makeUser()
    const here = await signIn(email)

    const answer = await change(here.accessToken, { currentPassword: "wrong" })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { reason: "wrong_password" },
    })
    expect((await login(email)).status).toBe(200)
  })

  it.each(["too short", "x".repeat(201)])("cannot choose %j", async (newPassword) => {
    const { email } = await makeUser()
    const { accessToken } = await signIn(email)

    expect((await change(accessToken, { newPassword })).status).toBe(400)
  })

  it("without a password cannot change it", async () => {
    const { accessToken } = await server.makeUser("member")

    expect((await change(accessToken, { currentPassword: "" })).status).toBe(400)
  })

  it("may guess the current password five times a minute", async () => {
    const limited = await startServer({ workers: false, rateLimits: true, beside: server })
    const { accessToken: token } = await makeUser()
    const statuses: Array<number> = []
    for (let n = 0; n < 6; n++) {
      const body = { currentPassword: `wrong ${n}`, newPassword: next }
      statuses.push((await caller(limited)("POST /v1/auth/password", body, { token })).status)
    }
    await limited.close()

    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })

  it("ends an approved terminal sign-in whose tokens were not fetched", async () => {
    const user = await makeUser()
    const { accessToken: token } = user
    const started = await call("POST /v1/auth/device")
    const { deviceCode, userCode }: { deviceCode: string; userCode: string } = started.body.data
    await call("POST /v1/auth/device/approve", { userCode, approve: true }, { token })

    await change(token, {})

    expect((await call("POST /v1/auth/device/token", { deviceCode })).body.error.details).toEqual({
      reason: "expired_token",
    })
  })

  it("gets a mail, and the audit log of each of their organizations an entry", async () => {
    const { accessToken, email, userId } = await makeUser()
    const { organizationId } = await server.makeOrganization()
    await server.sql(
      "insert into member (organization_id, user_id, role) values ($1, $2, 'viewer')",
      [organizationId, userId],
    )

    await change(accessToken, {})

    const entries = await server.sql(
      "select organization_id from audit_entry where actor_id = $1 and action = 'user.password_changed'",
      [userId],
    )
    expect(entries.map((entry) => entry["organization_id"]).toSorted()).toEqual(
      [organizationId, server.organizationId].toSorted(),
    )
    await vi.waitFor(() => expect(mailsTo(email, "changed")).toHaveLength(1), soon)
  })
})

const mailsTo = (address: string, subject = "Reset your") =>
  smtp.mails.filter(
    (mail) => mail.to?.[0]?.address === address && String(mail.subject).includes(subject),
  )
const ask = (email: string, at = server) =>
  caller(at)("POST /v1/auth/password/reset-request", { email })
const mailedToken = async (email: string, count = 1): Promise<string> => {
  expect((await ask(email)).status).toBe(200)
  const mail = await vi.waitFor(() => {
    expect(mailsTo(email)).toHaveLength(count)
    return mailsTo(email).at(-1)
  }, soon)
  const [, token = ""] = /\/console\/reset#(pwr_[\w-]{43})/.exec(String(mail?.text)) ?? []
  return token
}
const reset = (token: string, newPassword = next) =>
  call("POST /v1/auth/password/reset", { token, newPassword })

describe("a forgotten password", () => {
  it("is reset with the mail, once, and every session and token ends", async () => {
    const { accessToken, email, userId } = await makeUser()
    const session = await signIn(email)
    const places = () => server.sql("select from known_address where user_id = $1", [userId])
    expect(await places()).toHaveLength(1)
    const token = await mailedToken(email)

    expect(await reset(token)).toMatchObject({
      status: 200,
      body: { data: { changed: true, invitationsSent: 0 } },
    })

    // Whoever signed in before may have been a stranger.
    expect(await places()).toEqual([])
    expect((await login(email)).status).toBe(401)
    expect((await login(email, next)).status).toBe(200)
    expect(await refresh(session.refreshToken)).toBe(401)
    await isRefused(accessToken)
    expect((await reset(token)).status).toBe(401)
    await vi.waitFor(() => expect(mailsTo(email, "changed")).toHaveLength(1), soon)
  })

  it("gets the same response whether or not the account exists, or signs in elsewhere", async () => {
    const { email } = await makeUser()
    const elsewhere = await server.makeUser("member")
    const unknown = `${randomUUID()}@harbor.example`

    const answers = [await ask(elsewhere.email), await ask(unknown), await ask(email)]

    const comparable = answers.map(({ body, status }) => ({ status, data: body.data }))
    expect(new Set(comparable.map((answer) => JSON.stringify(answer))).size).toBe(1)
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon)
    expect([...mailsTo(elsewhere.email), ...mailsTo(unknown)]).toEqual([])
    const ofElsewhere = await server.sql("select from password_reset where user_id = $1", [
      elsewhere.userId,
    ])
    expect(ofElsewhere).toEqual([])
  })

  it("can be reset with an earlier mail too, and then with none", async () => {
    const { email } = await makeUser()
    const first = await mailedToken(email)
    const second = await mailedToken(email, 2)

    expect((await reset(first)).status).toBe(200)
    expect((await reset(second)).status).toBe(401)
  })

  it("is set by only one of two concurrent uses of one mail", async () => {
    const { email } = await makeUser()
    const token = await mailedToken(email)

    const answers = await Promise.all([reset(token, `${next} 1`), reset(token, `${next} 2`)])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  it("cannot be reset with a mail from an hour ago, or with a token that was never mailed", async () => {
    const { email } = await makeUser()
    const token = await mailedToken(email)
    await server.sql("update password_reset set expires_at = now()")

    expect((await reset(token)).status).toBe(401)
    expect((await reset(`pwr_${"A".repeat(43)}`)).status).toBe(401)
    expect((await login(email)).status).toBe(200)
  })

  it("stores no token in the database", async () => {
    const { email } = await makeUser()
    const token = await mailedToken(email)

    const rows = await server.sql(
      "select row_to_json(password_reset)::text as text from password_reset",
    )
    expect(rows.map(({ text }) => text).join("\n")).not.toContain(token)
  })

  it("takes an account from whoever created it with someone else's address", async () => {
    const { accessToken, email, userId } = await makeUser({ isProven: false })
    const token = await mailedToken(email)

    const answer = await reset(token)

    expect(answer.body.data).toEqual({ changed: true, invitationsSent: 1 })
    await isRefused(accessToken)
    // The holder joins with their own invitation.
    expect((await login(email, next)).status).toBe(401)
    const mail = await vi.waitFor(() => {
      const [found] = mailsTo(email, "invitation")
      expect(found).toBeDefined()
      return found
    }, soon)
    const [invitation] = /inv_[\w-]{43}/.exec(String(mail?.text)) ?? []
    await call("POST /v1/auth/accept-invite", { token: invitation, password: next })
    expect((await login(email, next)).status).toBe(200)
    const entries = await server.sql("select action from audit_entry where target_id = $1", [
      userId,
    ])
    expect(entries.map(({ action }) => action)).toContain("user.password_reset")
  })

  it("sends three mails in a quarter of an hour from one place, and counts strangers the same way", async () => {
    const limited = await startServer({
      workers: false,
      rateLimits: true,
      beside: server,
      smtpUrl: smtp.url,
    })
    const { email } = await makeUser()
    const statuses = async (address: string) => {
      const found: Array<number> = []
      for (let n = 0; n < 4; n++) found.push((await ask(address, limited)).status)
      return found
    }
    const known = await statuses(email)
    const unknown = await statuses(`${randomUUID()}@harbor.example`)
    await limited.close()

    expect(known).toEqual([200, 200, 200, 429])
    expect(unknown).toEqual(known)
  })

  it("must be reset by the operator if the server sends no mail", async () => {
    const silent = await startServer({ workers: false, beside: server })
    const answer = await ask("someone@harbor.example", silent)
    await silent.close()

    expect(answer.status).toBe(403)
    expect(answer.body.error.details).toEqual({ reason: "mail_not_configured" })
    expect(JSON.stringify(answer.body.error)).toContain("footfall-server members reset")
  })
})
