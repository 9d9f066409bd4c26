// What an attacker with an account tries: staying after being removed, exceeding limits, and keeping the server busy
// with passwords.
import { Redacted } from "effect"
import { scrypt } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import type { Role } from "../../src/access/role.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

vi.mock("node:crypto", async (original) => {
  const actual = await original<{ readonly scrypt: typeof scrypt }>()
  return { ...actual, scrypt: vi.fn<typeof scrypt>(actual.scrypt) }
})

let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.0/8")
  server = await startServer({ workers: false })
  call = caller(server)
})
afterAll(() => server.close())

/** A member of a new organization, whose membership the server has cached. */
const makeMember = async (role: Role) => {
  const { organizationId } = await server.makeOrganization()
  const owner = await server.makeUser("owner", organizationId)
  const user = await server.makeUser(role, organizationId)
  const path = `/v1/organizations/${organizationId}/members`
  const token = user.accessToken
  expect((await call(`GET ${path}`, undefined, { token })).status).toBe(200)
  return { organizationId, owner, path, token, userId: user.userId }
}

describe("a user who just lost the role", () => {
  const attempts = async ({ owner, path, token }: Awaited<ReturnType<typeof makeMember>>) => {
    const answers = [
      await call(`POST ${path}`, { email: "back@door.example", role: "owner" }, { token }),
      await call(`PATCH ${path}/${owner.userId}`, { role: "viewer" }, { token }),
      await call(`DELETE ${path}/${owner.userId}`, undefined, { token }),
      await call("POST /v1/api-keys", { name: "Back door" }, { token }),
    ]
    return answers.map(({ status }) => status)
  }
  const change = {
    demoted: "update member set role = 'viewer' where organization_id = $1 and user_id = $2",
    removed: "delete from member where organization_id = $1 and user_id = $2",
  }

  it.each(["demoted", "removed"] as const)(
    "%s, changes no members and creates no key, although reading may work for 5 more seconds",
    async (how) => {
      const former = await makeMember("owner")
      await server.sql(change[how], [former.organizationId, former.userId])

      const statuses = await attempts(former)

      // 401 once the server has read the membership again.
      for (const status of statuses) expect([401, 403]).toContain(status)
      const members = await server.sql(
        "select user_id, role from member where organization_id = $1 and role <> 'viewer'",
        [former.organizationId],
      )
      expect(members).toEqual([{ user_id: former.owner.userId, role: "owner" }])
      const keys = await server.sql(
        "select name from api_key where organization_id = $1 and name = 'Back door'",
        [former.organizationId],
      )
      expect(keys).toEqual([])
    },
  )
})

describe("an organization", () => {
  const putKeys = (organizationId: string, count: number) =>
    server.sql(
      `insert into api_key (organization_id, id, name, prefix, last4, digest)
       select $1, gen_random_uuid(), 'n', 'sk_0000', '0000', sha256(gen_random_uuid()::text::bytea)
       from generate_series(1, $2::int)`,
      [organizationId, count],
    )

  it("has 100 usable keys; one more is 409 CONFLICT until one is revoked", async () => {
    const { organizationId, token } = await makeMember("admin")
    await putKeys(organizationId, 98)
    const make = () => call("POST /v1/api-keys", { name: "Another" }, { token })

    const last = await make()
    const refused = await make()
    const { apiKey } = last.body.data as { apiKey: { id: string } }
    await call(`DELETE /v1/api-keys/${apiKey.id}`, undefined, { token })

    expect(last.status).toBe(201)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({ code: "CONFLICT", details: { limit: 100 } })
    expect((await make()).status).toBe(201)
  })

  it("gets one key of ten concurrent requests when one is left", async () => {
    const { organizationId, token } = await makeMember("admin")
    await putKeys(organizationId, 98)

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call("POST /v1/api-keys", { name: "Another" }, { token })),
    )

    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array<number>(9).fill(409)])
  })
})

it("a user invites 200 times a day, new members and pending ones, not counting rejected ones", async () => {
  const limited = await startServer({ workers: false, beside: server, rateLimits: true })
  const { path, token, userId } = await makeMember("admin")
  const add = (email: string) =>
    caller(limited)(`POST ${path}`, { email, role: "viewer" }, { token })
  const again = (id: string) =>
    caller(limited)(`POST ${path}/${id}/invitation`, undefined, { token })
  const { body } = await call(
    `POST ${path}`,
    { email: "zero@acme.example", role: "viewer" },
    { token },
  )
  const { member }: { readonly member: { readonly userId: string } } = body.data
  await server.sql(
    `insert into rate_limit (bucket, window_ends_at, used)
     values ('members-per-day:' || $1::text, now() + interval '20 hours', 197)`,
    [userId],
  )

  const statuses = [
    (await add("one@acme.example")).status,
    (await add("one@acme.example")).status,
    (await add("two@acme.example")).status,
    (await again(userId)).status,
    (await again(member.userId)).status,
    (await again(member.userId)).status,
  ]
  const refused = await add("three@acme.example")

  expect(statuses).toEqual([201, 409, 201, 409, 201, 429])
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(19 * 3_600)
  await limited.close()
})

describe("sign-ins", () => {
  const password = "correct horse battery staple"
  const login = (given = password, email = "nobody@tidewater.example") =>
    call("POST /v1/auth/login", { email, password: given })
  const derived = vi.mocked(scrypt)
  beforeEach(() => void derived.mockReset())

  /** Hashing waits until it is released. Returns the largest number of concurrent hashes. */
  const holdHashing = async (isHeld = (_password: unknown) => true) => {
    const { scrypt: real } = await vi.importActual<{ scrypt: typeof scrypt }>("node:crypto")
    const opened = Promise.withResolvers<void>()
    let atOnce = 0
    let most = 0
    derived.mockImplementation(((...given: Parameters<typeof scrypt>) => {
      most = Math.max(most, ++atOnce)
      const done = given.at(-1) as (...answer: ReadonlyArray<unknown>) => void
      const told = (...answer: ReadonlyArray<unknown>) => {
        atOnce--
        done(...answer)
      }
      const hash = () => real(...([...given.slice(0, -1), told] as typeof given))
      if (isHeld(given[0])) void opened.promise.then(hash)
      else hash()
    }) as typeof scrypt)
    return { letGo: opened.resolve, most: () => most }
  }
  const loginFrom = (address: string, n = 0, given = password) =>
    call(
      "POST /v1/auth/login",
      { email: `nobody-${n}@tidewater.example`, password: given },
      { headers: { "x-forwarded-for": address } },
    )

  it("from one address at once: one password is hashed, 10 wait, and the others are 503 with Retry-After", async () => {
    const { letGo, most } = await holdHashing()
    const refused: Array<string | null> = []
    const all = Array.from({ length: 30 }, async (_, n) => {
      const answer = await loginFrom("203.0.113.1", n)
      if (answer.status === 503) refused.push(answer.headers.get("retry-after"))
      return answer.status
    })
    await vi.waitFor(() => expect(refused).toHaveLength(19), { timeout: 30_000 })
    letGo()

    const statuses = await Promise.all(all)

    expect(statuses.toSorted()).toEqual([
      ...Array<number>(11).fill(401),
      ...Array<number>(19).fill(503),
    ])
    for (const seconds of refused) expect(Number(seconds)).toBeGreaterThan(0)
    expect(most()).toBe(1)
  })

  it("from an address with many of them keep no one elsewhere from signing in", async () => {
    const user = await server.makeUser("owner")
    await server.sql("update user_account set password_hash = $2 where id = $1", [
      user.userId,
      await hashPassword(Redacted.make(password)),
    ])
    const { letGo, most } = await holdHashing((given) => given !== password)
    const others = Array.from({ length: 11 }, (_, n) => loginFrom("203.0.113.1", n, "a wrong one"))
    await vi.waitFor(() => expect(most()).toBe(1), { timeout: 30_000 })

    const own = await call(
      "POST /v1/auth/login",
      { email: user.email, password },
      { headers: { "x-forwarded-for": "198.51.100.1" } },
    )

    expect(own.status).toBe(200)
    letGo()
    // Those that waited too long on a slow machine get 503.
    for (const { status } of await Promise.all(others)) expect([401, 503]).toContain(status)
    expect(most()).toBe(2)
  })

  it("with a password of a megabyte are rejected without normalizing it", async () => {
    const user = await server.makeUser("owner")
    derived.mockClear()

    const answer = await login("\uFDFA".repeat(340_000), user.email)

    expect(answer.status).toBe(401)
    expect(derived.mock.calls.map(([given]) => String(given).length)).toEqual([0])
  })

  it("leave a user with 100 sessions: beyond that, the least recently used one ends", async () => {
    const user = await server.makeUser("owner")
    await server.sql("update user_account set password_hash = $2 where id = $1", [
      user.userId,
      await hashPassword(Redacted.make(password)),
    ])
    const first = (await login(password, user.email)).body.data as { refreshToken: string }
    await server.sql(
      `insert into refresh_chain (id, user_id, digest, expires_at)
       select gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), now() + interval '31 days'
       from generate_series(1, 99)`,
      [user.userId],
    )

    const last = (await login(password, user.email)).body.data as { refreshToken: string }

    const [row] = await server.sql(
      "select count(*)::int as sessions from refresh_chain where user_id = $1",
      [user.userId],
    )
    expect(row).toEqual({ sessions: 100 })
    const refreshed = await Promise.all(
      [first, last].map(({ refreshToken }) => call("POST /v1/auth/refresh", { refreshToken })),
    )
    expect(refreshed.map(({ status }) => status)).toEqual([401, 200])
  })
})
