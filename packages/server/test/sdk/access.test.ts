// Every method of the SDK for tokens, organizations, members and keys, once against the real server (spec 5.12, 5.13).
// test/access tests the rest.
import { AuthenticationError, ConflictError, Footfall, PermissionError } from "@footfall/sdk"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

const password = "correct horse battery staple"
let server: TestServer
let owner: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false })
  const { accessToken } = await server.makeUser("owner")
  owner = new Footfall({ baseUrl: server.url, accessToken })
})
afterAll(() => server.close())

describe("auth", () => {
  it("an invited user accepts, signs in, renews the token, gets their details, and signs out", async () => {
    const anyone = new Footfall({ baseUrl: server.url })
    const email = "new@tidewater.example"
    const { inviteToken } = await owner.members.add(server.organizationId, {
      email,
      role: "viewer",
    })

    const accepted = await anyone.auth.acceptInvite({
      token: inviteToken ?? "",
      password,
      name: "Noor",
    })
    const tokens = await anyone.auth.login({ email, password })
    const renewed = await anyone.auth.refresh({ refreshToken: tokens.refreshToken })

    expect(accepted).toMatchObject({ tokenType: "Bearer", expiresIn: 3600 })
    const member = new Footfall({
      baseUrl: server.url,
      accessToken: async () => renewed.accessToken,
    })
    expect(await member.auth.me()).toMatchObject({
      user: { email, name: "Noor" },
      organization: { id: server.organizationId },
      role: "viewer",
      organizations: [{ id: server.organizationId, role: "viewer" }],
    })
    expect(await member.auth.logout({ refreshToken: renewed.refreshToken })).toEqual({
      loggedOut: true,
    })
    await expect(anyone.auth.refresh({ refreshToken: renewed.refreshToken })).rejects.toThrow(
      AuthenticationError,
    )
  })

  it("a wrong password is an AuthenticationError", async () => {
    const refused = owner.auth.login({ email: "nobody@tidewater.example", password })

    await expect(refused).rejects.toMatchObject({
      name: "AuthenticationError",
      code: "AUTHENTICATION_ERROR",
    })
  })
})

describe("organizations", () => {
  it("are listed, created, read and changed", async () => {
    const { accessToken } = await server.makeUser("owner")
    const user = new Footfall({ baseUrl: server.url, accessToken })

    const made = await user.organizations.create({ name: "Harbor", slug: "harbor" })
    const page = await user.organizations.list({ limit: 1 })
    const rest = await page.nextPage()

    expect(made).toMatchObject({ name: "Harbor", slug: "harbor", status: "active" })
    expect(page.meta).toMatchObject({ total: 2, limit: 1, offset: 0, hasMore: true })
    expect([...page.data, ...(rest?.data ?? [])].map(({ id }) => id).toSorted()).toEqual(
      [made.id, server.organizationId].toSorted(),
    )
    expect(await user.organizations.get(server.organizationId)).toMatchObject({
      id: server.organizationId,
    })
    const changed = await user.organizations.update(server.organizationId, {
      name: "Tidewater Freight",
      settings: { excludedIps: ["203.0.113.0/24"] },
    })
    expect(changed).toMatchObject({
      name: "Tidewater Freight",
      settings: { excludedIps: ["203.0.113.0/24"], retentionDays: null },
    })
    await expect(user.organizations.create({ name: "Second", slug: "harbor" })).rejects.toThrow(
      ConflictError,
    )
  })
})

describe("members", () => {
  it("are invited again, which replaces the invitation, until they accept", async () => {
    const { organizationId } = server
    const anyone = new Footfall({ baseUrl: server.url })
    const email = "ida@tidewater.example"
    const first = await owner.members.add(organizationId, { email, role: "viewer" })
    const memberId = { organizationId, userId: first.member.userId }
    expect(first.emailSent).toBe(false)

    const second = await owner.members.invite(memberId)

    expect(second).toEqual({ ...first, inviteToken: expect.any(String) })
    await expect(anyone.auth.invitation({ token: first.inviteToken! })).rejects.toThrow(
      AuthenticationError,
    )
    const { name } = await owner.organizations.get(organizationId)
    expect(await anyone.auth.invitation({ token: second.inviteToken! })).toEqual({
      organization: { name },
      email,
      role: "viewer",
    })
    await anyone.auth.acceptInvite({ token: second.inviteToken!, password: "a long enough one" })
    await expect(owner.members.invite(memberId)).rejects.toThrow(ConflictError)
  })

  it("are listed and added, change roles and are removed", async () => {
    const { organizationId } = server
    const added = await owner.members.add(organizationId, {
      email: "mo@tidewater.example",
      role: "member",
    })
    const memberId = { organizationId, userId: added.member.userId }

    const members = []
    for await (const member of owner.members.list(organizationId, { limit: 1 })) {
      members.push(member)
    }
    const changed = await owner.members.update(memberId, { role: "admin" })

    expect(added.inviteToken).toEqual(expect.any(String))
    expect(members).toContainEqual(added.member)
    expect(changed).toEqual({ ...added.member, role: "admin" })
    expect(await owner.members.remove(memberId)).toEqual({ deleted: true })
  })
})

describe("API keys", () => {
  it("are created, work, are listed, and are revoked", async () => {
    const { apiKey, secret } = await owner.apiKeys.create({
      name: "CRM",
      expiresAt: "2099-01-01T00:00:00Z",
    })
    const byKey = new Footfall({ baseUrl: server.url, apiKey: secret })

    expect((await byKey.account.get()).organization.id).toBe(server.organizationId)
    expect((await owner.apiKeys.list()).data.map(({ id }) => id)).toContain(apiKey.id)
    expect(await owner.apiKeys.revoke(apiKey.id)).toEqual({ deleted: true })
    const { data } = await owner.apiKeys.list()
    expect(data.find(({ id }) => id === apiKey.id)?.revokedAt).toEqual(expect.any(String))
  })

  it("are forbidden for a viewer, with the required role in the error", async () => {
    const { accessToken } = await server.makeUser("viewer")
    const viewer = new Footfall({ baseUrl: server.url, accessToken })

    const refused = (async () => viewer.apiKeys.list())()

    await expect(refused).rejects.toThrow(PermissionError)
    await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN", required: "admin" })
  })
})
