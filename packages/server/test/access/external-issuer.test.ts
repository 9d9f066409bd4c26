// Tokens of the external issuer (spec 7): which are accepted, and for which user.
import { Redacted } from "effect"
import { decodeJwt } from "jose"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { type Issuer, makeKey, makeToken, startIssuer } from "./issuer.ts"
import { caller } from "./request.ts"

const keys = [makeKey("RS256"), makeKey("PS256"), makeKey("ES256"), makeKey("EdDSA")]
let issuer: Issuer
let server: TestServer
let user: TestUser
let call: ReturnType<typeof caller>
beforeAll(async () => {
  issuer = await startIssuer(keys)
  vi.stubEnv("OIDC_ISSUER", issuer.url)
  vi.stubEnv("OIDC_AUDIENCE", "footfall-dashboard")
  server = await startServer({ workers: false })
  user = await server.makeUser("admin")
  call = caller(server)
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

const nowSeconds = () => Math.floor(Date.now() / 1000)

const tokenOf = (claims: object, key = keys[0]!, header: object = {}): string =>
  makeToken({
    header: { alg: key.alg, kid: key.kid, typ: "JWT", ...header },
    claims: {
      iss: issuer.url,
      aud: "footfall-dashboard",
      sub: "auth0|1",
      iat: nowSeconds(),
      exp: nowSeconds() + 300,
      email: user.email,
      email_verified: true,
      ...claims,
    },
    alg: key.alg,
    key: key.privateKey,
  })

const me = async (token: string) => call("GET /v1/auth/me", undefined, { token })

it.each(keys.map((key) => [key.alg, key] as const))("%s is accepted", async (_, key) => {
  const { body } = await me(tokenOf({}, key))

  expect(body.data).toMatchObject({
    user: { id: user.userId, email: user.email },
    organization: { id: server.organizationId },
    role: "admin",
  })
})

it("a token of the issuer does not replace an API key, as a token of the console does", async () => {
  const token = tokenOf({})

  expect((await me(token)).status).toBe(200)
  expect((await call("GET /v1/data/suppression-rules", undefined, { token })).status).toBe(401)
})

it("a token without kid is tried with every matching key", async () => {
  expect((await me(tokenOf({}, keys[2], { kid: undefined }))).status).toBe(200)
})

it("the address is compared in normalized form", async () => {
  expect((await me(tokenOf({ email: ` ${user.email.toUpperCase()}` }))).status).toBe(200)
})

it("the role is the one in the database, whatever the token says", async () => {
  const viewer = await server.makeUser("viewer")
  const token = tokenOf({ email: viewer.email, role: "owner" })

  expect((await me(token)).body).toMatchObject({ data: { role: "viewer" } })
  expect((await call("GET /v1/api-keys", undefined, { token })).status).toBe(403)
})

it("the token has no session here, so ending the other sessions ends all of the user's", async () => {
  const { email, userId } = await server.makeUser("viewer")
  const password = "correct horse battery staple"
  await server.sql("update user_account set password_hash = $2, proven_at = now() where id = $1", [
    userId,
    await hashPassword(Redacted.make(password)),
  ])
  const signedIn: { readonly accessToken: string; readonly refreshToken: string } = (
    await call("POST /v1/auth/login", { email, password })
  ).body.data
  const { sid } = decodeJwt(signedIn.accessToken)
  expect(sid).toBeDefined()
  // Only Footfall's own tokens may name a session. This one doesn't exist.
  const token = tokenOf({ email, sid })

  const { data } = (await call("POST /v1/auth/sessions/end-others", undefined, { token })).body

  expect(data).toEqual({ ended: 1 })
  expect(
    (await call("POST /v1/auth/refresh", { refreshToken: signedIn.refreshToken })).status,
  ).toBe(401)
})

describe("the organization", () => {
  it("is that of the org claim, otherwise the one joined first", async () => {
    const both = await server.makeUser("viewer")
    const second = await server.makeOrganization()
    await server.sql(
      "insert into member (organization_id, user_id, role, accepted_at) values ($1, $2, 'owner', now() + interval '1 second')",
      [second.organizationId, both.userId],
    )
    const { email } = both

    expect((await me(tokenOf({ email }))).body).toMatchObject({
      data: { organization: { id: server.organizationId }, role: "viewer" },
    })
    expect((await me(tokenOf({ email, org: second.organizationId }))).body).toMatchObject({
      data: { organization: { id: second.organizationId }, role: "owner" },
    })
  })
})

it.each([
  ["an address no one has", { email: "nobody@tidewater.example" }],
  ["no address", { email: undefined }],
  ["an invalid address", { email: "nobody" }],
  ["an address that is not verified", { email_verified: false }],
  ["an address verified by a text", { email_verified: "true" }],
  ["an address without email_verified", { email_verified: undefined }],
  ["an organization that is not the user's", { org: randomUUID() }],
  ["an organization that is not an id", { org: "tidewater" }],
  ["another audience", { aud: "other" }],
  ["an issue time more than a day ago", { iat: nowSeconds() - 86_500 }],
])("%s is 401", async (_, claims) => {
  expect((await me(tokenOf(claims))).status).toBe(401)
})

it("several audiences are accepted if ours is among them", async () => {
  expect((await me(tokenOf({ aud: ["other", "footfall-dashboard"] }))).status).toBe(200)
})

it("without a client id the console sends no one to the issuer", async () => {
  expect((await call("GET /v1/auth/external")).status).toBe(404)
  expect((await call("GET /v1/auth/external/callback?code=x&state=y")).status).toBe(404)
})

it("local tokens are still accepted", async () => {
  expect((await me(user.accessToken)).status).toBe(200)
})

it("the token of a removed user is 401", async () => {
  const gone = await server.makeUser("owner")
  await server.sql("delete from member where user_id = $1", [gone.userId])

  expect((await me(tokenOf({ email: gone.email }))).status).toBe(401)
})

describe("the issuer proves an address", () => {
  const rights = async (userId: string) => {
    const [row] = await server.sql(
      `select password_hash as password, proven_at is not null as proven,
         (select count(*)::int from member where user_id = id and accepted_at is null) as pending
       from user_account where id = $1`,
      [userId],
    )
    return row
  }

  it("whose password someone else may have chosen: password and tokens become invalid", async () => {
    const squatted = await server.makeUser(
      "owner",
      (await server.makeOrganization()).organizationId,
    )
    const { email, userId } = squatted
    await server.sql("update user_account set password_hash = 'x' where id = $1", [userId])
    await server.sql(
      "insert into member (organization_id, user_id, role, accepted_at) values ($1, $2, 'viewer', null)",
      [server.organizationId, userId],
    )

    const answer = await me(tokenOf({ email, org: server.organizationId }))

    expect(answer.body).toMatchObject({
      data: { role: "viewer", organizations: [{ id: server.organizationId }] },
    })
    expect(await rights(userId)).toEqual({ password: null, proven: true, pending: 1 })
    expect((await me(squatted.accessToken)).status).toBe(401)
  })

  it("which keeps a password that was chosen after the proof", async () => {
    const { email, userId } = await server.makeUser("viewer")
    await server.sql(
      "update user_account set password_hash = 'x', proven_at = now() where id = $1",
      [userId],
    )

    expect((await me(tokenOf({ email }))).status).toBe(200)
    expect(await rights(userId)).toEqual({ password: "x", proven: true, pending: 0 })
  })

  it("and accepts only the invitation of the requested organization", async () => {
    const { email, userId } = await server.makeUser("viewer")
    const [asked, other] = [await server.makeOrganization(), await server.makeOrganization()]
    for (const { organizationId } of [asked, other]) {
      await server.sql(
        "insert into member (organization_id, user_id, role, accepted_at) values ($1, $2, 'viewer', null)",
        [organizationId, userId],
      )
    }

    expect((await me(tokenOf({ email, org: asked.organizationId }))).status).toBe(200)
    expect(await rights(userId)).toMatchObject({ pending: 1 })
  })
})
