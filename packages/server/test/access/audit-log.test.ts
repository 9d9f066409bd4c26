// The audit log as admins read it (spec 5.13).
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"
import { caller } from "./request.ts"

let server: TestServer
let admin: TestUser
let call: ReturnType<typeof caller>
beforeAll(async () => {
  server = await startServer({ workers: false })
  admin = await server.makeUser("admin")
  call = caller(server)
  for (const name of ["one", "two", "three"]) {
    await call("POST /v1/api-keys", { name }, { token: admin.accessToken })
  }
  await server.sdk.pixels.create({ domain: "logged.example" })
  await server.sql(
    `insert into audit_entry (organization_id, at, actor_type, action)
     values ($1, '2026-01-01T00:00:00Z', 'operator', 'organization.updated')`,
    [server.organizationId],
  )
  const other = await server.makeOrganization()
  const { accessToken: token } = await server.makeUser("admin", other.organizationId)
  await call("POST /v1/api-keys", { name: "theirs" }, { token })
})
afterAll(() => server.close())

interface Entry {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly actor: {
    readonly type: string
    readonly id: string | null
    readonly name: string | null
  }
  readonly requestId: string | null
}

const list = async (query = "", token = admin.accessToken) => {
  const answer = await call(`GET /v1/audit-log${query}`, undefined, { token })
  const entries = answer.body.data as ReadonlyArray<Entry>
  return { ...answer, entries, actions: entries?.map(({ action }) => action) }
}

it("lists who did what, newest first, only for the caller's organization", async () => {
  const { actions, entries } = await list()

  expect(actions).toEqual([
    "organization.updated",
    "pixel.created",
    "api_key.created",
    "api_key.created",
    "api_key.created",
  ])
  expect(entries.map(({ actor }) => actor)).toEqual([
    { type: "operator", id: null, name: null },
    { type: "api_key", id: server.apiKeyId, name: "Test" },
    ...Array.from({ length: 3 }, () => ({ type: "user", id: admin.userId, name: admin.email })),
  ])
  expect(entries[1]?.requestId).toMatch(/^req_/)
})

it("is returned in pages", async () => {
  const seen: Array<string> = []
  let cursor: string | null = ""
  while (cursor !== null) {
    const { body, entries } = await list(`?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
    seen.push(...entries.map(({ id }) => id))
    cursor = body.meta.nextCursor
  }

  expect(seen).toEqual((await list()).entries.map(({ id }) => id))
})

it.each([
  ["action=api_key.created", 3],
  ["action=api_key", 3],
  ["action=api", 0],
  ["action=pixel", 1],
  ["actor=operator", 1],
  ["to=2026-01-01T00:00:00Z", 0],
  ["to=2026-01-01T00:00:01Z", 1],
  ["from=2026-01-01T00:00:01Z", 4],
])("with %s has %i entries", async (query, count) => {
  expect((await list(`?${query}`)).entries).toHaveLength(count)
})

it("can be filtered by a user and by a key", async () => {
  expect((await list(`?actor=${admin.userId.toUpperCase()}`)).entries).toHaveLength(3)
  expect((await list(`?actor=${server.apiKeyId}`)).actions).toEqual(["pixel.created"])
})

it("keeps the entries of a member who was removed, without the address", async () => {
  const gone = await server.makeUser("admin")
  await call("POST /v1/api-keys", { name: "four" }, { token: gone.accessToken })
  await server.sql("delete from member where user_id = $1", [gone.userId])

  const { entries } = await list(`?actor=${gone.userId}`)
  expect(entries).toMatchObject([{ actor: { type: "user", id: gone.userId, name: null } }])
})

it.each(["viewer", "member"] as const)("is not for a %s", async (role) => {
  const { accessToken } = await server.makeUser(role)
  expect((await list("", accessToken)).status).toBe(403)
})

it("rejects a cursor of another filter", async () => {
  const { body } = await list("?limit=1&action=api_key")
  const refused = await list(`?limit=1&cursor=${body.meta.nextCursor}`)
  expect(refused.body.error.code).toBe("INVALID_CURSOR")
})
