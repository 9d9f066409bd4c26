// Every change of state in access/ adds one entry to the audit log: who, what, in which organization, in which request.
// It contains ids and no values.
import { Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let owner: TestUser
let call: ReturnType<typeof caller>
const password = "correct horse battery staple"
beforeAll(async () => {
  server = await startServer({ workers: false })
  owner = await server.makeUser("owner")
  await server.sql("update user_account set password_hash = $2 where id = $1", [
    owner.userId,
    await hashPassword(Redacted.make(password)),
  ])
  call = caller(server)
})
afterAll(() => server.close())

/** The entries since the last call. */
const entries = () =>
  server.sql(
    "delete from audit_entry returning organization_id, actor_type, actor_id, action, target_id, request_id",
  )

/** Runs the action, checks its one entry, and returns the action's result. */
const expectEntry = async (
  action: string,
  ask: () => ReturnType<typeof call>,
  more: Readonly<Record<string, unknown>> = {},
) => {
  await entries()
  const answer = await ask()
  expect(answer.status).toBeLessThan(300)
  expect(await entries()).toEqual([
    {
      organization_id: server.organizationId,
      actor_type: "user",
      actor_id: owner.userId,
      action,
      target_id: owner.userId,
      request_id: answer.headers.get("x-request-id"),
      ...more,
    },
  ])
  return answer
}

it("signing in, refreshing and signing out add an entry each", async () => {
  const login = () => call("POST /v1/auth/login", { email: owner.email, password })
  const signedIn = await expectEntry("user.logged_in", login)
  const first: { accessToken: string; refreshToken: string } = signedIn.body.data

  const refreshed = await expectEntry("user.token_refreshed", () =>
    call("POST /v1/auth/refresh", { refreshToken: first.refreshToken }),
  )
  const { refreshToken }: typeof first = refreshed.body.data
  await expectEntry("user.logged_out", () =>
    call("POST /v1/auth/logout", { refreshToken }, { token: first.accessToken }),
  )
})

it("a refresh token used twice adds an entry about its chain's end", async () => {
  const signedIn = await call("POST /v1/auth/login", { email: owner.email, password })
  const { refreshToken }: { refreshToken: string } = signedIn.body.data
  await call("POST /v1/auth/refresh", { refreshToken })
  await entries()

  await call("POST /v1/auth/refresh", { refreshToken })

  expect(await entries()).toMatchObject([{ action: "user.token_reused", target_id: owner.userId }])
})

it("organizations, members and keys add an entry per change", async () => {
  const { accessToken: token } = owner
  const path = `/v1/organizations/${server.organizationId}`
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

  await expectEntry(
    "organization.created",
    () =>
      call("POST /v1/organizations", { name: "One", slug: randomUUID().slice(0, 20) }, { token }),
    { organization_id: uuid, target_id: null },
  )
  await expectEntry(
    "organization.updated",
    () => call(`PATCH ${path}`, { name: "Two" }, { token }),
    {
      target_id: null,
    },
  )
  const email = `${randomUUID()}@tidewater.example`
  const added = await expectEntry(
    "member.added",
    () => call(`POST ${path}/members`, { email, role: "viewer" }, { token }),
    { target_id: uuid },
  )
  const { member }: { member: { userId: string } } = added.body.data
  const invited = await expectEntry(
    "member.invited",
    () => call(`POST ${path}/members/${member.userId}/invitation`, undefined, { token }),
    { target_id: member.userId },
  )
  const { inviteToken }: { inviteToken: string } = invited.body.data
  await expectEntry(
    "user.invite_accepted",
    () => call("POST /v1/auth/accept-invite", { token: inviteToken, password }),
    { actor_id: member.userId, target_id: member.userId },
  )
  const target = { target_id: member.userId }
  await expectEntry(
    "member.updated",
    () => call(`PATCH ${path}/members/${member.userId}`, { role: "admin" }, { token }),
    target,
  )
  await expectEntry(
    "member.removed",
    () => call(`DELETE ${path}/members/${member.userId}`, undefined, { token }),
    target,
  )
  const made = await expectEntry(
    "api_key.created",
    () => call("POST /v1/api-keys", { name: "Reports" }, { token }),
    { target_id: uuid },
  )
  const { apiKey }: { apiKey: { id: string } } = made.body.data
  await expectEntry(
    "api_key.revoked",
    () => call(`DELETE /v1/api-keys/${apiKey.id}`, undefined, { token }),
    { target_id: apiKey.id },
  )
})

it("rejected requests and requests that change nothing add none", async () => {
  const { accessToken: token, userId } = owner
  const path = `/v1/organizations/${server.organizationId}/members`
  await entries()

  await call("POST /v1/auth/login", { email: owner.email, password: "wrong password" })
  await call("POST /v1/auth/refresh", { refreshToken: "x" })
  await call(`DELETE ${path}/${userId}`, undefined, { token })
  await call(`PATCH ${path}/${userId}`, { role: "owner" }, { token })
  await call(`POST ${path}`, { email: owner.email, role: "viewer" }, { token })
  await call(`DELETE /v1/api-keys/${randomUUID()}`, undefined, { token })
  await call("GET /v1/auth/me", undefined, { token })

  expect(await entries()).toEqual([])
})
