// The limits of access/ (spec 10.2): one per user for organizations, members and keys together, and one per address and
// per account for sign-in.
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Option, Redacted } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { cheapHash } from "./cheap-hash.ts"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { RateLimitStore } from "../../src/platform/http/store.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.0/8")
  server = await startServer({ rateLimits: true, workers: false })
  call = caller(server)
})
afterAll(() => server.close())
// Every test counts from 0.
beforeEach(() => server.sql("truncate rate_limit"))

const databaseAt = (url: string) =>
  Database.layer.pipe(
    Layer.provide(
      Layer.succeed(DatabaseConfig, { url: Option.some(Redacted.make(url)), dataDir: "unused" }),
    ),
    Layer.provide(NodeServices.layer),
  )

const password = "correct horse battery staple"
const hash = cheapHash(password)

const limitHeaders = (headers: Headers) =>
  Object.fromEntries(
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) => [
      name,
      headers.get(name),
    ]),
  )
const seconds = expect.stringMatching(/^(?:[1-9]|[1-5]\d|60)$/)
/** Headers of a reverse proxy that say where a request came from. */
const from = (address: string) => ({ headers: { "x-forwarded-for": address } })
const login = (email: string, given = password, address = "203.0.113.1") =>
  call("POST /v1/auth/login", { email, password: given }, from(address))

describe("60 per minute and user", () => {
  it("are shared by organizations, members and keys, and exact over two servers", async () => {
    const beside = await startServer({ rateLimits: true, workers: false, beside: server })
    const { accessToken: token } = await server.makeUser("owner")
    const paths = [
      "GET /v1/organizations",
      `GET /v1/organizations/${server.organizationId}/members`,
      "GET /v1/api-keys",
    ]

    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, n) =>
        caller(n % 2 === 0 ? server : beside)(paths[n % 3]!, undefined, { token }),
      ),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90)
    await beside.close()
  })

  it("are reported in headers, with Retry-After on 429", async () => {
    const { accessToken: token } = await server.makeUser("owner")
    const first = await call("GET /v1/api-keys", undefined, { token })
    for (let n = 0; n < 59; n++) await call("GET /v1/api-keys", undefined, { token })
    const refused = await call("GET /v1/organizations", undefined, { token })

    expect(limitHeaders(first.headers)).toEqual({
      "ratelimit-limit": "60",
      "ratelimit-remaining": "59",
      "ratelimit-reset": seconds,
      "retry-after": null,
    })
    expect(refused.status).toBe(429)
    expect(limitHeaders(refused.headers)).toEqual({
      "ratelimit-limit": "60",
      "ratelimit-remaining": "0",
      "ratelimit-reset": seconds,
      "retry-after": refused.headers.get("ratelimit-reset"),
    })
    expect(refused.body.error).toEqual({
      code: "RATE_LIMITED",
      message: expect.any(String),
      details: { retryAfterSeconds: Number(refused.headers.get("retry-after")) },
    })
  })

  it("come before the role (403), and affect neither another user nor the Data API", async () => {
    const { accessToken: token } = await server.makeUser("viewer")
    const other = (await server.makeUser("owner")).accessToken
    for (let n = 0; n < 60; n++) {
      expect((await call("GET /v1/api-keys", undefined, { token })).status).toBe(403)
    }

    expect((await call("GET /v1/api-keys", undefined, { token })).status).toBe(429)
    expect((await call("GET /v1/api-keys", undefined, { token: other })).status).toBe(200)
    expect((await server.get("/v1/data/pixels")).status).toBe(200)
  })

  it("continue after the counters are lost, without a failed request", async () => {
    const { accessToken: token } = await server.makeUser("owner")
    for (let n = 0; n < 61; n++) await call("GET /v1/api-keys", undefined, { token })

    await server.sql("truncate rate_limit")

    expect((await call("GET /v1/api-keys", undefined, { token })).status).toBe(200)
  })
})

describe("signing in", () => {
  const emails = Array.from({ length: 12 }, (_, n) => `someone-${n}@tidewater.example`)

  it("is 10 per minute and address, including wrong passwords, refresh and invitation", async () => {
    const statuses: Array<number> = []
    for (const email of emails.slice(0, 6)) statuses.push((await login(email)).status)
    const at = from("203.0.113.1")
    const refresh = () => call("POST /v1/auth/refresh", { refreshToken: "x" }, at)
    const accept = () =>
      call("POST /v1/auth/accept-invite", { token: "x", password: "1234567890" }, at)
    const look = () => call("POST /v1/auth/invitation", { token: "x" }, at)
    for (const ask of [refresh, accept, look, accept, look]) statuses.push((await ask()).status)

    expect(statuses).toEqual([...Array(10).fill(401), 429])
    const elsewhere = await login(emails[0]!, password, "203.0.113.2")
    expect(elsewhere.status).toBe(401)
  })

  it("is not used up by renewals without a cookie, which every load of the signed-out console sent", async () => {
    const at = from("203.0.113.14")
    const renew = (cookie?: string) =>
      call(
        "POST /v1/auth/session/refresh",
        {},
        { headers: { ...at.headers, ...(cookie === undefined ? {} : { cookie }) } },
      )
    const statuses: Array<number> = []
    for (let n = 0; n < 12; n++) statuses.push((await renew()).status)
    expect(statuses).toEqual(Array(12).fill(401))

    // A cookie may be a guess, so it counts.
    for (let n = 0; n < 10; n++) await renew(`footfall_session=rt_guess${n}`)
    expect((await renew("footfall_session=rt_guess")).status).toBe(429)
    expect((await renew()).status).toBe(401)
  })

  it("counts an IPv6 client by its /64, and no longer network", async () => {
    for (let n = 0; n < 10; n++) await login(emails[n]!, password, `2001:db8:1:2::${n + 1}`)

    expect((await login(emails[10]!, password, "2001:db8:1:2:ffff::1")).status).toBe(429)
    expect((await login(emails[10]!, password, "2001:db8:1:3::1")).status).toBe(401)
  })

  it("uses the right-most address that is not a proxy, so a client cannot evade it with its own header", async () => {
    for (let n = 0; n < 10; n++) {
      await login(emails[n]!, password, `198.51.100.${n}, 203.0.113.9`)
    }

    expect((await login(emails[10]!, password, "198.51.100.99, 203.0.113.9")).status).toBe(429)
  })

  it("is exact with 40 concurrent requests to two servers", async () => {
    const beside = await startServer({ rateLimits: true, workers: false, beside: server })
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        caller(n % 2 === 0 ? server : beside)(
          "POST /v1/auth/refresh",
          { refreshToken: "x" },
          from("203.0.113.1"),
        ),
      ),
    )

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    await beside.close()
  })

  it("is 5 failures per minute, account and address, whether the account exists or not", async () => {
    const user = await server.makeUser("owner")
    await server.sql("update user_account set password_hash = $2 where id = $1", [
      user.userId,
      hash,
    ])
    for (const [email, address] of [
      [user.email, "203.0.113.10"],
      ["nobody@tidewater.example", "203.0.113.11"],
    ] as const) {
      for (let n = 0; n < 5; n++) {
        expect((await login(email, "wrong password", address)).status).toBe(401)
      }
      const refused = await login(email, password, address)
      expect(refused.status).toBe(429)
      expect(limitHeaders(refused.headers)).toMatchObject({
        "ratelimit-limit": "5",
        "ratelimit-remaining": "0",
        "retry-after": seconds,
      })
    }
  })

  it("of one account does not use up the limit of the address for the others", async () => {
    const address = "203.0.113.12"
    for (let n = 0; n < 5; n++) await login("nobody@tidewater.example", "wrong password", address)
    for (let n = 0; n < 10; n++) {
      expect((await login("nobody@tidewater.example", "wrong password", address)).status).toBe(429)
    }

    expect((await login("someone@tidewater.example", "wrong password", address)).status).toBe(401)
  })

  it("is 30 exchanges per minute and chain of refresh tokens", async () => {
    const user = await server.makeUser("owner")
    await server.sql("update user_account set password_hash = $2 where id = $1", [
      user.userId,
      hash,
    ])
    let { refreshToken }: { refreshToken: string } = (await login(user.email)).body.data
    for (let n = 0; n < 30; n++) {
      const answer = await call("POST /v1/auth/refresh", { refreshToken }, from("203.0.113.1"))
      refreshToken = (answer.body.data as { refreshToken: string }).refreshToken
    }

    const refused = await call("POST /v1/auth/refresh", { refreshToken }, from("203.0.113.2"))
    expect(refused.status).toBe(429)
    await server.sql("truncate rate_limit")
    const later = await call("POST /v1/auth/refresh", { refreshToken }, from("203.0.113.2"))
    expect(later.status).toBe(200)
  })

  it("reports the limit with less left", async () => {
    const first = await login("one@tidewater.example")
    for (const email of emails.slice(0, 6)) await login(email)
    const eighth = await login("two@tidewater.example")

    expect(limitHeaders(first.headers)).toMatchObject({
      "ratelimit-limit": "5",
      "ratelimit-remaining": "4",
    })
    expect(limitHeaders(eighth.headers)).toMatchObject({
      "ratelimit-limit": "10",
      "ratelimit-remaining": "2",
    })
  })

  it("does not affect keys and tokens, even from the same address", async () => {
    const { accessToken: token } = await server.makeUser("owner")
    await Promise.all(emails.map((email) => login(email)))
    expect((await login(emails[0]!)).status).toBe(429)

    const { headers } = from("203.0.113.1")
    expect((await server.get("/v1/data/pixels", headers)).status).toBe(200)
    expect((await call("GET /v1/auth/me", undefined, { token, headers })).status).toBe(200)
  })

  it("stores neither address nor account in the counters", async () => {
    await login("jane.mercer@tidewater.example", password, "203.0.113.77")

    const buckets = JSON.stringify(await server.sql("select bucket from rate_limit"))

    expect(buckets).toMatch(/auth:/)
    expect(buckets).toMatch(/auth-account:/)
    expect(buckets).not.toMatch(/203\.0\.113|jane|mercer/)
  })
})

describe("a limit per address that comes before credentials", () => {
  const ask = (apiKey: string) =>
    call("GET /v1/data/suppression-rules", undefined, { apiKey, ...from("203.0.113.1") })

  it("is not used up by 401s: 30 good requests pass after 100 bad ones, and the 31st is refused", async () => {
    const bad = `sk_${"0".repeat(43)}`
    for (let n = 0; n < 10; n++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(bad)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    }

    const statuses: Array<number> = []
    for (let n = 0; n < 31; n++) statuses.push((await ask(server.apiKey)).status)

    expect(statuses).toEqual([...Array(30).fill(200), 429])
    expect((await ask(bad)).status).toBe(429)
  })

  it("counts exactly what it let through, also when others were refused in the meantime", async () => {
    const [bucket, limit] = ["a bucket", 30]
    const used = await RateLimitStore.pipe(
      Effect.flatMap((store) =>
        Effect.gen(function* () {
          for (let n = 0; n < 40; n++) yield* store.consume(bucket, limit)
          for (let n = 0; n < limit; n++) yield* store.giveBack(bucket, limit)
          return (yield* store.consume(bucket, limit)).used
        }),
      ),
      Effect.provide(Layer.provide(RateLimitStore.layer, databaseAt(server.databaseUrl))),
      Effect.runPromise,
    )

    expect(used).toBe(1)
  })
})
