// A password changes while someone signs in with the old one (spec 5.12). Whichever finishes first, no session outlives
// the change. A connection of the test makes the change and pauses it at the decisive moment.
import { Redacted } from "effect"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let call: ReturnType<typeof caller>
let changing: pg.Client
beforeAll(async () => {
  server = await startServer({ workers: false })
  call = caller(server)
  changing = new pg.Client(server.databaseUrl)
  await changing.connect()
})
afterAll(async () => {
  await changing.end()
  await server.close()
})

const password = "correct horse battery staple"
const hash = hashPassword(Redacted.make(password))
const otherHash = hashPassword(Redacted.make("a longer horse battery staple"))

const makeUser = async () => {
  const user = await server.makeUser("member")
  await server.sql("update user_account set password_hash = $2 where id = $1", [
    user.userId,
    await hash,
  ])
  return user
}

const sessionsOf = async (userId: string) =>
  (await server.sql("select from refresh_chain where user_id = $1", [userId])).length

/** How many statements of the server wait for the change. */
const waiting = async () =>
  (
    await server.sql(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

/** Resolves once the server's work waits for the change. */
const untilItWaits = async () => {
  await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0)
}

const hold = async (userId: string) => {
  await changing.query("begin")
  await changing.query("select from user_account where id = $1 for update", [userId])
}

it("a sign-in with the previous password is refused if the change comes first", async () => {
  const { email, userId } = await makeUser()
  await hold(userId)

  const login = call("POST /v1/auth/login", { email, password })
  await untilItWaits()
  await changing.query("update user_account set password_hash = $2 where id = $1", [
    userId,
    await otherHash,
  ])
  await changing.query("delete from refresh_chain where user_id = $1", [userId])
  await changing.query("commit")

  expect((await login).status).toBe(401)
  expect(await sessionsOf(userId)).toBe(0)
})

it("a terminal approved earlier gets no tokens if the change comes first", async () => {
  const { accessToken, userId } = await makeUser()
  const started = await call("POST /v1/auth/device", {})
  const { deviceCode, userCode } = started.body.data
  await call("POST /v1/auth/device/approve", { userCode, approve: true }, { token: accessToken })
  await hold(userId)

  const tokens = call("POST /v1/auth/device/token", { deviceCode })
  await untilItWaits()
  await changing.query("delete from refresh_chain where user_id = $1", [userId])
  await changing.query("delete from device_login where user_id = $1", [userId])
  await changing.query("commit")

  expect((await tokens).body.error.details).toMatchObject({ reason: "expired_token" })
  expect(await sessionsOf(userId)).toBe(0)
})

it("of two changes at once with the same current password, only the first succeeds", async () => {
  const { accessToken, email, userId } = await makeUser()
  await hold(userId)
  const change = (newPassword: string) =>
    call(
      "POST /v1/auth/password",
      { currentPassword: password, newPassword },
      { token: accessToken },
    )

  const changes = ["staple battery horse one", "staple battery horse two"]
  const responses = Promise.all(changes.map(change))
  // Both have compared the current password by then.
  await expect.poll(waiting, { timeout: 30_000 }).toBe(2)
  await changing.query("commit")

  const statuses = (await responses).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 400])
  const valid = changes[statuses.indexOf(200)]!
  expect((await call("POST /v1/auth/login", { email, password: valid })).status).toBe(200)
})
