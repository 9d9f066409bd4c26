// Failed sign-ins by others lock out no user, and guessing stays limited (spec 10.2).
import { Redacted } from "effect"
import { scrypt } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { cheapHash } from "./cheap-hash.ts"
import { caller } from "./request.ts"

vi.mock("node:crypto", async (original) => {
  const actual = await original<{ readonly scrypt: typeof scrypt }>()
  return { ...actual, scrypt: vi.fn<typeof scrypt>(actual.scrypt) }
})

const password = "correct horse battery staple"
const hash = cheapHash(password)
const home = "203.0.113.1"
const stranger = "198.51.100.1"

let server: TestServer
let call: ReturnType<typeof caller>
let user: TestUser

beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.0/8")
  server = await startServer({ rateLimits: true, workers: false })
  call = caller(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.sql("truncate rate_limit") // Every test counts from 0.
  user = await server.makeUser("owner")
  await server.sql("update user_account set password_hash = $2 where id = $1", [user.userId, hash])
})

/** Headers of a reverse proxy that say where a request came from. */
const from = (address: string) => ({ headers: { "x-forwarded-for": address } })
const login = (given: string, address: string, email = user.email) =>
  call("POST /v1/auth/login", { email, password: given }, from(address))
const refresh = (refreshToken: string, address: string) =>
  call("POST /v1/auth/refresh", { refreshToken }, from(address))

describe("a stranger's failed sign-ins", () => {
  it("prevent the owner neither from signing in nor from refreshing", async () => {
    const { refreshToken } = (await login(password, home)).body.data as { refreshToken: string }
    for (let n = 0; n < 9; n++) await login("wrong password", stranger)

    expect((await login(password, home)).status).toBe(200)
    expect((await refresh(refreshToken, home)).status).toBe(200)
  })

  it("end no session, even from the owner's own address", async () => {
    const { refreshToken } = (await login(password, home)).body.data as { refreshToken: string }
    for (let n = 0; n < 12; n++) await login("wrong password", home, `someone-${n}@acme.example`)
    expect((await login("wrong password", home)).status).toBe(429)

    expect((await refresh(refreshToken, home)).status).toBe(200)
  })

  it("from many addresses are bounded all together, and a known address still gets in", async () => {
    const tokens = (await login(password, home)).body.data as { refreshToken: string }
    const statuses: Array<number> = []
    for (let n = 0; n < 102; n++) {
      statuses.push((await login("wrong password", `198.51.${Math.floor(n / 200)}.${n}`)).status)
    }

    expect(statuses).toEqual([...Array(100).fill(401), 429, 429])
    expect((await login(password, "192.0.2.7")).status).toBe(429)
    expect((await login(password, home)).status).toBe(200)
    expect((await refresh(tokens.refreshToken, "192.0.2.7")).status).toBe(200)
  })
})

it("a request rejected by one limit does not count for the other", async () => {
  for (let n = 0; n < 5; n++) await login("wrong password", home)
  for (let n = 0; n < 20; n++) expect((await login("wrong password", home)).status).toBe(429)

  const statuses: Array<number> = []
  for (let n = 0; n < 6; n++) {
    statuses.push((await login("wrong password", home, `someone-${n}@acme.example`)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

it("a successful sign-in does not count for the account", async () => {
  for (let n = 0; n < 8; n++) expect((await login(password, home)).status).toBe(200)
})

it("a sign-in rejected because others are waiting does not count as a failure", async () => {
  const { scrypt: real } = await vi.importActual<{ scrypt: typeof scrypt }>("node:crypto")
  const opened = Promise.withResolvers<void>()
  // Makes waiting comparisons cheap at the end.
  vi.mocked(scrypt).mockImplementation(((...given: Parameters<typeof scrypt>) => {
    const [text, salt, length, options, callback] = given
    void opened.promise.then(() => real(text, salt, length, { ...options, N: 2 }, callback))
  }) as typeof scrypt)
  // Two are compared, two hundred wait.
  const others = Array.from({ length: 205 }, (_, n) =>
    login("wrong password", `198.51.100.${n}`, `visitor-${n}@acme.example`),
  )
  const answered: Array<number> = []
  for (const other of others) void other.then(({ status }) => answered.push(status))
  const statuses: Array<number> = []
  try {
    await vi.waitFor(() => expect(answered.length).toBeGreaterThanOrEqual(3), { timeout: 30_000 })
    for (let n = 0; n < 6; n++) statuses.push((await login(password, home)).status)
  } finally {
    opened.resolve()
    await Promise.all(others)
    vi.mocked(scrypt).mockReset()
  }

  expect(statuses).toEqual(Array(6).fill(503))
  expect((await login(password, home)).status).toBe(200)
})

it("an invalid refresh token counts for the address, like a wrong password", async () => {
  const statuses: Array<number> = []
  for (let n = 0; n < 11; n++) statuses.push((await refresh("no token", home)).status)

  expect(statuses).toEqual([...Array(10).fill(401), 429])
})

it("a password is derived for an unknown address as for a known one, with the same cost", async () => {
  const derived = vi.mocked(scrypt)
  const costsOf = async (email: string) => {
    derived.mockClear()
    expect((await login("wrong password", home, email)).status).toBe(401)
    return derived.mock.calls.map(([, salt, length, options]) => [
      Buffer.byteLength(salt as Buffer),
      length,
      options,
    ])
  }
  await server.sql("insert into user_account (id, email) values (gen_random_uuid(), $1)", [
    "invited@tidewater.example",
  ])
  await server.sql("update user_account set password_hash = $2 where id = $1", [
    user.userId,
    await hashPassword(Redacted.make(password)),
  ])

  const known = await costsOf(user.email)

  expect(known).toHaveLength(1)
  expect(await costsOf("nobody@tidewater.example")).toEqual(known)
  expect(await costsOf("invited@tidewater.example")).toEqual(known)
})

it("a user's addresses are stored as keyed hashes", async () => {
  await login(password, home)
  const rows = await server.sql("select * from known_address where user_id = $1", [user.userId])
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(home)
})
