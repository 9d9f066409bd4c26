// Members, by the rows of spec 5.13 and 7.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Role } from "../../src/access/role.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  server = await startServer({ workers: false })
  call = caller(server)
})
afterAll(() => server.close())

/** Creates an organization with members in these roles. */
const makeTeam = async (...roles: ReadonlyArray<Role>) => {
  const { apiKey, organizationId } = await server.makeOrganization()
  const users = await Promise.all(roles.map((role) => server.makeUser(role, organizationId)))
  const path = `/v1/organizations/${organizationId}/members`
  return { organizationId, apiKey, users, path }
}

const newEmail = () => `new-${randomUUID()}@tidewater.example`
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe("adding a member", () => {
  it("without an account creates a pending member and returns an invitation", async () => {
    const { path, users } = await makeTeam("admin")
    const email = newEmail()

    const added = await call(
      `POST ${path}`,
      { email: ` ${email.toUpperCase()} `, role: "member" },
      { token: users[0]!.accessToken },
    )

    expect(added.status).toBe(201)
    expect(added.body.data).toEqual({
      member: {
        userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email,
        name: null,
        role: "member",
        status: "pending",
        createdAt: timestamp,
      },
      inviteToken: expect.stringMatching(/^inv_[A-Za-z0-9_-]{43}$/),
      emailSent: false,
    })
  })

  it("with an account returns an invitation too, and reveals nothing about the account", async () => {
    const known = await server.makeUser("owner")
    await server.sql("update user_account set password_hash = 'x', name = 'Known' where id = $1", [
      known.userId,
    ])
    const { path, users } = await makeTeam("admin")

    const added = await call(
      `POST ${path}`,
      { email: known.email, role: "viewer" },
      { token: users[0]!.accessToken },
    )

    expect(added.body).toMatchObject({
      data: {
        member: { userId: known.userId, name: null, status: "pending" },
        inviteToken: expect.any(String),
      },
    })
  })

  it("twice is 409 CONFLICT, and the role stays", async () => {
    const { path, users } = await makeTeam("admin", "viewer")
    const token = users[0]!.accessToken

    const again = await call(`POST ${path}`, { email: users[1]!.email, role: "admin" }, { token })

    expect(again.status).toBe(409)
    expect(again.body.error).toMatchObject({ code: "CONFLICT", details: { field: "email" } })
    const { body } = await call(`GET ${path}`, undefined, { token })
    expect(body.data).toContainEqual(
      expect.objectContaining({ userId: users[1]!.userId, role: "viewer" }),
    )
  })

  it("with a new address, ten times at once, creates one user and one member", async () => {
    const { path, users } = await makeTeam("admin")
    const email = newEmail()

    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call(`POST ${path}`, { email, role: "viewer" }, { token: users[0]!.accessToken }),
      ),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
  })

  it("again after a removal creates another invitation; the first one is void", async () => {
    const { path, users } = await makeTeam("admin")
    const token = users[0]!.accessToken
    const email = newEmail()
    const add = async () => {
      const { body } = await call(`POST ${path}`, { email, role: "viewer" }, { token })
      return body.data as { inviteToken: string; member: { userId: string } }
    }
    const first = await add()
    await call(`DELETE ${path}/${first.member.userId}`, undefined, { token })
    const accept = (invite: string) =>
      call("POST /v1/auth/accept-invite", { token: invite, password: "1234567890" })
    expect((await accept(first.inviteToken)).status).toBe(401)

    const second = await add()

    expect((await accept(first.inviteToken)).status).toBe(401)
    expect((await accept(second.inviteToken)).status).toBe(200)
  })

  it.each([
    [{ email: "no address", role: "viewer" }, "/body/email"],
    [{ email: `${"a".repeat(250)}@b.example`, role: "viewer" }, "/body/email"],
    [{ email: "a@b.example" }, "/body/role"],
    [{ email: "a@b.example", role: "god" }, "/body/role"],
    [{ email: "a@b.example", role: "viewer", userId: randomUUID() }, "/body/userId"],
  ])("refuses %j", async (body, path) => {
    const team = await makeTeam("admin")

    const answer = await call(`POST ${team.path}`, body, { token: team.users[0]!.accessToken })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ details: { issues: [{ path }] } })
  })
})

describe("inviting a pending member again", () => {
  interface Invited {
    readonly member: { readonly userId: string; readonly email: string; readonly status: string }
    readonly inviteToken: string
    readonly emailSent: boolean
  }
  const dataOf = ({ body }: Awaited<ReturnType<typeof call>>) => body.data as Invited
  const accept = (token: string) =>
    call("POST /v1/auth/accept-invite", { token, password: "1234567890" })
  /** Creates an organization with a pending member, whom these members may invite again. */
  const makePending = async (role: Role, ...roles: ReadonlyArray<Role>) => {
    const team = await makeTeam("owner", ...roles)
    const token = team.users[0]!.accessToken
    const first = dataOf(await call(`POST ${team.path}`, { email: newEmail(), role }, { token }))
    const again = (by = token, headers = {}) =>
      call(`POST ${team.path}/${first.member.userId}/invitation`, undefined, { token: by, headers })
    return { ...team, token, first, again }
  }

  it("returns another invitation, as adding does, and voids the first one (spec 5.13.13)", async () => {
    const { again, first } = await makePending("viewer")

    const answer = await again()

    expect(answer.status).toBe(201)
    const second = dataOf(answer)
    expect(second).toEqual({ ...first, inviteToken: expect.stringMatching(/^inv_[\w-]{43}$/) })
    expect((await accept(first.inviteToken)).status).toBe(401)
    expect((await accept(second.inviteToken)).status).toBe(200)
  })

  it("after the invitation expired lets the member in", async () => {
    const { again, first, organizationId } = await makePending("viewer")
    await server.sql("update invitation set expires_at = now() where organization_id = $1", [
      organizationId,
    ])
    expect((await accept(first.inviteToken)).status).toBe(401)

    expect((await accept(dataOf(await again()).inviteToken)).status).toBe(200)
  })

  it("is 409 CONFLICT once the member has accepted, and changes nothing", async () => {
    const { again, first, path, token } = await makePending("viewer")
    await accept(first.inviteToken)

    const refused = await again()

    expect(refused.status).toBe(409)
    expect(refused.body.error).toMatchObject({
      code: "CONFLICT",
      message: "This member has already accepted the invitation.",
    })
    const { body } = await call(`GET ${path}`, undefined, { token })
    expect(body.data).toContainEqual(
      expect.objectContaining({ userId: first.member.userId, status: "active" }),
    )
  })

  it("at the moment of acceptance either voids the first invitation or is refused", async () => {
    for (let n = 0; n < 5; n++) {
      const { again, first } = await makePending("viewer")

      const [accepted, invited] = await Promise.all([accept(first.inviteToken), again()])

      expect([
        [200, 409],
        [401, 201],
      ]).toContainEqual([accepted.status, invited.status])
    }
  })

  it("who would be an owner needs an owner; the others need an admin", async () => {
    const owned = await makePending("owner", "admin")
    const [owner, admin] = owned.users
    const refused = await owned.again(admin!.accessToken)
    expect(refused.status).toBe(403)
    expect(refused.body.error).toMatchObject({ details: { required: "owner" } })
    expect((await owned.again(owner!.accessToken)).status).toBe(201)

    const other = await makePending("admin", "admin", "member", "viewer")
    const tokens = other.users.slice(1).map(({ accessToken }) => accessToken)
    const statuses = []
    for (const token of tokens) statuses.push((await other.again(token)).status)
    expect(statuses).toEqual([201, 403, 403])
  })

  it("of another organization is 404, and leaves their invitation open", async () => {
    const theirs = await makePending("viewer")
    const { path, users } = await makeTeam("owner")
    const { userId } = theirs.first.member

    const answers = [
      await call(`POST ${path}/${userId}/invitation`, undefined, { token: users[0]!.accessToken }),
      await theirs.again(users[0]!.accessToken),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect((await accept(theirs.first.inviteToken)).status).toBe(200)
  })

  it("repeated with the same Idempotency-Key returns the same invitation (spec 1.7.6)", async () => {
    const { again } = await makePending("viewer")
    const headers = { "idempotency-key": "again-1" }

    const first = dataOf(await again(undefined, headers))
    const second = dataOf(await again(undefined, headers))

    expect(second).toEqual(first)
    expect((await accept(first.inviteToken)).status).toBe(200)
  })
})

describe("an invitation that is looked up", () => {
  const invitation = (token: string) => call("POST /v1/auth/invitation", { token })
  const invite = async (email = newEmail()) => {
    const { organizationId, path, users } = await makeTeam("admin")
    const { body } = await call(
      `POST ${path}`,
      { email, role: "viewer" },
      { token: users[0]!.accessToken },
    )
    const { inviteToken }: { readonly inviteToken: string } = body.data
    return { email, inviteToken, organizationId }
  }

  it("names the organization, the address and the role, and stays open (spec 5.12.14)", async () => {
    const { email, inviteToken, organizationId } = await invite()
    await server.sql("update organization set name = 'Harbor Ltd' where id = $1", [organizationId])

    for (const _time of [1, 2]) {
      const { body, status } = await invitation(inviteToken)
      expect(status).toBe(200)
      expect(body.data).toEqual({ organization: { name: "Harbor Ltd" }, email, role: "viewer" })
    }
    const accepted = await call("POST /v1/auth/accept-invite", {
      token: inviteToken,
      password: "1234567890",
    })
    expect(accepted.status).toBe(200)
  })

  it("reveals nothing about the account of the address", async () => {
    const known = await server.makeUser("owner")
    await server.sql(
      "update user_account set password_hash = 'x', name = 'Known', proven_at = now() where id = $1",
      [known.userId],
    )
    const [ofKnown, ofNew] = [await invite(known.email), await invite()]

    const answers = [await invitation(ofKnown.inviteToken), await invitation(ofNew.inviteToken)]

    const [shown, other] = answers.map(({ body }) => body.data as object)
    expect({ ...shown, email: "" }).toEqual({
      ...other,
      email: "",
      organization: expect.anything(),
    })
    expect(Object.keys(shown!)).toEqual(["organization", "email", "role"])
  })

  it("is refused like accepting it when it is unknown, used or expired", async () => {
    const used = await invite()
    await call("POST /v1/auth/accept-invite", { token: used.inviteToken, password: "1234567890" })
    const expired = await invite()
    await server.sql("update invitation set expires_at = now() where organization_id = $1", [
      expired.organizationId,
    ])
    const refused = await call("POST /v1/auth/accept-invite", {
      token: "inv_x",
      password: "1234567890",
    })

    for (const token of ["inv_x", "", used.inviteToken, expired.inviteToken]) {
      const { body, status } = await invitation(token)
      expect(status).toBe(401)
      expect(body.error).toEqual(refused.body.error)
    }
  })
})

describe("listing members", () => {
  it("returns them newest first, page by page, each once", async () => {
    const { organizationId, path, users } = await makeTeam("admin")
    await server.sql(
      `with made as (
         insert into user_account (id, email)
         select gen_random_uuid(), gen_random_uuid() || '@tidewater.example'
         from generate_series(1, 10) returning id
       )
       insert into member (organization_id, user_id, role, created_at)
       select $1, id, 'viewer', '2026-01-01' from made`,
      [organizationId],
    )
    const seen: Array<string> = []
    let cursor = ""
    for (let pages = 0; pages < 4; pages++) {
      const { body } = await call(`GET ${path}?limit=3${cursor}`, undefined, {
        token: users[0]!.accessToken,
      })
      const data: ReadonlyArray<{ readonly userId: string }> = body.data
      seen.push(...data.map(({ userId }) => userId))
      expect(body.meta).toMatchObject({ limit: 3, offset: pages * 3, total: 11 })
      cursor = `&cursor=${encodeURIComponent(String(body.meta.nextCursor))}`
    }

    expect(seen).toHaveLength(11)
    expect(new Set(seen).size).toBe(11)
    expect(seen[0]).toBe(users[0]!.userId)
  })
})

describe("changing and removing a member", () => {
  const patch = (path: string, userId: string, role: Role, token: string) =>
    call(`PATCH ${path}/${userId}`, { role }, { token })
  const remove = (path: string, userId: string, token: string) =>
    call(`DELETE ${path}/${userId}`, undefined, { token })

  it("an admin can grant every role except owner", async () => {
    const { path, users } = await makeTeam("admin", "viewer")
    const [admin, other] = users

    for (const role of ["member", "admin", "viewer"] as const) {
      const answer = await patch(path, other!.userId, role, admin!.accessToken)
      expect(answer.body).toMatchObject({ data: { userId: other!.userId, role } })
    }
    const refused = await patch(path, other!.userId, "owner", admin!.accessToken)
    expect(refused.status).toBe(403)
    expect(refused.body.error).toMatchObject({ code: "FORBIDDEN", details: { required: "owner" } })
  })

  it("only an owner can grant or remove the role owner, in every possible way", async () => {
    const { path, users } = await makeTeam("admin", "owner", "owner")
    const [admin, owner, other] = users
    const byAdmin = [
      patch(path, owner!.userId, "viewer", admin!.accessToken),
      remove(path, owner!.userId, admin!.accessToken),
      call(`POST ${path}`, { email: newEmail(), role: "owner" }, { token: admin!.accessToken }),
    ]

    for (const { body, status } of await Promise.all(byAdmin)) {
      expect(status).toBe(403)
      expect(body.error).toMatchObject({ details: { required: "owner" } })
    }
    expect((await patch(path, admin!.userId, "owner", owner!.accessToken)).status).toBe(200)
    expect((await patch(path, other!.userId, "viewer", owner!.accessToken)).status).toBe(200)
    expect((await remove(path, admin!.userId, owner!.accessToken)).status).toBe(200)
  })

  it("the last owner cannot be removed: 409 CONFLICT", async () => {
    const { path, users } = await makeTeam("owner", "admin")
    const [owner] = users

    for (const answer of [
      await patch(path, owner!.userId, "admin", owner!.accessToken),
      await remove(path, owner!.userId, owner!.accessToken),
    ]) {
      expect(answer.status).toBe(409)
      expect(answer.body.error).toMatchObject({ code: "CONFLICT", details: { field: "role" } })
    }
    expect((await patch(path, owner!.userId, "owner", owner!.accessToken)).status).toBe(200)
  })

  it("of two owners who remove each other at once, one stays", async () => {
    for (let round = 0; round < 10; round++) {
      const { organizationId, path, users } = await makeTeam("owner", "owner")
      const [one, two] = users

      const answers = await Promise.all([
        remove(path, two!.userId, one!.accessToken),
        patch(path, one!.userId, "viewer", two!.accessToken),
      ])

      // The second is refused because of the last owner (409), or because the caller is no longer a member (401) or an
      // owner (403).
      const [won, lost] = answers.map(({ status }) => status).toSorted()
      expect(won).toBe(200)
      expect([401, 403, 409]).toContain(lost)
      const [owners] = await server.sql(
        "select count(*)::int as owners from member where organization_id = $1 and role = 'owner'",
        [organizationId],
      )
      expect(owners).toEqual({ owners: 1 })
    }
  })

  it("is 404 with one body for a user who is in another organization, in none, or removed", async () => {
    const { path, users } = await makeTeam("owner", "viewer")
    const [owner, removed] = users
    const foreign = await server.makeUser("viewer")
    await remove(path, removed!.userId, owner!.accessToken)

    const ids = [foreign.userId, randomUUID(), removed!.userId]
    const answers = await Promise.all(
      ids.flatMap((id) => [
        patch(path, id, "admin", owner!.accessToken),
        remove(path, id, owner!.accessToken),
      ]),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.error))).size).toBe(1)
  })

  it("a demoted member is refused within 5 seconds, a removed one gets 401, on every server", async () => {
    const beside = await startServer({ workers: false, beside: server })
    const servers = [server, beside]
    const { organizationId, path, users } = await makeTeam("owner", "admin", "admin")
    const [owner, demoted, removed] = users
    const statuses = (token: string) =>
      Promise.all(
        servers.map(async (one) => (await caller(one)(`GET ${path}`, undefined, { token })).status),
      )
    expect(await statuses(demoted!.accessToken)).toEqual([200, 200])
    expect(await statuses(removed!.accessToken)).toEqual([200, 200])

    await patch(path, demoted!.userId, "viewer", owner!.accessToken)
    await remove(path, removed!.userId, owner!.accessToken)

    await vi.waitFor(
      async () => {
        expect(await statuses(demoted!.accessToken)).toEqual([403, 403])
        expect(await statuses(removed!.accessToken)).toEqual([401, 401])
      },
      // spec 5.13 says 5 seconds. The rest is for a busy machine.
      { timeout: 30_000, interval: 100 },
    )
    // It stays refused on every further request.
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await statuses(demoted!.accessToken)).toEqual([403, 403])
    }
    expect(organizationId).not.toBe(server.organizationId)
    await beside.close()
  })
})
