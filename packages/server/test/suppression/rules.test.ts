// The endpoints of suppression rules, black-box (spec 2.6, 5.5, 12.5 to 12.7).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { request as ask, rulesPath as path } from "./request.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

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
  ask(server, tenant, { method, path: target, body })

const add = (rules: ReadonlyArray<unknown>) => request("POST", path, { rules })
const replace = (rules: ReadonlyArray<unknown>, types?: ReadonlyArray<string>) =>
  request("PUT", path, types === undefined ? { rules } : { rules, types })
const remove = (body: unknown) => request("DELETE", path, body)
const list = async (query = "") => (await request("GET", `${path}${query}`)).data
const email = (name: string) => ({ type: "email", value: `${name}@tidewater.example` })
const valuesOf = ({ rules }: { rules: ReadonlyArray<{ value: string }> }) =>
  rules.map(({ value }) => value)
const issuesOf = (answer: { error: { details: { issues: unknown } } }) =>
  answer.error.details.issues

it("a write that changes no rule is not a milestone, so responses may still come from a replica", async () => {
  const milestones = async () => {
    const [row] = await server.sql(
      `select coalesce(sum(writes), 0)::integer as count from list_version
       where organization_id = $1 and list = 'suppression_list'`,
      [tenant.organizationId],
    )
    return row!["count"]
  }
  const counts = [await milestones()]
  for (const write of [
    () => remove({ rules: [email("nobody")] }),
    () => add([email("ann")]),
    () => add([email("ann")]),
    () => remove({ rules: [email("nobody")] }),
    () => replace([email("ann")], ["email"]),
    () => remove({ rules: [email("ann")] }),
  ]) {
    await write()
    counts.push(await milestones())
  }

  expect(counts).toEqual([0, 0, 1, 1, 1, 2, 3])
})

describe("the examples of the specification", () => {
  it("12.5 to 12.7: add with one row rejected, replace one type, delete by id and by value", async () => {
    await add([{ type: "industry", value: "Retail" }])
    const added = await add([
      { type: "email", value: " Ops@Tidewater.example " },
      { type: "domain", value: "https://www.Rival-Freight.example/about" },
      { type: "domain", value: "rival-freight.example" },
      { type: "company_domain", value: "co.uk" },
    ])
    const replaced = await replace(
      [
        { type: "industry", value: "Staffing and Recruiting" },
        { type: "industry", value: "Higher Education" },
        { type: "email", value: "x@tidewater.example" },
      ],
      ["industry"],
    )
    const { rules } = await list()
    const { id } = rules.find(({ value }: { value: string }) => value === "higher education")
    const deleted = await remove({
      ids: [id],
      rules: [
        { type: "domain", value: "WWW.rival-freight.example" },
        { type: "email", value: "nobody@tidewater.example" },
      ],
    })

    expect(added.data).toEqual({
      added: 2,
      removed: 0,
      duplicates: 1,
      rejectedCount: 1,
      total: 3,
      rejected: [{ index: 3, type: "company_domain", value: "co.uk", reason: "public_suffix" }],
    })
    expect(replaced.data).toEqual({
      added: 2,
      removed: 1,
      duplicates: 0,
      rejectedCount: 1,
      total: 4,
      rejected: [
        { index: 2, type: "email", value: "x@tidewater.example", reason: "type_not_in_types" },
      ],
    })
    expect(deleted.data).toEqual({ deleted: 2, total: 2 })
  })
})

describe("POST", () => {
  it("repeated is a no-op: ids and times stay", async () => {
    await add([email("a"), email("b")])
    const before = await list()

    expect((await add([email("b"), email("A"), email("a")])).data).toMatchObject({
      added: 0,
      duplicates: 3,
      total: 2,
    })
    expect((await list()).rules).toEqual(before.rules)
  })

  it("of several types at once adds the new ones, skips the stored ones and puts back the removed ones", async () => {
    const industry = { type: "industry", value: "retail" }
    const domain = { type: "domain", value: "tidewater.example" }
    await add([industry, domain])
    await remove({ rules: [domain] })

    const besideStored = await add([email("ann"), industry])
    const besideRemoved = await add([email("bob"), domain])

    expect(besideStored.data).toMatchObject({ added: 1, duplicates: 1, total: 2 })
    expect(besideRemoved.data).toMatchObject({ added: 2, duplicates: 0, total: 4 })
  })

  it("without rules succeeds", async () => {
    expect((await add([])).data).toMatchObject({ added: 0, total: 0 })
  })

  it("ignores additional fields of a row", async () => {
    expect((await add([{ ...email("a"), note: 1 }])).data.added).toBe(1)
  })

  it("returns the first 100 rejected rows with their positions, and the true count", async () => {
    const rows = [email("a"), ...Array.from({ length: 150 }, () => 7)]

    const { data } = await add(rows)

    expect(data).toMatchObject({ added: 1, rejectedCount: 150 })
    expect(data.rejected).toHaveLength(100)
    expect(data.rejected[99]).toEqual({
      index: 100,
      type: null,
      value: null,
      reason: "not_an_object",
    })
  })

  it("names an invisible character", async () => {
    const { data } = await add([
      { type: "email", value: "ja\u200bne@acme.example" },
      { type: "domain", value: "ac\u0007me.example" },
      { type: "industry", value: "soft\u00adware" },
      { type: "email", value: "no address" },
    ])

    expect(
      data.rejected.map(({ message, reason }: { message?: string; reason: string }) => [
        reason,
        message,
      ]),
    ).toEqual([
      ["invalid_email", "Expected no invisible character, received U+200B (zero width space)."],
      ["invalid_domain", "Expected no invisible character, received U+0007 (control character)."],
      ["invalid_industry", "Expected no invisible character, received U+00AD (soft hyphen)."],
      ["invalid_email", undefined],
    ])
  })

  it("returns a rejected value untrimmed, cut after 512 characters", async () => {
    const { data } = await add([
      { type: "email", value: ` ${"😀".repeat(600)}` },
      { type: 7, value: " x " },
    ])

    expect(data.rejected[0].value).toBe(` ${"😀".repeat(511)}`)
    expect(data.rejected[1]).toEqual({
      index: 1,
      type: null,
      value: " x ",
      reason: "invalid_type",
    })
  })

  it("accepts 25,000 rows, and applies nothing of 25,001", async () => {
    const rows = Array.from({ length: 25_001 }, (_, n) => email(`p${n}`))

    const refused = await add(rows)
    expect(refused).toMatchObject({ status: 400, error: { code: "VALIDATION_ERROR" } })
    expect(issuesOf(refused)).toMatchObject([{ path: "/body/rules", code: "max_items" }])
    expect((await list()).total).toBe(0)
    expect((await add(rows.slice(1))).data).toMatchObject({ added: 25_000, total: 25_000 })
  })
})

describe("PUT", () => {
  it("with an empty list clears everything, or only the given types", async () => {
    await add([email("a"), { type: "industry", value: "Retail" }])

    expect((await replace([], ["email"])).data).toMatchObject({ removed: 1, total: 1 })
    expect((await replace([])).data).toMatchObject({ removed: 1, total: 0 })
  })

  it("gives a value that stays a new id and time", async () => {
    await add([email("a")])
    const before = (await list()).rules[0]

    await replace([email("a")])

    const after = (await list()).rules[0]
    expect(after.id).not.toBe(before.id)
    expect(after.createdAt > before.createdAt).toBe(true)
  })

  it.each([
    ["no types", []],
    ["an unknown type", ["industry", "phone"]],
  ])("with %s is rejected", async (_, types) => {
    await add([email("a")])

    expect(await replace([email("b")], types)).toMatchObject({ status: 400 })
    expect(valuesOf(await list())).toEqual(["a@tidewater.example"])
  })

  it("counts a repeated type once", async () => {
    expect((await replace([email("a")], ["email", "email"])).data.added).toBe(1)
  })

  it("sent twice concurrently leaves exactly one of the lists", async () => {
    const half = (name: string) => Array.from({ length: 200 }, (_, n) => email(`${name}${n}`))
    for (let round = 0; round < 5; round++) {
      await Promise.all([replace(half("a")), replace(half("b")), replace(half("c"))])

      const values = valuesOf(await list())
      expect(values).toHaveLength(200)
      expect(new Set(values.map((value) => value[0])).size).toBe(1)
    }
  })
})

describe("GET", () => {
  it("is newest first, and counts the whole list whatever the filter", async () => {
    await add([email("a")])
    await add([{ type: "domain", value: "rival.example" }])
    await add([{ type: "industry", value: "Retail" }, email("b")])

    const data = await list("?type=email")

    expect(valuesOf(data)).toEqual(["b@tidewater.example", "a@tidewater.example"])
    expect(data).toMatchObject({
      counts: { email: 2, domain: 1, company_domain: 0, industry: 1 },
      total: 4,
      filteredTotal: 2,
      limit: 500,
      offset: 0,
      hasMore: false,
    })
    expect(valuesOf(await list("?limit=2"))).toHaveLength(2)
    expect(valuesOf(await list())[3]).toBe("a@tidewater.example")
  })

  it("finds part of the value, ignoring case, and literally", async () => {
    await add([email("a_b"), email("axb"), { type: "domain", value: "a-b.example" }])

    expect(valuesOf(await list("?q=A_B"))).toEqual(["a_b@tidewater.example"])
    expect((await list("?q=%25")).filteredTotal).toBe(0)
    expect((await list("?q=")).filteredTotal).toBe(3)
    expect((await list(`?q=${"x".repeat(320)}`)).filteredTotal).toBe(0)
    expect(await request("GET", `${path}?q=${"x".repeat(321)}`)).toMatchObject({ status: 400 })
    const faces = (count: number) => encodeURIComponent("😀".repeat(count))
    expect((await list(`?q=${faces(320)}`)).filteredTotal).toBe(0)
    expect(await request("GET", `${path}?q=${faces(321)}`)).toMatchObject({ status: 400 })
    expect(valuesOf(await list(`?q=${"%20".repeat(320)}A_B`))).toEqual(["a_b@tidewater.example"])
  })

  it.each(["?limit=0", "?limit=5001", "?offset=-1", "?type=phone", "?page=2", "?limit=1&limit=2"])(
    "with %s is rejected",
    async (query) => {
      expect(await request("GET", path + query)).toMatchObject({
        status: 400,
        error: { code: "VALIDATION_ERROR" },
      })
    },
  )

  it("by offset and by cursor returns every rule once, even those with the same time", async () => {
    await add(Array.from({ length: 25 }, (_, n) => email(`a${n}`)))
    await add(Array.from({ length: 25 }, (_, n) => ({ type: "domain", value: `b${n}.example` })))
    const all = valuesOf(await list())

    const byOffset: Array<string> = []
    for (let offset = 0; offset < 50; offset += 7) {
      byOffset.push(...valuesOf(await list(`?limit=7&offset=${offset}`)))
    }
    const byCursor: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const { data, meta } = await request("GET", `${path}?limit=7${query}`)
      expect(data.offset).toBe(byCursor.length)
      byCursor.push(...valuesOf(data))
      cursor = meta.nextCursor
    }

    expect(all).toHaveLength(50)
    expect(byOffset).toEqual(all)
    expect(byCursor).toEqual(all)
  })

  it("rejects cursor with offset, and a cursor for another filter", async () => {
    await add([email("a"), email("b")])
    const { meta } = await request("GET", `${path}?limit=1`)
    const cursor = encodeURIComponent(meta.nextCursor)

    expect(await request("GET", `${path}?limit=1&cursor=${cursor}&offset=1`)).toMatchObject({
      status: 400,
      error: { details: { issues: [{ path: "/query/offset", code: "mutually_exclusive" }] } },
    })
    expect(await request("GET", `${path}?limit=1&cursor=${cursor}&type=email`)).toMatchObject({
      status: 400,
      error: { code: "INVALID_CURSOR", details: { reason: "scope" } },
    })
    expect(await request("GET", `${path}?limit=1&cursor=${cursor}&q=a`)).toMatchObject({
      status: 400,
      error: { code: "INVALID_CURSOR", details: { reason: "scope" } },
    })
  })
})

describe("DELETE", () => {
  it("accepts ids, pairs, elements with both, and bare ids among the rules, each once", async () => {
    await add(["a", "b", "c", "d", "e"].map(email))
    const { rules } = await list()
    const idOf = (name: string) =>
      rules.find(({ value }: { value: string }) => value.startsWith(name)).id

    const answer = await remove({
      ids: [idOf("a"), "no uuid"],
      rules: [
        { id: idOf("b").toUpperCase() },
        idOf("c"),
        { id: idOf("d"), ...email("D") },
        { id: idOf("d"), ...email("e") },
        { type: "phone" },
        null,
      ],
    })

    expect(answer.data).toEqual({ deleted: 5, total: 0 })
  })

  it.each([{}, { ids: [], rules: [] }, { rules: [] }])("with %j is rejected", async (body) => {
    expect(await remove(body)).toMatchObject({ status: 400 })
  })

  it("with 25,001 elements in total is rejected", async () => {
    const body = (count: number) => ({
      ids: Array.from({ length: 12_500 }, () => "x"),
      rules: Array.from({ length: count - 12_500 }, () => "y"),
    })

    expect(await remove(body(25_001))).toMatchObject({ status: 400 })
    expect((await remove(body(25_000))).data).toEqual({ deleted: 0, total: 0 })
  })

  it("deletes one rule by its path, and returns 404 for an unknown, a foreign or a deleted one", async () => {
    await add([email("a")])
    const { id } = (await list()).rules[0]
    const other = tenant

    tenant = await server.makeOrganization()
    expect(await request("DELETE", `${path}/${id}`)).toMatchObject({ status: 404 })
    tenant = other
    expect((await request("DELETE", `${path}/${id}`)).data).toEqual({ deleted: 1, total: 0 })
    expect(await request("DELETE", `${path}/${id}`)).toMatchObject({ status: 404 })
    expect(await request("DELETE", `${path}/x`)).toMatchObject({
      status: 400,
      error: { code: "VALIDATION_ERROR" },
    })
  })
})

it("a rule that was deleted can be added again", async () => {
  await add([email("a")])
  await remove({ rules: [email("a")] })

  expect((await list()).total).toBe(0)
  expect((await add([email("a")])).data).toMatchObject({ added: 1, total: 1 })
  expect(valuesOf(await list())).toEqual(["a@tidewater.example"])
})

it("every change is in the audit log; a request that changes nothing is not", async () => {
  await add([email("a")])
  await add([email("a")])
  await replace([email("b")])
  await remove({ rules: [email("b")] })

  const entries = await server.sql(
    "select action, actor_type from audit_entry where organization_id = $1 order by id",
    [tenant.organizationId],
  )
  expect(entries).toEqual(
    ["added", "replaced", "removed"].map((verb) => ({
      action: `suppression_rules.${verb}`,
      actor_type: "api_key",
    })),
  )
})
