// A user's sessions and ending them (spec 5.12.12 and 5.12.13).
import { Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  server = await startServer({ workers: false })
  call = caller(server)
})
afterAll(() => server.close())

const password = "correct horse battery staple"
const hash = hashPassword(Redacted.make(password))

const makeMember = async () => {
  const user = await server.makeUser("viewer")
  await server.sql("update user_account set password_hash = $2 where id = $1", [
    user.userId,
    await hash,
  ])
  return user
}

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

const signIn = async (email: string, userAgent = "test/1.0"): Promise<Tokens> => {
  const answer = await fetch(`${server.url}/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent },
    body: JSON.stringify({ email, password }),
  })
  const { data } = (await answer.json()) as { readonly data: Tokens }
  return data
}

const refresh = async (refreshToken: string) => call("POST /v1/auth/refresh", { refreshToken })

interface Listed {
  readonly id: string
  readonly isCurrent: boolean
}

const list = async (token: string): Promise<ReadonlyArray<Listed>> =>
  (await call("GET /v1/auth/sessions", undefined, { token })).body.data

it("a user sees each of their sessions with its client, most recently used first, and which one is current", async () => {
  const { email } = await makeMember()
  await signIn((await makeMember()).email)
  const first = await signIn(email, `first/1.0 ${"x".repeat(400)}`)
  const second = await signIn(email, "second/1.0")
  const renewed: Tokens = (await refresh(first.refreshToken)).body.data

  const seen = await list(renewed.accessToken)

  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const times = { createdAt: time, lastUsedAt: time, expiresAt: time }
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const userAgent = `first/1.0 ${"x".repeat(290)}`
  expect(seen).toEqual([
    { id, isCurrent: true, isConsole: false, userAgent, ...times },
    { id, isCurrent: false, isConsole: false, userAgent: "second/1.0", ...times },
  ])
  const asSecond = await list(second.accessToken)
  expect(asSecond.map(({ isCurrent }) => isCurrent)).toEqual([false, true])
})

it("an ended session is not renewed, and can't be ended again or by someone else", async () => {
  const { email } = await makeMember()
  const stranger = await signIn((await makeMember()).email)
  const [here, there] = [await signIn(email), await signIn(email)]
  const { id } = (await list(there.accessToken)).find(({ isCurrent }) => isCurrent)!
  const end = async (token: string, which = id) =>
    (await call(`DELETE /v1/auth/sessions/${which}`, undefined, { token })).status

  expect(await end(stranger.accessToken)).toBe(404)
  expect(await end(here.accessToken, randomUUID())).toBe(404)
  expect(await end(here.accessToken)).toBe(200)

  expect(await end(here.accessToken)).toBe(404)
  expect((await refresh(there.refreshToken)).status).toBe(401)
  expect((await refresh(here.refreshToken)).status).toBe(200)
})

it("all other sessions of a user end, and the current one continues", async () => {
  const { email } = await makeMember()
  const stranger = await signIn((await makeMember()).email)
  const [here, ...others] = [await signIn(email), await signIn(email), await signIn(email)]

  const answer = await call("POST /v1/auth/sessions/end-others", undefined, {
    token: here.accessToken,
  })

  expect(answer.body.data).toEqual({ ended: 2 })
  for (const { refreshToken } of others) expect((await refresh(refreshToken)).status).toBe(401)
  expect((await refresh(here.refreshToken)).status).toBe(200)
  expect((await refresh(stranger.refreshToken)).status).toBe(200)
})
