// Organizations, by the rows of spec 5.13 and 2.21.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PartyOf } from "../../src/platform/jobs/fair-turns.ts"
import { onServices } from "../runs/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let call: ReturnType<typeof caller>
beforeAll(async () => {
  server = await startServer({ workers: false, organizationsPerUser: 5 })
  call = caller(server)
})
afterAll(() => server.close())

const tokenOf = async (role: "owner" | "admin" | "member" | "viewer", organizationId?: string) =>
  (await server.makeUser(role, organizationId)).accessToken

const slug = () => `slug-${randomUUID().slice(0, 13)}`
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const issueAt = (path: string, code?: string) => ({
  error: {
    code: "VALIDATION_ERROR",
    details: {
      issues: [expect.objectContaining({ path, ...(code === undefined ? {} : { code }) })],
    },
  },
})

describe("POST /v1/organizations", () => {
  it("creates an active organization, with the caller as its owner", async () => {
    const { accessToken: token, userId } = await server.makeUser("member")
    const name = slug()

    const made = await call("POST /v1/organizations", { name: " Harbor ", slug: name }, { token })

    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Harbor",
      slug: name,
      status: "active",
      timeZone: "UTC",
      settings: { excludedIps: [], retentionDays: null },
      createdAt: timestamp,
      updatedAt: timestamp,
    })
    const { id }: { readonly id: string } = made.body.data
    expect(
      await server.sql("select user_id, role from member where organization_id = $1", [id]),
    ).toEqual([{ user_id: userId, role: "owner" }])
  })

  it.each(["viewer", "member", "admin", "owner"] as const)(
    "by a %s creates an organization they own, and leaves their role elsewhere unchanged",
    async (role) => {
      const { accessToken: token, userId } = await server.makeUser(role)

      const made = await call("POST /v1/organizations", { name: "Own", slug: slug() }, { token })

      expect(made.status).toBe(201)
      const { id }: { readonly id: string } = made.body.data
      const roles = await server.sql(
        "select organization_id as id, role from member where user_id = $1 order by created_at",
        [userId],
      )
      expect(roles).toEqual([
        { id: server.organizationId, role },
        { id, role: "owner" },
      ])
    },
  )

  it("keeps who created it, also when they leave, and counts for them in fair turns", async () => {
    const { accessToken: token, userId } = await server.makeUser("viewer")
    const made = await call("POST /v1/organizations", { name: "Own", slug: slug() }, { token })
    const { id }: { readonly id: string } = made.body.data

    await server.sql("delete from member where organization_id = $1", [id])

    expect(
      await server.sql("select created_by, party from organization where id = $1", [id]),
    ).toEqual([{ created_by: userId, party: userId }])
    const { organizationId } = await server.makeOrganization()
    const parties = Effect.flatMap(PartyOf, (partyOf) =>
      Effect.forEach([id, organizationId, "anonymous"], partyOf),
    )
    expect(await onServices(server, parties)).toEqual([userId, organizationId, "anonymous"])
  })

  it("with a taken slug is 409 CONFLICT, and creates nothing", async () => {
    const token = await tokenOf("owner")
    const taken = slug()
    await call("POST /v1/organizations", { name: "One", slug: taken }, { token })

    const second = await call("POST /v1/organizations", { name: "Two", slug: taken }, { token })

    expect(second.status).toBe(409)
    expect(second.body.error).toMatchObject({ code: "CONFLICT", details: { field: "slug" } })
    expect(await server.sql("select name from organization where slug = $1", [taken])).toEqual([
      { name: "One" },
    ])
  })

  it("a user who owns 5 cannot create one more, also with requests at once; memberships don't count", async () => {
    const { accessToken: token, userId } = await server.makeUser("admin")
    const create = () => call("POST /v1/organizations", { name: "One", slug: slug() }, { token })
    const made = await Promise.all(Array.from({ length: 8 }, create))

    expect(made.map(({ status }) => status).toSorted()).toEqual([
      201, 201, 201, 201, 201, 409, 409, 409,
    ])
    expect((await create()).body.error).toMatchObject({ code: "CONFLICT", details: { limit: 5 } })
    // Those that they own already stay theirs.
    const [owned] = await server.sql(
      "select count(*)::int as count from member where user_id = $1 and role = 'owner'",
      [userId],
    )
    expect(owned).toEqual({ count: 5 })
    expect(
      (
        await call(
          "POST /v1/organizations",
          { name: "B", slug: slug() },
          { token: await tokenOf("viewer") },
        )
      ).status,
    ).toBe(201)
  })

  it.each([
    ["ab", 400],
    ["abc", 201],
    ["a".repeat(63), 201],
    ["a".repeat(64), 400],
    ["a-1", 201],
    ["Abc", 400],
    ["a_b", 400],
    ["a b", 400],
  ])("accepts a slug of 3 to 63 of a-z, 0-9 and hyphen: %s is %i", async (chosen, status) => {
    const token = await tokenOf("owner")

    const answer = await call("POST /v1/organizations", { name: "One", slug: chosen }, { token })

    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body).toMatchObject(issueAt("/body/slug"))
  })

  it.each([
    ["", 400, "min_length"],
    ["   ", 400, "min_length"],
    ["😀".repeat(160), 201, undefined],
    ["😀".repeat(161), 400, "max_length"],
  ])("accepts a name of 1 to 160 characters", async (name, status, code) => {
    const token = await tokenOf("owner")

    const answer = await call("POST /v1/organizations", { name, slug: slug() }, { token })

    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body).toMatchObject(issueAt("/body/name", code))
  })
})

describe("GET /v1/organizations", () => {
  it("lists the organizations of the user, newest first, and no one else's", async () => {
    const { accessToken: token } = await server.makeUser("owner")
    const names = ["First", "Second", "Third"]
    for (const name of names) {
      await call("POST /v1/organizations", { name, slug: slug() }, { token })
    }
    await server.makeOrganization()

    const { body } = await call("GET /v1/organizations", undefined, { token })

    expect(body.data).toMatchObject([...names.toReversed(), "Tidewater"].map((name) => ({ name })))
    expect(body.meta).toEqual({
      limit: 50,
      offset: 0,
      total: 4,
      hasMore: false,
      nextCursor: null,
      timestamp,
      request_id: expect.any(String),
    })
  })

  it("returns each organization once, by cursor and by offset", async () => {
    const { accessToken: token, userId } = await server.makeUser("owner")
    await server.sql(
      `with made as (
         insert into organization (id, name, slug, created_at)
         select gen_random_uuid(), 'Same moment', $1 || n, '2026-01-01' from generate_series(1, 6) n
         returning id
       )
       insert into member (organization_id, user_id, role) select id, $2, 'viewer' from made`,
      [slug(), userId],
    )
    const idsOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
      (body.data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)

    const byCursor: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const page = await call(`GET /v1/organizations?limit=3${from}`, undefined, { token })
      byCursor.push(...idsOf(page))
      cursor = page.body.meta.nextCursor
    }
    const byOffset = [0, 3, 6].map((offset) =>
      call(`GET /v1/organizations?limit=3&offset=${offset}`, undefined, { token }),
    )

    expect(new Set(byCursor).size).toBe(7)
    expect((await Promise.all(byOffset)).flatMap(idsOf)).toEqual(byCursor)
  })

  it.each([
    ["limit=0", 400, "/query/limit"],
    ["limit=1", 200, ""],
    ["limit=100", 200, ""],
    ["limit=101", 400, "/query/limit"],
    ["offset=-1", 400, "/query/offset"],
    ["offset=0&cursor=x", 400, "/query/offset"],
    ["limit=1&limit=2", 400, "/query/limit"],
    ["unknown=1", 200, ""],
  ])("?%s is %i", async (query, status, path) => {
    const token = await tokenOf("viewer")

    const answer = await call(`GET /v1/organizations?${query}`, undefined, { token })

    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body).toMatchObject(issueAt(path))
  })

  it("rejects the cursor of another user and of another list", async () => {
    const { accessToken: token } = await server.makeUser("owner")
    await call("POST /v1/organizations", { name: "One", slug: slug() }, { token })
    const first = await call("GET /v1/organizations?limit=1", undefined, { token })
    const cursor = encodeURIComponent(String(first.body.meta.nextCursor))
    const other = await tokenOf("owner")

    for (const [path, by] of [
      ["/v1/organizations", other],
      ["/v1/api-keys", token],
      [`/v1/organizations/${server.organizationId}/members`, token],
    ]) {
      const answer = await call(`GET ${path}?cursor=${cursor}`, undefined, { token: by })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatchObject({
        code: "INVALID_CURSOR",
        details: { reason: "scope" },
      })
    }
  })
})

describe.each([
  ["organizations", () => "/v1/organizations"],
  ["members", () => `/v1/organizations/${server.organizationId}/members`],
  ["API keys", () => "/v1/api-keys"],
])("a list of %s", (_, path) => {
  it.each([
    ["", 200, 50],
    ["?limit=1", 200, 1],
    ["?limit=100", 200, 100],
    ["?limit=0", 400, undefined],
    ["?limit=101", 400, undefined],
    ["?offset=0&cursor=x", 400, undefined],
  ])("has a limit of 1 to 100, by default 50: %s is %i", async (query, status, limit) => {
    const answer = await call(`GET ${path()}${query}`, undefined, { token: await tokenOf("admin") })

    expect(answer.status).toBe(status)
    if (limit !== undefined) expect(answer.body.meta).toMatchObject({ limit })
  })
})

describe("one organization", () => {
  it("can be read by every member", async () => {
    const token = await tokenOf("viewer")

    const answer = await call(`GET /v1/organizations/${server.organizationId}`, undefined, {
      token,
    })

    expect(answer.body).toMatchObject({ data: { id: server.organizationId, status: "active" } })
  })

  it("accepts its id in upper case too, and no other text", async () => {
    const token = await tokenOf("viewer")
    const upper = server.organizationId.toUpperCase()

    expect((await call(`GET /v1/organizations/${upper}`, undefined, { token })).status).toBe(200)
    const none = await call("GET /v1/organizations/tidewater", undefined, { token })
    expect(none.body).toMatchObject(issueAt("/path/id"))
  })

  it("is not found by the id of another one, foreign or unknown, with one body", async () => {
    const { accessToken: token } = await server.makeUser("owner")
    const foreign = (await server.makeOrganization()).organizationId
    const operations = [
      ["GET", "", undefined],
      ["PATCH", "", {}],
      ["GET", "/members", undefined],
      ["POST", "/members", { email: "a@b.example", role: "viewer" }],
      ["PATCH", `/members/${randomUUID()}`, { role: "viewer" }],
      ["DELETE", `/members/${randomUUID()}`, undefined],
    ] as const

    for (const [method, rest, body] of operations) {
      const answers = await Promise.all(
        [foreign, randomUUID()].map((id) =>
          call(`${method} /v1/organizations/${id}${rest}`, body, { token }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404])
      expect(answers[0]!.body.error).toEqual(answers[1]!.body.error)
    }
  })

  it("an admin can change its name and settings; omitted ones stay", async () => {
    const { organizationId } = await server.makeOrganization()
    const token = await tokenOf("admin", organizationId)
    const patch = (body: object) =>
      call(`PATCH /v1/organizations/${organizationId}`, body, { token })
    const networks = ["203.0.113.0/24", "2001:db8::/32"]

    await patch({ settings: { excludedIps: networks } })
    await patch({ settings: { retentionDays: 30 } })
    const named = await patch({ name: "Harbor" })
    const kept = await patch({ settings: { retentionDays: null } })

    expect(named.body).toMatchObject({
      data: { name: "Harbor", settings: { excludedIps: networks, retentionDays: 30 } },
    })
    expect(kept.body).toMatchObject({
      data: { name: "Harbor", settings: { excludedIps: networks, retentionDays: null } },
    })
  })

  it.each([
    [{ settings: { retentionDays: 29 } }, "/body/settings/retentionDays"],
    [{ settings: { retentionDays: 3651 } }, "/body/settings/retentionDays"],
    [{ settings: { retentionDays: 30.5 } }, "/body/settings/retentionDays"],
    [{ settings: { excludedIps: ["nonsense"] } }, "/body/settings/excludedIps/0"],
    [{ settings: { excludedIps: ["10.0.0.0/33"] } }, "/body/settings/excludedIps/0"],
    [
      { settings: { excludedIps: Array.from({ length: 201 }, () => "10.0.0.0/8") } },
      "/body/settings/excludedIps",
    ],
    [{ settings: { colour: "red" } }, "/body/settings/colour"],
    [{ status: "active" }, "/body/status"],
    [{ name: "" }, "/body/name"],
    [{ timeZone: "" }, "/body/timeZone"],
    [{ timeZone: "Berlin" }, "/body/timeZone"],
    [{ timeZone: "+02:00" }, "/body/timeZone"],
    [{ timeZone: "Etc/GMT+99" }, "/body/timeZone"],
    [{ timeZone: "CET-1CEST,M3.5.0,M10.5.0/3" }, "/body/timeZone"],
    [{ timeZone: "posix/Europe/Berlin" }, "/body/timeZone"],
    [{ timeZone: "../../etc/passwd" }, "/body/timeZone"],
    [{ timeZone: "localtime" }, "/body/timeZone"],
    [{ timeZone: "A/".repeat(100_000) }, "/body/timeZone"],
    [{ timeZone: null }, "/body/timeZone"],
  ])("refuses %j", async (body, path) => {
    const token = await tokenOf("admin")

    const answer = await call(`PATCH /v1/organizations/${server.organizationId}`, body, { token })

    expect(answer.body).toMatchObject(issueAt(path))
  })

  it.each([
    [" europe/BERLIN ", "Europe/Berlin"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["etc/gmt+5", "Etc/GMT+5"],
    ["utc", "UTC"],
  ])(
    "counts in the days of its time zone, in any case: %j is %s (spec 2.21)",
    async (sent, stored) => {
      const { organizationId } = await server.makeOrganization()
      const { accessToken: token, userId } = await server.makeUser("admin", organizationId)
      const path = `/v1/organizations/${organizationId}`

      const changed = await call(`PATCH ${path}`, { timeZone: sent }, { token })
      await call(`PATCH ${path}`, { name: "Harbor" }, { token })

      expect(changed.body).toMatchObject({ data: { timeZone: stored } })
      const read = await call(`GET ${path}`, undefined, { token })
      expect(read.body).toMatchObject({ data: { name: "Harbor", timeZone: stored } })
      expect(
        await server.sql(
          "select action, actor_id from audit_entry where organization_id = $1 and target_id is null order by id limit 1",
          [organizationId],
        ),
      ).toMatchObject([{ action: "organization.updated", actor_id: userId }])
    },
  )

  it("refuses a time zone that only the server or only its database knows, in the same words", async () => {
    const token = await tokenOf("admin")
    const patch = (timeZone: string) =>
      call(`PATCH /v1/organizations/${server.organizationId}`, { timeZone }, { token })

    const [both, onlyPostgres] = [await patch("Nowhere/Land"), await patch("Factory")]

    expect(both.body).toMatchObject({
      error: {
        details: {
          issues: [
            {
              path: "/body/timeZone",
              code: "format",
              message:
                'Expected a time zone such as Europe/Berlin or UTC, received "Nowhere/Land".',
            },
          ],
        },
      },
    })
    expect(onlyPostgres.body).toMatchObject(issueAt("/body/timeZone", "format"))
  })

  it("a member and a viewer can't change its time zone", async () => {
    for (const role of ["member", "viewer"] as const) {
      const path = `PATCH /v1/organizations/${server.organizationId}`
      const answer = await call(path, { timeZone: "Asia/Tokyo" }, { token: await tokenOf(role) })
      expect(answer.status).toBe(403)
    }
  })

  it("accepts 200 networks and the limits of retention", async () => {
    const { organizationId } = await server.makeOrganization()
    const token = await tokenOf("admin", organizationId)
    const excludedIps = Array.from({ length: 200 }, (_, n) => `10.0.${n}.0/24`)

    for (const settings of [{ excludedIps }, { retentionDays: 30 }, { retentionDays: 3650 }]) {
      const answer = await call(
        `PATCH /v1/organizations/${organizationId}`,
        { settings },
        { token },
      )
      expect(answer.status).toBe(200)
    }
  })
})
