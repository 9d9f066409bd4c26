// The endpoints of lists, black-box, and rules that test lists (spec 2.22, 3.3, 5.17).
import { createHash, randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask } from "../suppression/request.ts"
import { settle, someone } from "../visitors/query/scene.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const request = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: `/v1/data${target}`, body })
const create = async (subject: "companies" | "people", values: ReadonlyArray<unknown> = []) => {
  const { data } = await request("POST", "/lists", { name: "Accounts", subject })
  if (values.length > 0) await add(data.id, values)
  return data.id as string
}
const add = (id: string, values: ReadonlyArray<unknown>) =>
  request("POST", `/lists/${id}/members`, { values })
const valuesOf = async (id: string, query = "") => {
  const { data } = await request("GET", `/lists/${id}/members${query}`)
  return data.map(({ value }: { value: string }) => value)
}
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const rule = (field: string, op: string, value: string) => ({
  version: 1,
  window: "all",
  rule: {
    all: [
      { field: "behavior.sessions", op: "gte", value: 0 },
      { field, op, value },
    ],
  },
})

describe("a list", () => {
  it("is created empty, shown, renamed and deleted", async () => {
    const created = await request("POST", "/lists", { name: " Accounts ", subject: "companies" })
    expect(created.status).toBe(201)
    expect(created.data).toMatchObject({ name: "Accounts", subject: "companies", size: 0 })
    const { id } = created.data

    const renamed = await request("PATCH", `/lists/${id}`, { name: "Targets" })

    expect(renamed.data).toMatchObject({ id, name: "Targets", subject: "companies" })
    expect((await request("GET", `/lists/${id}`)).data).toEqual(renamed.data)
    expect((await request("GET", "/lists")).data).toEqual([renamed.data])
    expect((await request("DELETE", `/lists/${id}`)).data).toEqual({ deleted: true })
    expect((await request("GET", `/lists/${id}`)).status).toBe(404)
  })

  it("keeps its subject: a change of it is refused", async () => {
    const id = await create("companies")

    const refused = await request("PATCH", `/lists/${id}`, { name: "x", subject: "people" })

    expect(refused.status).toBe(400)
  })

  it("beyond the hundredth of an organization is refused, also of concurrent requests", async () => {
    await server.sql(
      `insert into list (organization_id, id, name, subject)
       select $1, gen_random_uuid(), 'List ' || n, 'people' from generate_series(1, 98) as n`,
      [tenant.organizationId],
    )

    const created = await Promise.all(
      Array.from({ length: 5 }, () =>
        request("POST", "/lists", { name: "One more", subject: "people" }),
      ),
    )

    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
  })
})

describe("values of companies", () => {
  it("are read as the registrable domain, and repeats are present", async () => {
    const id = await create("companies")

    const { data } = await add(id, [
      "acme.com",
      "https://www.Acme.com/about?x=1",
      "mail.acme.com",
      "shop.example.co.uk",
      "müller.de",
      "xn--mller-kva.de",
    ])

    expect(data).toEqual({
      added: 3,
      present: 3,
      removed: 0,
      rejectedCount: 0,
      rejected: [],
      size: 3,
    })
    expect(await valuesOf(id)).toEqual(["acme.com", "example.co.uk", "xn--mller-kva.de"])
  })

  it("that are none are reported with their position and reason, and the others are added", async () => {
    const id = await create("companies")

    const { data } = await add(id, ["co.uk", 7, "", "a@acme.com", "globex.com", "x".repeat(300)])

    expect(data).toMatchObject({ added: 1, present: 0, rejectedCount: 5, size: 1 })
    expect(data.rejected).toEqual([
      { index: 0, value: "co.uk", reason: "public_suffix" },
      { index: 1, value: null, reason: "not_a_text" },
      { index: 2, value: "", reason: "empty_value" },
      { index: 3, value: "a@acme.com", reason: "invalid_domain" },
      { index: 5, value: "x".repeat(300), reason: "value_too_long" },
    ])
  })
})

describe("values of people", () => {
  it("are addresses or their SHA-256, and both are one person", async () => {
    const id = await create("people")

    const { data } = await add(id, [
      "Jane@Acme.com",
      sha256("jane@acme.com"),
      sha256("joe@acme.com").toUpperCase(),
    ])

    expect(data).toMatchObject({ added: 2, present: 1, rejectedCount: 0 })
    expect(await valuesOf(id)).toEqual([sha256("joe@acme.com"), "jane@acme.com"].toSorted())
  })

  it("are read out of what mail programs write around them", async () => {
    const id = await create("people")

    await add(id, ["Jane Mercer <jane@acme.com>", "mailto:joe@acme.com"])

    expect(await valuesOf(id)).toEqual(["jane@acme.com", "joe@acme.com"])
  })

  it("that are the hash of nothing, or no address, are rejected", async () => {
    const id = await create("people")

    const { data } = await add(id, [sha256(""), "acme.com"])

    expect(data.rejected.map(({ reason }: { reason: string }) => reason)).toEqual([
      "invalid_email",
      "invalid_email",
    ])
  })

  it("disappear from every list when the person is erased, and can't be added again", async () => {
    const [one, other] = [
      await create("people", ["jane@acme.com", "joe@acme.com"]),
      await create("people", [sha256("jane@acme.com")]),
    ]

    const erased = await request("DELETE", `/visitors/${sha256("jane@acme.com")}`)

    expect(erased.status).toBe(200)
    expect([await valuesOf(one), await valuesOf(other)]).toEqual([["joe@acme.com"], []])
    expect((await request("GET", `/lists/${one}`)).data.size).toBe(1)
    const { data } = await add(one, ["jane@acme.com", "joe@acme.com"])
    expect(data).toMatchObject({ added: 0, present: 1, rejectedCount: 1, size: 1 })
    expect(data.rejected).toEqual([{ index: 0, value: "jane@acme.com", reason: "erased" }])
  })
})

describe("a write", () => {
  it("that replaces says what it added and removed", async () => {
    const id = await create("companies", ["a.com", "b.com", "c.com"])

    const { data } = await request("PUT", `/lists/${id}/members`, { values: ["c.com", "d.com"] })

    expect(data).toMatchObject({ added: 1, present: 1, removed: 2, size: 2 })
    expect(await valuesOf(id)).toEqual(["c.com", "d.com"])
  })

  it.each([
    ["companies", ["acme.com"]],
    ["people", ["jane@acme.com"]],
  ] as const)(
    "that replaces a list of %s by values of which none is valid is refused, and changes nothing",
    async (subject, values) => {
      const id = await create(subject, values)

      const refused = await request("PUT", `/lists/${id}/members`, { values: ["Name;Website", ""] })

      expect(refused.status).toBe(400)
      expect(refused.error).toMatchObject({
        code: "VALIDATION_ERROR",
        details: { issues: [{ path: "/body/values", code: "format" }] },
      })
      expect(await valuesOf(id)).toEqual(values)
      const { data } = await request("PUT", `/lists/${id}/members`, { values: [] })
      expect(data).toMatchObject({ removed: 1, size: 0 })
    },
  )

  it("that removes ignores what is not in the list", async () => {
    const id = await create("companies", ["a.com", "b.com"])

    const { data } = await request("DELETE", `/lists/${id}/members`, {
      values: ["www.a.com", "z.com", 7],
    })

    expect(data).toEqual({ removed: 1, size: 1 })
    expect(await valuesOf(id)).toEqual(["b.com"])
  })

  it("with 25,000 values is stored, and one with more is refused", async () => {
    const id = await create("companies")
    const values = Array.from({ length: 25_001 }, (_, n) => `company${n}.example`)

    expect((await add(id, values)).status).toBe(400)
    const { data } = await add(id, values.slice(1))

    expect(data).toMatchObject({ added: 25_000, size: 25_000 })
  })

  it("beyond 1,000,000 values returns LIST_FULL and stores nothing", async () => {
    const id = await create("companies", ["a.com"])
    await server.sql("update list set size = 999999 where id = $1", [id])

    const refused = await add(id, ["a.com", "b.com", "c.com"])

    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({
      code: "LIST_FULL",
      details: { valuesMax: 1_000_000, size: 1_000_001 },
    })
    expect(await valuesOf(id)).toEqual(["a.com"])
    expect((await add(id, ["a.com", "b.com"])).data.size).toBe(1_000_000)
  })

  it("beside others counts every value once", async () => {
    const id = await create("companies")
    const values = Array.from({ length: 200 }, (_, n) => `company${n}.example`)

    const written = await Promise.all([
      ...Array.from({ length: 4 }, (_, n) => add(id, values.slice(n * 40, n * 40 + 80))),
      request("DELETE", `/lists/${id}/members`, { values: values.slice(0, 100) }),
    ])

    expect(written.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { size } = (await request("GET", `/lists/${id}`)).data
    expect((await valuesOf(id, "?limit=5000")).length).toBe(size)
  })
})

describe("writes that wait for one another", () => {
  it("leave the connections of the database to other organizations", async () => {
    const id = await create("people", ["jane@acme.com"])
    const other = new pg.Client({ connectionString: server.databaseUrl })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query("begin")
    await other.query("select from list where id = $1 for update", [id])

    const writes = [
      ...Array.from({ length: 8 }, (_, n) => add(id, [`p${n}@acme.com`])),
      ...Array.from({ length: 4 }, () => request("PATCH", `/lists/${id}`, { name: "Guests" })),
      request("DELETE", `/lists/${id}/members`, { values: ["jane@acme.com"] }),
    ]
    await expect
      .poll(async () => {
        const waiting = await server.sql(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return waiting.length
      })
      .toBe(1)
    const neighbor = await server.makeOrganization()
    const answer = await ask(server, neighbor, { method: "GET", path: "/v1/data/lists" })
    await other.query("commit")

    expect(answer.status).toBe(200)
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200))
    expect((await request("GET", `/lists/${id}`)).data).toMatchObject({ name: "Guests", size: 8 })
  })
})

it("a rule that tests a list does not wait for a write to it", async () => {
  const id = await create("companies", ["acme.com"])
  const other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query("begin")
  // A write holds the row of its list, and waits here.
  await other.query("lock table list_member in share mode")
  const written = add(id, ["globex.com"])
  await expect
    .poll(async () => {
      const waiting = await server.sql(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length
    })
    .toBe(1)

  const asked = await request("POST", "/query", { ruleAst: rule("company.list", "in_list", id) })
  await other.query("commit")

  expect(asked.status).toBe(200)
  expect((await written).data).toMatchObject({ added: 1, size: 2 })
})

describe("the values of a list", () => {
  it("are read page by page in their order", async () => {
    const id = await create("companies", ["c.com", "a.com", "b.com"])

    const first = await request("GET", `/lists/${id}/members?limit=2`)
    const { hasMore, limit, nextCursor } = first.meta
    const next = await request("GET", `/lists/${id}/members?limit=2&cursor=${nextCursor}`)

    expect([hasMore, limit]).toEqual([true, 2])
    expect([...first.data, ...next.data].map(({ value }) => value)).toEqual([
      "a.com",
      "b.com",
      "c.com",
    ])
    expect(next.meta).toMatchObject({ hasMore: false, nextCursor: null })
  })

  it("are searched by a part of them, without case and in either spelling", async () => {
    const id = await create("companies", ["acme.com", "müller.de", "globex.com"])

    expect(await valuesOf(id, "?q=LOB")).toEqual(["globex.com"])
    expect(await valuesOf(id, "?q=m%C3%BCller.de")).toEqual(["xn--mller-kva.de"])
  })
})

describe("a rule that tests a list", () => {
  const find = async (ruleAst: unknown) => {
    const { data } = await request("POST", "/query", { ruleAst })
    return data.map(({ email }: { email: string }) => email).toSorted()
  }
  const crowd = async () => {
    const email = (name: string) => `${name}@acme.example`
    const people = ["ann", "ben", "eve"].map((name) =>
      someone([Date.now() - 60_000], { email: email(name) }),
    )
    await settle(server, tenant, people)
    await server.sql(
      `update visitor set company_key = case when email like 'ann@%' then 'acme.com' end
       where organization_id = $1`,
      [tenant.organizationId],
    )
    await server.sql(
      `update visitor_address set email_hash = encode(sha256(email::bytea), 'hex')
       where organization_id = $1`,
      [tenant.organizationId],
    )
    return people.map((person) => person.email!)
  }

  it("finds the people of its companies, and with not_in_list everyone else", async () => {
    const [ann, ben, eve] = await crowd()
    const id = await create("companies", ["acme.com"])

    expect(await find(rule("company.list", "in_list", id))).toEqual([ann])
    expect(await find(rule("company.list", "not_in_list", id))).toEqual([ben, eve])
  })

  it("finds people by address or hash", async () => {
    const [ann, ben, eve] = await crowd()
    const id = await create("people", [ann, sha256(eve!)])

    expect(await find(rule("contact.list", "in_list", id.toUpperCase()))).toEqual([ann, eve])
    expect(await find(rule("contact.list", "not_in_list", id))).toEqual([ben])
  })

  it.each([
    ["unknown", "company.list", () => Promise.resolve(randomUUID()), "unknown_list"],
    ["of the other subject", "company.list", () => create("people"), "wrong_list"],
    ["of the other subject", "contact.list", () => create("companies"), "wrong_list"],
  ])("is refused if the list is %s", async (_, field, list, reason) => {
    const ruleAst = rule(field, "in_list", await list())

    for (const [target, body] of [
      ["/query", { ruleAst }],
      ["/segments", { name: "x", ruleAst }],
      ["/segments/preview", { ruleAst }],
    ] as const) {
      const { error, status } = await request("POST", target, body)
      expect([target, status, error.code]).toEqual([target, 400, "INVALID_RULE"])
      expect(error.details).toEqual({ path: "/rule/all/1/value", reason })
    }
  })

  it("is refused if the list belongs to another organization", async () => {
    const foreign = await create("companies")
    tenant = await server.makeOrganization()

    const { error } = await request("POST", "/query", {
      ruleAst: rule("company.list", "in_list", foreign),
    })

    expect(error.details.reason).toBe("unknown_list")
  })

  it("keeps its list: LIST_IN_USE names the segments", async () => {
    const id = await create("companies")
    const ruleAst = rule("company.list", "in_list", id)
    const { data: segment } = await request("POST", "/segments", { name: "x", ruleAst })

    const refused = await request("DELETE", `/lists/${id}`)

    expect(refused.status).toBe(409)
    expect(refused.error).toMatchObject({
      code: "LIST_IN_USE",
      details: { segmentIds: [segment.id] },
    })
    await request("DELETE", `/segments/${segment.id}`)
    expect((await request("DELETE", `/lists/${id}`)).status).toBe(200)
  })

  it("keeps its list while the score tests it, and says so", async () => {
    const id = await create("companies")
    const entry = { name: "x", rule: rule("company.list", "in_list", id).rule, points: 10 }
    expect((await request("PUT", "/score", { fit: [entry] })).status).toBe(200)

    const refused = await request("DELETE", `/lists/${id}`)

    expect(refused.error).toMatchObject({
      code: "LIST_IN_USE",
      message: "Used by the score. Change or delete them first.",
      details: { segmentIds: [], score: true },
    })
    await request("PUT", "/score", {})
    expect((await request("DELETE", `/lists/${id}`)).status).toBe(200)
  })

  it("never loses its list, whichever of two concurrent requests is first", async () => {
    for (let round = 0; round < 10; round++) {
      const id = await create("companies")
      const ruleAst = rule("company.list", "in_list", id)

      const [created, deleted] = await Promise.all([
        request("POST", "/segments", { name: "x", ruleAst }),
        request("DELETE", `/lists/${id}`),
      ])

      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([created.status, deleted.status])
    }
  })
})
