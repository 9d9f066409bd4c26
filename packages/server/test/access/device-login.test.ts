// Signs in a terminal by approval in the console (spec 17.2): the SDK against a real server, each error of RFC 8628,
// and what someone who guesses codes gets.
import { BadRequestError, Footfall } from "@footfall/sdk"
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let owner: TestUser
let call: ReturnType<typeof caller>
let terminal: Footfall
beforeAll(async () => {
  server = await startServer({ workers: false })
  owner = await server.makeUser("owner")
  call = caller(server)
  terminal = new Footfall({ baseUrl: server.url, maxRetries: 0 })
})
afterAll(() => server.close())

const userOf = ({ accessToken }: TestUser) =>
  new Footfall({ baseUrl: server.url, accessToken, maxRetries: 0 }).auth

const start = () => terminal.auth.startDeviceLogin({ clientName: "footfall on lee-laptop" })

/** Lets the polling interval pass. */
const later = () => server.sql("update device_login set asked_at = now() - interval '1 minute'")

const ask = async (deviceCode: string) =>
  terminal.auth.deviceTokens({ deviceCode }).catch((error: unknown) => {
    if (error instanceof BadRequestError) return error.deviceLoginReason
    throw error
  })

describe("a device sign-in", () => {
  it("shows a code without vowels or digits, and where to type it", async () => {
    const login = await start()

    expect(login).toEqual({
      deviceCode: expect.stringMatching(/^dev_[\w-]{43}$/),
      userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verificationUri: `${server.url}/console/device`,
      verificationUriComplete: `${server.url}/console/device#${login.userCode}`,
      expiresIn: 600,
      interval: 5,
    })
  })

  it("shows the requesting terminal to any signed-in user with the code, in any case", async () => {
    const { userCode } = await start()

    expect(await userOf(owner).getDeviceLogin({ userCode: userCode.toLowerCase() })).toEqual({
      clientName: "footfall on lee-laptop",
      clientAddress: "127.0.0.1",
      expiresAt: expect.stringMatching(/Z$/),
    })
    expect((await call(`GET /v1/auth/device?userCode=${userCode}`)).status).toBe(401)
  })

  it("returns tokens of the approving user, in that user's organization, once", async () => {
    const { deviceCode, userCode } = await start()
    expect(await ask(deviceCode)).toBe("authorization_pending")

    const approved = await userOf(owner).decideDeviceLogin({
      userCode: userCode.replace("-", " "),
      approve: true,
    })
    const tokens = await terminal.auth.deviceTokens({ deviceCode })

    expect(approved).toEqual({ approved: true })
    const me = await new Footfall({
      baseUrl: server.url,
      accessToken: tokens.accessToken,
    }).auth.me()
    expect([me.user.id, me.organization.id]).toEqual([owner.userId, server.organizationId])
    // They are renewed like those of any sign-in, and are not the console's.
    await terminal.auth.refresh({ refreshToken: tokens.refreshToken })
    expect(await call("GET /v1/data", undefined, { token: tokens.accessToken })).toMatchObject({
      status: 401,
    })
    expect(await ask(deviceCode)).toBe("expired_token")
  })

  it("returns tokens to only one of two terminals with the same code", async () => {
    const { deviceCode, userCode } = await start()
    await userOf(owner).decideDeviceLogin({ userCode, approve: true })

    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(deviceCode)))

    expect(answers.filter((answer) => typeof answer === "object")).toHaveLength(1)
    expect(answers.filter((answer) => answer === "expired_token")).toHaveLength(3)
  })

  it("waits in the SDK until it is approved", async () => {
    const login = await start()
    const waiting = terminal.auth.waitForDeviceLogin({ ...login, interval: 0.05 })
    await userOf(owner).decideDeviceLogin({ userCode: login.userCode, approve: true })

    expect(await waiting).toMatchObject({ tokenType: "Bearer" })
  })

  it("asks a terminal that polls too often to slow down, and continues", async () => {
    const { deviceCode } = await start()

    expect(await ask(deviceCode)).toBe("authorization_pending")
    expect(await ask(deviceCode)).toBe("slow_down")
    await later()
    expect(await ask(deviceCode)).toBe("authorization_pending")
  })

  it("that is denied says so until it expires, and cannot be approved", async () => {
    const { deviceCode, userCode } = await start()
    await userOf(owner).decideDeviceLogin({ userCode, approve: false })

    await expect(userOf(owner).decideDeviceLogin({ userCode, approve: true })).rejects.toThrow(
      "No sign-in is waiting with this code",
    )
    expect(await ask(deviceCode)).toBe("access_denied")
    expect(await ask(deviceCode)).toBe("access_denied")
  })

  it("that has expired is found by neither code, and is deleted", async () => {
    const { deviceCode, userCode } = await start()
    await userOf(owner).decideDeviceLogin({ userCode, approve: true })
    await server.sql("update device_login set expires_at = now()")

    expect(await ask(deviceCode)).toBe("expired_token")
    await expect(userOf(owner).getDeviceLogin({ userCode })).rejects.toThrow(
      "No sign-in is waiting",
    )
    const waiting = await start()
    await server.sql("update device_login set expires_at = now()")
    await expect(
      userOf(owner).decideDeviceLogin({ userCode: waiting.userCode, approve: true }),
    ).rejects.toThrow("No sign-in is waiting")
    await start()
    expect(await server.sql("select from device_login")).toHaveLength(1)
  })

  it("returns nothing if the user was removed after approving", async () => {
    const user = await server.makeUser("member")
    const { deviceCode, userCode } = await start()
    await userOf(user).decideDeviceLogin({ userCode, approve: true })
    await server.sql("delete from member where user_id = $1", [user.userId])

    expect(await ask(deviceCode)).toBe("access_denied")
  })

  it("is in the audit log: who decided, and that the terminal signed in", async () => {
    await server.sql("delete from audit_entry")
    const first = await start()
    await userOf(owner).decideDeviceLogin({ userCode: first.userCode, approve: true })
    await ask(first.deviceCode)
    const second = await start()
    await userOf(owner).decideDeviceLogin({ userCode: second.userCode, approve: false })

    const entries = await server.sql("select action, actor_id from audit_entry order by id")
    expect(entries).toEqual(
      ["user.device_approved", "user.logged_in", "user.device_denied"].map((action) => ({
        action,
        actor_id: owner.userId,
      })),
    )
  })

  it("stores neither code in the database", async () => {
    const { deviceCode, userCode } = await start()

    const [row] = await server.sql(
      "select *, row_to_json(device_login)::text as text from device_login order by created_at desc limit 1",
    )
    const hex = (digest: unknown) => Buffer.from(digest as Uint8Array).toString("hex")
    const plain = createHash("sha256").update(userCode.replace("-", "")).digest("hex")
    expect(String(row?.["text"])).not.toContain(deviceCode)
    expect(String(row?.["text"])).not.toContain(userCode)
    // A short code could be found by hashing all possible codes.
    expect(hex(row?.["user_digest"])).not.toBe(plain)
  })

  it.each([{ clientName: "" }, { clientName: "x".repeat(101) }])(
    "rejects the name %j",
    async (body) => {
      expect((await call("POST /v1/auth/device", body)).status).toBe(400)
    },
  )

  it.each(["a", "😀", "e\u0301", "İ"])("shows all of a name of 100 %s", async (letter) => {
    const clientName = [...letter.repeat(100)].slice(0, 100).join("")

    const { userCode } = await terminal.auth.startDeviceLogin({ clientName })

    expect((await userOf(owner).getDeviceLogin({ userCode })).clientName).toBe(clientName)
  })

  it("that was never started counts as expired", async () => {
    expect(await ask("dev_unknown")).toBe("expired_token")
    expect(await ask("")).toBe("expired_token")
  })
})

describe("guessing", () => {
  let limited: TestServer
  beforeAll(async () => {
    limited = await startServer({ workers: false, rateLimits: true, beside: server })
  })
  afterAll(() => limited.close())

  it("user codes is limited to five a minute, not counting valid ones", async () => {
    const { accessToken: token } = await server.makeUser("viewer")
    const approve = (userCode: string) =>
      caller(limited)("POST /v1/auth/device/approve", { userCode, approve: true }, { token })
    const statuses: Array<number> = []
    for (let n = 0; n < 3; n++) statuses.push((await approve((await start()).userCode)).status)
    for (let n = 0; n < 6; n++) statuses.push((await approve("BBBB-BBBB")).status)

    expect(statuses).toEqual([200, 200, 200, 404, 404, 404, 404, 404, 429])
  })

  it("device codes is limited by address, but not for a waiting terminal there", async () => {
    const { deviceCode } = await start()
    const guess = () =>
      caller(limited)("POST /v1/auth/device/token", { deviceCode: `dev_${randomUUID()}` })
    const statuses: Array<number> = []
    for (let n = 0; n < 11; n++) statuses.push((await guess()).status)

    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 400))
    expect(statuses[10]).toBe(429)
    const own = await caller(limited)("POST /v1/auth/device/token", { deviceCode })
    expect(own.body.error.details).toEqual({ reason: "authorization_pending" })
  })
})

describe("a server without a console", () => {
  it("starts no device sign-in, because no one could approve it", async () => {
    const without = await startServer({ workers: false, console: false, beside: server })
    const answer = await caller(without)("POST /v1/auth/device")
    await without.close()

    expect(answer.status).toBe(403)
    expect(answer.body.error.details).toEqual({ reason: "console_off" })
  })
})
