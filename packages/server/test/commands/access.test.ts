// The operator's commands for tokens, members and organizations, each as a process (spec 1.1).
import { decodeJwt } from "jose"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer, testSecret } from "../support/server.ts"
import { type Environment, run } from "./command.ts"

let server: TestServer
let environment: Environment
beforeAll(async () => {
  server = await startServer({ workers: false })
  environment = {
    DATABASE_URL: server.databaseUrl,
    FOOTFALL_SECRET: testSecret,
    BASE_URL: server.url,
  }
})
afterAll(() => server.close())

const json = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await run([...args, "--json"], environment)
  return { code, ...(stdout === "" ? {} : { result: JSON.parse(stdout) }), stderr }
}
const failure = (code: string) => ({ code: 1, stderr: expect.stringContaining(`"code":"${code}"`) })
const me = (token: string) =>
  fetch(`${server.url}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })

describe("token", () => {
  it("prints an access token for an hour, valid on the running server", async () => {
    const { email, userId } = await server.makeUser("admin")

    const { code, result } = await json("token", "--email", email.toUpperCase())

    expect(code).toBe(0)
    expect(result).toEqual({ accessToken: expect.any(String), expiresAt: expect.any(String) })
    const { exp = 0, iat = 0, sub } = decodeJwt(result.accessToken)
    expect({ lifetime: exp - iat, sub, expiresAt: new Date(exp * 1000).toISOString() }).toEqual({
      lifetime: 3600,
      sub: userId,
      expiresAt: result.expiresAt,
    })
    expect((await me(result.accessToken)).status).toBe(200)
  })

  it("for another base URL is not valid there", async () => {
    const { email } = await server.makeUser("admin")

    const { result } = await json("token", "--email", email, "--base-url", "http://other.example")

    expect((await me(result.accessToken)).status).toBe(401)
  })

  it.each([
    ["90s", 90],
    ["30m", 1800],
    ["7d", 604_800],
    ["30d", 2_592_000],
  ])("is valid for %s", async (ttl, seconds) => {
    const { email } = await server.makeUser("viewer")

    const { result } = await json("token", "--email", email, "--ttl", ttl)

    const { exp = 0, iat = 0 } = decodeJwt(result.accessToken)
    expect(exp - iat).toBe(seconds)
  })

  it.each(["31d", "0s", "1w", "", "h"])("--ttl %j is invalid usage: 2", async (ttl) => {
    expect((await json("token", "--email", "a@b.example", "--ttl", ttl)).code).toBe(2)
  })

  it("for an unknown address is rejected", async () => {
    expect(await json("token", "--email", "nobody@b.example")).toMatchObject(
      failure("UserNotFound"),
    )
  })
})

describe("members add", () => {
  const add = (email: string, role = "owner", organization = server.organizationId) =>
    json("members", "add", "--organization", organization, "--email", email, "--role", role)

  it("adds a new user with an invitation that works", async () => {
    const email = `${randomUUID()}@tidewater.example`

    const { result } = await add(email)

    expect(result).toEqual({
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      role: "owner",
      inviteToken: expect.stringMatching(/^inv_/),
    })
    const accepted = await fetch(`${server.url}/v1/auth/accept-invite`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: result.inviteToken, password: "1234567890" }),
    })
    expect(accepted.status).toBe(200)
  })

  it("rejects a member, an unknown organization, an invalid address, an unknown role", async () => {
    const { email } = await server.makeUser("viewer")

    expect(await add(email)).toMatchObject(failure("AlreadyMember"))
    expect(await add(email, "owner", randomUUID())).toMatchObject(failure("OrganizationNotFound"))
    expect((await add("nobody")).code).toBe(2)
    expect((await add("nobody@b")).code).toBe(2)
    expect((await add(email, "god")).code).toBe(2)
  })
})

describe("members reset", () => {
  const accept = async (token: string, password: string) => {
    const { status } = await fetch(`${server.url}/v1/auth/accept-invite`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, password }),
    })
    return status
  }

  it("deletes an account's sessions and password, and returns invitations that prove the address", async () => {
    const user = await server.makeUser("admin")
    await server.sql("update user_account set password_hash = 'x' where id = $1", [user.userId])
    const other = await server.makeOrganization()
    await server.sql(
      "insert into member (organization_id, user_id, role) values ($1, $2, 'owner')",
      [other.organizationId, user.userId],
    )

    const { code, result } = await json("members", "reset", "--email", user.email)

    expect(code).toBe(0)
    const token = expect.stringMatching(/^inv_/)
    const { email, invitations } = result
    expect(email).toBe(user.email)
    expect(invitations).toHaveLength(2)
    expect(invitations).toEqual(
      expect.arrayContaining([
        { organizationId: server.organizationId, role: "admin", inviteToken: token },
        { organizationId: other.organizationId, role: "owner", inviteToken: token },
      ]),
    )
    expect((await me(user.accessToken)).status).toBe(401)
    const [first, second] = invitations as ReadonlyArray<{ inviteToken: string }>
    expect(await accept(first!.inviteToken, "a new password")).toBe(200)
    expect(await accept(second!.inviteToken, "another password")).toBe(401)
    expect(await accept(second!.inviteToken, "a new password")).toBe(200)
    expect((await me(user.accessToken)).status).toBe(401)
  })

  it("rejects an address without an account", async () => {
    const unknown = await json("members", "reset", "--email", "nobody@acme.example")
    expect(unknown).toMatchObject(failure("AccountNotFound"))
  })
})

describe("organizations set", () => {
  it("sets the given options and prints all of them", async () => {
    const { organizationId } = await server.makeOrganization()

    const first = await json(
      "organizations",
      "set",
      organizationId,
      ...["--status", "trial", "--credit-limit", "100", "--intent", "off"],
      ...["--intent-slots", "3", "--one-shot", "on"],
    )
    const second = await json("organizations", "set", organizationId, "--credit-limit", "none")

    expect(first.result).toEqual({
      id: organizationId,
      status: "trial",
      creditLimit: 100,
      intentEnabled: false,
      intentSlots: 3,
      oneShotEligible: true,
    })
    expect(second.result).toEqual({ ...first.result, creditLimit: null })
  })

  it("list shows the id, name and status of each organization, and members list who belongs to it", async () => {
    const { organizationId } = await server.makeOrganization("trial")
    const { email, userId } = await server.makeUser("admin", organizationId)

    const organizations = await json("organizations", "list")
    const members = await json("members", "list", "--organization", organizationId.toUpperCase())
    const nowhere = await json("members", "list", "--organization", randomUUID())

    expect(organizations.result.data).toContainEqual({
      id: organizationId,
      name: "Tidewater",
      slug: expect.any(String),
      status: "trial",
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(members.result.data).toEqual([{ userId, email, role: "admin" }])
    expect(nowhere).toMatchObject(failure("OrganizationNotFound"))
  })

  it("says in words what it did", async () => {
    const { organizationId } = await server.makeOrganization()

    const { code, stdout } = await run(
      ["organizations", "set", organizationId, "--status", "suspended"],
      environment,
    )

    expect(code).toBe(0)
    expect(stdout).toContain("Status        suspended")
  })

  it.each([
    ["--status", "gone"],
    ["--credit-limit", "-1"],
    ["--credit-limit", "many"],
    ["--intent-slots", "1.5"],
    ["--intent-slots", "2147483648"],
    ["--one-shot", "maybe"],
  ])("%s %s is invalid usage: 2", async (flag, value) => {
    expect((await json("organizations", "set", randomUUID(), flag, value)).code).toBe(2)
  })

  it("rejects an unknown organization, and a status that cannot be reached", async () => {
    const { organizationId } = await server.makeOrganization("suspended")
    const set = (id: string, status: string) => json("organizations", "set", id, "--status", status)

    expect(await set(randomUUID(), "active")).toMatchObject(failure("OrganizationNotFound"))
    expect(await set(organizationId, "expired")).toMatchObject(failure("StatusUnreachable"))
  })
})
