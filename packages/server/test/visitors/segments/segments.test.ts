// Saved segments: creating, reading, changing, deleting, listing (spec 1.4 to 1.6, 2.7, 5.4).
import { BadRequestError, Footfall, NotFoundError, PermissionError } from "@footfall/sdk"
import { Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { SegmentList } from "../../../src/people/visitors/segments/api.ts"
import { startServer, type TestOrganization, type TestServer } from "../../support/server.ts"

let server: TestServer
/** A new organization for each test. */
let tenant: TestOrganization
let sdk: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
  sdk = new Footfall({ baseUrl: server.url, apiKey: tenant.apiKey })
})

const ruleAst = {
  version: 1,
  window: "7d",
  rule: {
    all: [
      { field: "behavior.pricing_page_views", op: "gte", value: 2 },
      { any: [{ field: "company.seniority", op: "in", value: ["vp", "c-suite"] }] },
    ],
  },
} as const
const create = (name = "Buyers") => sdk.segments.create({ name, ruleAst })
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Sends a body unchanged. Returns status, code and the names in the details. */
const send = async (method: string, path: string, body: unknown) => {
  const response = await fetch(`${server.url}/v1/data/segments${path}`, {
    method,
    headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as {
    data: { name: string; description: string | null }
    error: { code: string; details: { path?: string; issues?: ReadonlyArray<{ path: string }> } }
  }
  return {
    status: response.status,
    data,
    code: error?.code,
    at: error?.details?.path ?? error?.details?.issues?.[0]?.path,
  }
}

const audited = async () =>
  (
    await server.sql(
      `select actor_type, actor_id, action, target_id from audit_entry
       where organization_id = $1 order by id`,
      [tenant.organizationId],
    )
  ).map(({ action, actor_id, actor_type, target_id }) => [action, target_id, actor_type, actor_id])

describe("a segment", () => {
  it("created with a key is returned as it was sent, without a creator", async () => {
    const created = await sdk.segments.create({ name: "Buyers", description: "Warm", ruleAst })

    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organizationId: tenant.organizationId,
      name: "Buyers",
      description: "Warm",
      subject: "people",
      ruleAst,
      createdBy: null,
      createdAt: timestamp,
      updatedAt: created.createdAt,
    })
    expect(await sdk.segments.get(created.id)).toEqual(created)
  })

  it("of companies says so in every answer, and its subject never changes", async () => {
    const rule = { field: "company.employee_count", op: "gte", value: 50 } as const
    const created = await sdk.segments.create({
      name: "Large",
      subject: "companies",
      ruleAst: { version: 1, rule },
    })

    expect(created.subject).toBe("companies")
    expect(await sdk.segments.get(created.id)).toEqual(created)
    expect((await sdk.segments.list()).data.map(({ subject }) => subject)).toEqual(["companies"])
    expect(await send("PATCH", `/${created.id}`, { subject: "people" })).toMatchObject({
      status: 400,
      at: "/body/subject",
    })
    expect((await sdk.segments.update(created.id, { name: "Larger" })).subject).toBe("companies")
  })

  it.each(["contact.name", "custom.plan", "company.job_title", "contact.list"])(
    "of companies can't test %s, on creation and in a change",
    async (field) => {
      const wrong = { version: 1, rule: { any: [{ field, op: "exists", value: true }] } }
      const { id } = await sdk.segments.create({
        name: "Large",
        subject: "companies",
        ruleAst: { version: 1, rule: { field: "score.total", op: "gte", value: 50 } },
      })

      for (const refused of [
        await send("POST", "", { name: "x", subject: "companies", ruleAst: wrong }),
        await send("PATCH", `/${id}`, { ruleAst: wrong }),
        await send("POST", "/preview", { subject: "companies", ruleAst: wrong }),
      ]) {
        expect(refused).toMatchObject({
          status: 400,
          code: "INVALID_RULE",
          at: "/rule/any/0/field",
        })
      }
      expect(await send("POST", "", { name: "x", subject: "sites", ruleAst })).toMatchObject({
        status: 400,
        at: "/body/subject",
      })
    },
  )

  it("created with an access token belongs to the user", async () => {
    const { accessToken, userId } = await server.makeUser("member", tenant.organizationId)
    const user = new Footfall({ baseUrl: server.url, accessToken })

    const created = await user.segments.create({ name: "Buyers", ruleAst })

    expect([created.createdBy, created.description]).toEqual([userId, null])
  })

  it("returns 201 on creation", async () => {
    expect((await send("POST", "", { name: "Buyers", ruleAst })).status).toBe(201)
  })

  it("keeps fields that a change omits, and null clears the description", async () => {
    const { id } = await sdk.segments.create({ name: "Buyers", description: "Warm", ruleAst })
    const other = {
      version: 1,
      rule: { field: "contact.has_phone", op: "eq", value: true },
    } as const

    const renamed = await sdk.segments.update(id, { name: "Buyers of spring" })
    const cleared = await sdk.segments.update(id, { description: null })
    const ruled = await sdk.segments.update(id, { ruleAst: other })

    expect(renamed).toMatchObject({ name: "Buyers of spring", description: "Warm", ruleAst })
    expect(cleared).toMatchObject({ name: "Buyers of spring", description: null, ruleAst })
    expect(ruled).toMatchObject({ name: "Buyers of spring", description: null, ruleAst: other })
    expect(await sdk.segments.get(id)).toEqual(ruled)
    expect(Date.parse(ruled.updatedAt)).toBeGreaterThanOrEqual(Date.parse(renamed.updatedAt))
    expect(Date.parse(renamed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(renamed.createdAt))
  })

  it("two concurrent changes to different fields are both kept", async () => {
    const { id } = await create()

    for (let round = 0; round < 10; round++) {
      await Promise.all([
        sdk.segments.update(id, { name: `Name ${round}` }),
        sdk.segments.update(id, { description: `Text ${round}` }),
      ])
      const { description, name } = await sdk.segments.get(id)
      expect([name, description]).toEqual([`Name ${round}`, `Text ${round}`])
    }
  })

  it("is not found after it is deleted: for reading, changing and deleting", async () => {
    const { id } = await create()

    expect(await sdk.segments.delete(id)).toEqual({ deleted: true })

    await expect(sdk.segments.get(id)).rejects.toBeInstanceOf(NotFoundError)
    await expect(sdk.segments.update(id, { name: "x" })).rejects.toBeInstanceOf(NotFoundError)
    await expect(sdk.segments.delete(id)).rejects.toBeInstanceOf(NotFoundError)
  })

  it("every change is in the audit log once, with its actor; an empty change is not", async () => {
    const { accessToken, userId } = await server.makeUser("member", tenant.organizationId)
    const user = new Footfall({ baseUrl: server.url, accessToken })
    const { id } = await create()
    await sdk.segments.update(id, { name: "Other" })
    await sdk.segments.update(id, { name: "Other" })
    await sdk.segments.update(id, {})
    await sdk.segments.preview({ ruleAst })
    await expect(sdk.segments.update(randomUUID(), { name: "x" })).rejects.toThrow()
    await user.segments.delete(id)

    expect(await audited()).toEqual([
      ["segment.created", id, "api_key", tenant.apiKeyId],
      ["segment.updated", id, "api_key", tenant.apiKeyId],
      ["segment.deleted", id, "user", userId],
    ])
  })
})

describe("a body", () => {
  const characters = (count: number) => "😀".repeat(count)

  it.each([
    { name: " Buyers ", stored: "Buyers" },
    { name: "x", stored: "x" },
    { name: characters(160), stored: characters(160) },
    { name: ` ${characters(160)} `, stored: characters(160) },
  ])("has a name of 1 to 160 characters, trimmed: %#", async ({ name, stored }) => {
    expect((await send("POST", "", { name, ruleAst })).data.name).toBe(stored)
  })

  it.each([
    { description: " Warm ", stored: "Warm" },
    { description: characters(500), stored: characters(500) },
    { description: null, stored: null },
  ])("has a description of at most 500 characters, or null: %#", async (row) => {
    const answer = await send("POST", "", { name: "x", description: row.description, ruleAst })

    expect(answer.data.description).toBe(row.stored)
  })

  it.each([
    ["/body/name", { ruleAst }],
    ["/body/name", { name: "", ruleAst }],
    ["/body/name", { name: "  ", ruleAst }],
    ["/body/name", { name: characters(161), ruleAst }],
    ["/body/name", { name: null, ruleAst }],
    ["/body/description", { name: "x", description: characters(501), ruleAst }],
    ["/body/description", { name: "x", description: 7, ruleAst }],
    ["/body/ruleAst", { name: "x" }],
    ["/body/createdBy", { name: "x", ruleAst, createdBy: randomUUID() }],
    ["/body/organizationId", { name: "x", ruleAst, organizationId: randomUUID() }],
  ])("is rejected at %s: %#", async (at, body) => {
    expect(await send("POST", "", body)).toMatchObject({
      status: 400,
      code: "VALIDATION_ERROR",
      at,
    })
  })

  it.each([
    ["", { version: 1 }, "/rule"],
    ["", [], ""],
    ["", null, ""],
    ["/preview", { version: 2, rule: ruleAst.rule }, "/version"],
    [
      "/preview",
      {
        ...ruleAst,
        rule: { all: [ruleAst.rule.all[0], { field: "behavior.x", op: "eq", value: 1 }] },
      },
      "/rule/all/1/field",
    ],
  ])("with an invalid rule gets a 400 INVALID_RULE: POST %s %j", async (path, wrong, at) => {
    const body = path === "" ? { name: "x", ruleAst: wrong } : { ruleAst: wrong }

    expect(await send("POST", path, body)).toMatchObject({ status: 400, code: "INVALID_RULE", at })
  })

  it("of a change is validated before the segment is looked up", async () => {
    expect(await send("PATCH", `/${randomUUID()}`, { ruleAst: {} })).toMatchObject({
      status: 400,
      code: "INVALID_RULE",
    })
    expect(await send("PATCH", `/${randomUUID()}`, { name: "" })).toMatchObject({ status: 400 })
    expect(await send("PATCH", `/${randomUUID()}`, { name: "x" })).toMatchObject({ status: 404 })
  })

  it("with an invalid rule does not change the segment", async () => {
    const created = await create()

    await send("PATCH", `/${created.id}`, { name: "Other", ruleAst: { version: 1 } })

    expect(await sdk.segments.get(created.id)).toEqual(created)
  })

  it("an invalid id gets a 400; an unknown, foreign or deleted one gets the same 404", async () => {
    const stranger = await server.makeOrganization()
    const theirs = await new Footfall({
      baseUrl: server.url,
      apiKey: stranger.apiKey,
    }).segments.create({ name: "Theirs", ruleAst })
    const { id: deleted } = await create()
    await sdk.segments.delete(deleted)

    for (const method of ["GET", "PATCH", "DELETE"]) {
      const ask = async (id: string) => {
        const response = await fetch(`${server.url}/v1/data/segments/${id}`, {
          method,
          headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
          ...(method === "PATCH" ? { body: "{}" } : {}),
        })
        const { error } = (await response.json()) as { error: unknown }
        return JSON.stringify([response.status, error])
      }
      const answers = await Promise.all([randomUUID(), theirs.id, deleted].map(ask))
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toContain("404")
      expect(await ask("7")).toContain("400")
    }
  })
})

describe("the list", () => {
  it("is newest first, in its documented format, and contains only this organization's segments", async () => {
    const names = ["one", "two", "three"]
    for (const name of names) await create(name)
    const stranger = await server.makeOrganization()
    await new Footfall({ baseUrl: server.url, apiKey: stranger.apiKey }).segments.create({
      name: "Theirs",
      ruleAst,
    })

    const response = await fetch(`${server.url}/v1/data/segments`, {
      headers: { "x-api-key": tenant.apiKey },
    })
    const body: unknown = await response.json()

    const { data, meta } = Schema.decodeUnknownSync(SegmentList, { onExcessProperty: "error" })(
      body,
    )
    expect(data.map(({ name }) => name)).toEqual(["three", "two", "one"])
    expect(meta).toMatchObject({ total: 3, limit: 50, offset: 0, hasMore: false, nextCursor: null })
  })

  it("read by cursor or by offset returns every segment once, even those with the same time", async () => {
    await server.sql(
      `insert into segment (organization_id, id, name, rule_ast, created_at)
       select $1, gen_random_uuid(), n, $2, '2026-03-11T09:00:00.000123Z'::timestamptz
         + make_interval(secs => (n / 50) * 0.000001)
       from generate_series(1, 230) as n`,
      [tenant.organizationId, JSON.stringify(ruleAst)],
    )
    const byCursor: Array<string> = []
    const offsets: Array<number> = []
    let cursor: string | undefined
    do {
      const { data, meta } = await sdk.segments.list({ limit: 40, cursor })
      byCursor.push(...data.map(({ id }) => id))
      offsets.push(meta.offset)
      expect(meta.total).toBe(230)
      cursor = meta.nextCursor ?? undefined
    } while (cursor !== undefined)
    const byOffset: Array<string> = []
    for (const offset of [0, 100, 200, 300]) {
      const { data } = await sdk.segments.list({ limit: 100, offset })
      byOffset.push(...data.map(({ id }) => id))
    }

    expect(offsets).toEqual([0, 40, 80, 120, 160, 200])
    expect(new Set(byCursor).size).toBe(230)
    expect(byOffset).toEqual(byCursor)
  })

  it.each(["limit=0", "limit=101", "offset=-1", "page=1", "limit=x"])(
    "with %s gets a 400",
    async (query) => {
      expect(await server.get(`/v1/data/segments?${query}`)).toMatchObject({ status: 400 })
    },
  )

  it("accepts a cursor or an offset, not both, and no cursor of another list", async () => {
    await create("one")
    await create("two")
    const cursor = (await sdk.segments.list({ limit: 1 })).meta.nextCursor ?? ""
    const stranger = await server.makeOrganization()

    const both = await fetch(`${server.url}/v1/data/segments?cursor=${cursor}&offset=0`, {
      headers: { "x-api-key": tenant.apiKey },
    })
    const theirs = await fetch(`${server.url}/v1/data/segments?cursor=${cursor}`, {
      headers: { "x-api-key": stranger.apiKey },
    })

    expect(both.status).toBe(400)
    expect([theirs.status, await theirs.json()]).toMatchObject([
      400,
      { error: { code: "INVALID_CURSOR", details: { reason: "scope" } } },
    ])
    await expect(sdk.visitors.list({ cursor }).then()).rejects.toBeInstanceOf(BadRequestError)
  })
})

describe("permissions", () => {
  it("a viewer can read and preview, but not change anything (spec 7)", async () => {
    const { id } = await create()
    const { accessToken } = await server.makeUser("viewer", tenant.organizationId)
    const viewer = new Footfall({ baseUrl: server.url, accessToken }).segments

    expect((await viewer.list()).data).toHaveLength(1)
    expect((await viewer.get(id)).id).toBe(id)
    expect((await viewer.preview({ ruleAst })).count).toBe(0)
    for (const attempt of [
      () => viewer.create({ name: "x", ruleAst }),
      () => viewer.update(id, { name: "x" }),
      () => viewer.delete(id),
    ]) {
      await expect(attempt()).rejects.toBeInstanceOf(PermissionError)
    }
    expect((await sdk.segments.list()).data.map(({ name }) => name)).toEqual(["Buyers"])
  })

  it("allows 60 requests per minute for each key and user", async () => {
    const limited = await startServer({ beside: server, rateLimits: true, workers: false })
    const { accessToken } = await server.makeUser("member", tenant.organizationId)
    const ask = (headers: Readonly<Record<string, string>>) =>
      fetch(`${limited.url}/v1/data/segments`, { headers })
    const byKey = { "x-api-key": tenant.apiKey }

    for (let count = 0; count < 60; count++) expect((await ask(byKey)).status).toBe(200)
    const refused = await ask(byKey)
    const byUser = await ask({ authorization: `Bearer ${accessToken}` })

    expect(refused.status).toBe(429)
    expect(refused.headers.get("ratelimit-limit")).toBe("60")
    expect([byUser.status, byUser.headers.get("ratelimit-remaining")]).toEqual([200, "59"])
    await limited.close()
  })
})
