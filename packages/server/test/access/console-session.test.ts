// The session of the console (spec 17.1): its cookie, its tokens, and what only these may do.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cheapHash } from "./cheap-hash.ts"
import type { Role } from "../../src/access/role.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { operationCodes } from "./operation-codes.ts"
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

const makeMember = async (role: Role = "owner") => {
  const user = await server.makeUser(role)
  await server.sql("update user_account set password_hash = $2 where id = $1", [user.userId, hash])
  return user
}

interface Session {
  readonly accessToken: string
}

const start = async (role?: Role, headers: Readonly<Record<string, string>> = {}) => {
  const { email } = await makeMember(role)
  const answer = await call("POST /v1/auth/session", { email, password }, { headers })
  const [setCookie = ""] = answer.headers.getSetCookie()
  const session = answer.body.data as Session | undefined
  return { answer, setCookie, cookie: setCookie.split(";")[0]!, token: session?.accessToken ?? "" }
}

const refresh = (cookie: string) =>
  call("POST /v1/auth/session/refresh", {}, { headers: { cookie } })

const cookieOf = ({ headers }: Awaited<ReturnType<typeof refresh>>) =>
  (headers.getSetCookie()[0] ?? "").split(";")[0]!

/** Makes the session look as if it had last been renewed this much earlier. */
const elapse = (cookie: string, seconds: number) => {
  const chain = Buffer.from(cookie.split("rt_")[1]!, "base64url").subarray(0, 16).toString("hex")
  return server.sql(
    "update refresh_chain set expires_at = expires_at - make_interval(secs => $2) where id = $1::uuid",
    [chain, seconds],
  )
}

describe("a session", () => {
  it("is not started by another client's refresh token, nor renewed as one", async () => {
    const { email } = await makeMember()
    const { refreshToken } = (await call("POST /v1/auth/login", { email, password })).body.data
    const { cookie } = await start()

    expect((await refresh(`footfall_session=${refreshToken}`)).status).toBe(401)
    const stolen = { refreshToken: cookie.replace("footfall_session=", "") }
    expect((await call("POST /v1/auth/refresh", stolen)).status).toBe(401)

    // Neither request ended its session.
    expect((await call("POST /v1/auth/refresh", { refreshToken })).status).toBe(200)
    expect((await refresh(cookie)).status).toBe(200)
  })

  it("starts with a password, and keeps its refresh token in a cookie that no script can read", async () => {
    const { answer, setCookie } = await start()

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: "Bearer",
      expiresIn: 3600,
    })
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(setCookie).toMatch(/^footfall_session=rt_[\w-]{64};/)
    expect(setCookie.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/v1/auth",
      "SameSite=Strict",
    ])
  })

  it("does not start with a wrong password, and then sets no cookie", async () => {
    const { email } = await makeMember()
    const answer = await call("POST /v1/auth/session", { email, password: "wrong" })

    expect(answer.status).toBe(401)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it("is renewed by its cookie, which works once", async () => {
    const { cookie } = await start()
    const renewed = await refresh(cookie)

    expect(renewed.status).toBe(200)
    const next = cookieOf(renewed)
    expect(next).not.toBe(cookie)

    await elapse(next, 11)
    const again = await refresh(cookie)
    expect(again.status).toBe(401)
    expect(again.headers.getSetCookie()[0]).toMatch(/^footfall_session=;.*Max-Age=0/)
    // A refresh token used twice was stolen or lost, so the session ends for both holders.
    expect((await refresh(next)).status).toBe(401)
  })

  it("returns the same next token for ten seconds, because a page reloaded during the renewal never sees it", async () => {
    const { cookie } = await start()
    const lost = await refresh(cookie)
    await elapse(cookieOf(lost), 9)
    const repeated = await Promise.all([refresh(cookie), refresh(cookie)])

    expect(repeated.map(({ status }) => status)).toEqual([200, 200])
    expect(repeated.map(cookieOf)).toEqual([cookieOf(lost), cookieOf(lost)])

    // Using the next token and then the lost one ends the session.
    const third = await refresh(cookieOf(lost))
    expect(third.status).toBe(200)
    expect((await refresh(cookie)).status).toBe(401)
    expect((await refresh(cookieOf(third))).status).toBe(401)
  })

  it("is also ended by the token that was just exchanged", async () => {
    const { cookie } = await start()
    const lost = await refresh(cookie)
    const ended = await call("DELETE /v1/auth/session", undefined, { headers: { cookie } })

    expect(ended.status).toBe(200)
    expect((await refresh(cookieOf(lost))).status).toBe(401)
  })

  it.each(["", "footfall_session=", "footfall_session=rt_x", "other=1"])(
    "is not renewed by the cookies %j",
    async (cookie) => {
      expect((await refresh(cookie)).status).toBe(401)
    },
  )

  it("is not started for an organization the user is not in", async () => {
    const { email } = await makeMember()
    const { organizationId } = await server.makeOrganization()
    const started = await call("POST /v1/auth/session", { email, password, organizationId })

    expect(started.status).toBe(401)
    expect(started.headers.getSetCookie()).toEqual([])
  })

  it("is not renewed for an organization the user is not in, but continues", async () => {
    const { organizationId } = await server.makeOrganization()
    const { cookie } = await start()
    const renewed = await call(
      "POST /v1/auth/session/refresh",
      { organizationId },
      { headers: { cookie } },
    )

    expect(renewed.status).toBe(403)
    expect(renewed.body.error).toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "not_a_member" },
    })
    expect(renewed.headers.getSetCookie()).toEqual([])
    expect((await refresh(cookie)).status).toBe(200)
  })

  it("ends with its cookie, which is removed from the browser", async () => {
    const { cookie } = await start()
    const ended = await call("DELETE /v1/auth/session", undefined, { headers: { cookie } })

    expect(ended.status).toBe(200)
    expect(ended.headers.getSetCookie()[0]).toMatch(/^footfall_session=;.*Max-Age=0/)
    expect((await refresh(cookie)).status).toBe(401)
  })

  it("is in a cookie only this host can set if served over https; one of an older version requires signing in", async () => {
    const url = "https://footfall.example"
    const secure = await startServer({ workers: false, beside: { ...server, url } })
    try {
      const at = caller(secure)
      const { email } = await makeMember()
      const started = await at("POST /v1/auth/session", { email, password })
      const [cookie = "", ...attributes] = started.headers.getSetCookie()[0]!.split("; ")
      expect(cookie).toMatch(/^__Host-footfall_session=rt_[\w-]{64}$/)
      expect(attributes.toSorted()).toEqual([
        "HttpOnly",
        "Max-Age=2592000",
        "Path=/",
        "SameSite=Strict",
        "Secure",
      ])

      const before = cookie.replace("__Host-", "")
      const renewal = (held: string) =>
        at("POST /v1/auth/session/refresh", {}, { headers: { cookie: held } })
      const refused = await renewal(before)
      expect(refused.status).toBe(401)
      expect(refused.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^__Host-footfall_session=;.*Max-Age=0/),
        expect.stringMatching(/^footfall_session=;.*Max-Age=0.*Path=\/v1\/auth/),
      ])
      // A cookie planted beside it changes nothing.
      expect((await renewal(`footfall_session=rt_planted; ${cookie}`)).status).toBe(200)
    } finally {
      await secure.close()
    }
  })

  it.each(["POST /v1/auth/session", "POST /v1/auth/session/refresh", "DELETE /v1/auth/session"])(
    "is refused to pages of other origins: %s",
    async (operation) => {
      const { cookie } = await start()
      const { email } = await makeMember()
      const body = operation.endsWith("/session") ? { email, password } : {}
      for (const site of ["cross-site", "same-site"]) {
        const answer = await call(operation, operation.startsWith("DELETE") ? undefined : body, {
          headers: { cookie, "sec-fetch-site": site },
        })
        expect(answer.status).toBe(403)
        expect(answer.headers.getSetCookie()).toEqual([])
      }
      expect((await refresh(cookie)).status).toBe(200)
    },
  )
})

describe("a token of the console", () => {
  const keyOnly = Object.entries(operationCodes).filter(([, code]) => code === "K")
  const reads = new Set([
    "POST /v1/data/query",
    "POST /v1/data/companies/query",
    "POST /v1/data/suppression-rules/preview",
    "POST /v1/intent/audiences/preview",
  ])

  it("is accepted where an API key is required; a viewer may only read there", async () => {
    const [viewer, member] = await Promise.all([start("viewer"), start("member")])
    for (const [operation] of keyOnly) {
      const [method, template] = operation.split(" ")
      const path = template!
        .replace("visitors/{}", `visitors/${"a".repeat(64)}`)
        .replaceAll("{}", crypto.randomUUID())
      const ask = async (token: string) =>
        (await call(`${method} ${path}`, method === "GET" ? undefined : {}, { token })).status
      const isRead = method === "GET" || reads.has(operation)

      expect({ operation, status: await ask(member.token) }).not.toMatchObject({ status: 401 })
      expect({ operation, status: await ask(member.token) }).not.toMatchObject({ status: 403 })
      expect({ operation, isRefused: (await ask(viewer.token)) === 403 }).toEqual({
        operation,
        isRefused: !isRead,
      })
    }
  })

  it("is only accepted there if it belongs to a session: another sign-in's token is refused", async () => {
    const { email } = await makeMember()
    const login = await call("POST /v1/auth/login", { email, password })
    const { accessToken } = login.body.data as Session

    expect((await call("GET /v1/data", undefined, { token: accessToken })).status).toBe(401)
  })

  it("sees only its organization", async () => {
    const { token } = await start()
    const other = await server.makeOrganization()
    await call("POST /v1/data/pixels", { domain: "other.example" }, { apiKey: other.apiKey })

    const pixels = await call("GET /v1/data/pixels", undefined, { token })
    expect(JSON.stringify(pixels.body)).not.toContain("other.example")
  })

  it("ends with the user's membership", async () => {
    const { email } = await makeMember("member")
    const answer = await call("POST /v1/auth/session", { email, password })
    const { accessToken } = answer.body.data as Session
    await server.sql(
      "delete from member using user_account where user_id = user_account.id and email = $1",
      [email],
    )

    expect((await call("GET /v1/data", undefined, { token: accessToken })).status).toBe(401)
  })
})
