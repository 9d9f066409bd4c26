// Files for lists on a running server (spec 5.16): sent, answered as a plan, then applied or dropped.
import type { FileImportPlan } from "@footfall/sdk"
import fc from "fast-check"
import { createHash } from "node:crypto"
import { request } from "node:http"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { isSoak } from "../soak/size.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask } from "../suppression/request.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

interface Body {
  readonly data: FileImportPlan
  readonly error: { readonly code: string; readonly message: string; readonly details: unknown }
}

const path = "/v1/data/import/lists"
const data = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: `/v1/data${target}`, body })
const create = async (subject: "companies" | "people", values: ReadonlyArray<unknown> = []) => {
  const created = await data("POST", "/lists", { name: "Accounts", subject })
  const id = created.data.id as string
  if (values.length > 0) await data("POST", `/lists/${id}/members`, { values })
  return id
}
const valuesOf = async (id: string) => {
  const { data: members } = await data("GET", `/lists/${id}/members?limit=5000`)
  return members.map(({ value }: { value: string }) => value) as ReadonlyArray<string>
}
const sizeOf = async (id: string) => (await data("GET", `/lists/${id}`)).data.size as number
const send = async (
  query: string,
  file: string | Uint8Array<ArrayBuffer>,
  type = "text/csv",
  kind = "lists",
) => {
  const response = await fetch(`${server.url}/v1/data/import/${kind}/plan${query}`, {
    method: "POST",
    headers: { "x-api-key": tenant.apiKey, "content-type": type },
    body: file,
  })
  return { status: response.status, ...((await response.json()) as Body) }
}
const plan = (id: string, file: string, query = "", type = "text/csv") =>
  send(`?list=${id}${query}`, file, type)
const apply = (importId: string, allowed: object = {}) =>
  data("POST", "/import/lists/apply", { importId, ...allowed })
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const companies = (count: number) => Array.from({ length: count }, (_, at) => `site${at}.example`)

describe("a file for a list of companies", () => {
  it("is planned with what is new, present, repeated and rejected, and changes nothing", async () => {
    const id = await create("companies", ["acme.com"])
    const file = [
      "Name,Website",
      "Acme,https://www.acme.com/about",
      "Globex,shop.globex.co.uk",
      "Globex again,@globex.co.uk",
      "Suffix,co.uk",
      "Nothing,no domain",
    ].join("\n")

    const { data: planned, status } = await plan(id, file, "&column=Website&name=crm.csv")

    expect(status).toBe(200)
    expect(planned).toMatchObject({
      kind: "lists",
      listId: id,
      mode: "add",
      types: ["company_domain"],
      rows: 5,
      rules: 2,
      new: 1,
      present: 1,
      removed: 0,
      repeated: 1,
      rejected: 2,
      guard: null,
      affected: null,
      files: [{ name: "crm.csv", rows: 5, rejected: 2 }],
      byType: { stored: { company_domain: 1 }, rejected: { company_domain: 2 } },
      sample: { new: [{ type: "company_domain", value: "globex.co.uk" }], removed: [] },
    })
    expect(planned.rejectedRows.map(({ line, reason }) => [line, reason])).toEqual([
      [5, "public_suffix"],
      [6, "invalid_domain"],
    ])
    expect(await valuesOf(id)).toEqual(["acme.com"])
  })

  it("adds what is new when it is applied, once", async () => {
    const id = await create("companies", ["acme.com"])
    const { data: planned } = await plan(id, "acme.com\nglobex.com\n")

    expect((await apply(planned.importId)).data).toEqual({ added: 1, removed: 0, total: 2 })
    expect((await apply(planned.importId)).status).toBe(404)
    expect(await valuesOf(id)).toEqual(["acme.com", "globex.com"])
    expect(await sizeOf(id)).toBe(2)
  })

  it("replaces the list with `mode=replace`, and removes its values with `mode=remove`", async () => {
    const id = await create("companies", ["acme.com", "globex.com"])

    const replacing = await plan(id, "globex.com\nharbor.com\n", "&mode=replace")
    expect(replacing.data).toMatchObject({ new: 1, present: 1, removed: 1 })
    expect(replacing.data.sample.removed).toEqual([{ type: "company_domain", value: "acme.com" }])
    expect((await apply(replacing.data.importId)).data).toEqual({ added: 1, removed: 1, total: 2 })
    const removing = await plan(id, "harbor.com\nother.com\n", "&mode=remove")

    expect((await apply(removing.data.importId)).data).toEqual({ added: 0, removed: 1, total: 1 })
    expect(await valuesOf(id)).toEqual(["globex.com"])
  })

  it("is not applied as a replacement after the list has changed", async () => {
    const id = await create("companies", ["acme.com"])
    const { data: planned } = await plan(id, "globex.com\n", "&mode=replace")
    await data("POST", `/lists/${id}/members`, { values: ["harbor.com"] })

    const refused = await apply(planned.importId)

    expect([refused.status, refused.error.code]).toEqual([409, "LIST_CHANGED"])
    expect(await valuesOf(id)).toEqual(["acme.com", "harbor.com"])
  })

  it("that would remove most of a long list needs `allowRemovals`", async () => {
    const id = await create("companies", companies(101))
    const { data: planned } = await plan(id, "site1.example\n", "&mode=replace")

    expect(planned.guard).toEqual({ reason: "most", removals: 100, present: 101 })
    expect((await apply(planned.importId)).error.code).toBe("IMPORT_GUARDED")
    expect(await sizeOf(id)).toBe(101)
    expect((await apply(planned.importId, { allowRemovals: 100 })).data.total).toBe(1)
  })

  it.each([
    ["NDJSON of objects", '{"value":"acme.com"}\n', "application/x-ndjson"],
    ["NDJSON of texts", '"acme.com"\n', "application/x-ndjson"],
    ["gzip", gzipSync("domain\nacme.com\n"), "text/csv"],
    ["UTF-16", Buffer.from("\uFEFFwebsite\nhttps://acme.com\n", "utf16le"), "text/csv"],
    ["semicolons", "sep=;\ndomain;note\nacme.com;x\n", "text/csv"],
  ])("may be %s", async (_name, file, type) => {
    const id = await create("companies")

    const planned = await send(
      `?list=${id}`,
      typeof file === "string" ? file : new Uint8Array(file),
      type,
    )

    expect(planned.data.sample.new).toEqual([{ type: "company_domain", value: "acme.com" }])
    expect(planned.data.rejected).toBe(0)
  })
})

describe("a file for a list of people", () => {
  it("has addresses and SHA-256 hashes, and the other spelling of an address is the same person", async () => {
    const id = await create("people", ["x@xn--mnchen-3ya.example"])
    const file = `email\nJane <JANE@acme.example>\nx@münchen.example\n${sha256("omar@acme.example")}\n`

    const { data: planned } = await plan(id, file)

    expect(planned).toMatchObject({ rules: 3, new: 2, present: 1, rejected: 0 })
    await apply(planned.importId)
    expect(await valuesOf(id)).toEqual(
      ["jane@acme.example", "x@xn--mnchen-3ya.example", sha256("omar@acme.example")].toSorted(),
    )
  })

  it("may be hashes alone, one per line", async () => {
    const id = await create("people")
    const hashes = ["a@acme.example", "b@acme.example"].map(sha256)

    const { data: planned } = await plan(id, `${hashes.join("\n")}\n`)

    expect(planned).toMatchObject({ rows: 2, rules: 2, rejected: 0 })
  })

  it("says of other hashes which ones a list takes", async () => {
    const id = await create("people")

    const { data: planned } = await plan(id, `email\n${"ab".repeat(16)}\n`)

    expect(planned.rejectedRows[0]?.message).toBe(
      "This looks like a hash, but not SHA-256. Lists take an address or its SHA-256.",
    )
  })

  it("never brings back someone who was erased, before the plan or after it", async () => {
    const id = await create("people", ["jane@acme.example", "omar@acme.example"])
    await data("DELETE", `/visitors/${sha256("jane@acme.example")}`)

    const { data: planned } = await plan(
      id,
      "email\njane@acme.example\nomar@acme.example\nnew@acme.example\n",
    )

    expect(planned).toMatchObject({ rows: 3, rules: 2, new: 1, present: 1, rejected: 1 })
    expect(planned.rejectedByReason).toEqual([{ reason: "erased", rows: 1 }])
    expect(planned.rejectedRows).toMatchObject([{ line: 2, reason: "erased" }])
    await data("DELETE", `/visitors/${sha256("omar@acme.example")}`)
    expect((await apply(planned.importId)).data).toEqual({ added: 1, removed: 0, total: 1 })
    expect(await valuesOf(id)).toEqual(["new@acme.example"])
  })
})

describe("a file is refused", () => {
  it.each([
    ["without a list", "", "lists", "/query/list"],
    ["with a list of suppression rules", "?list=LIST", "suppression-rules", "/query/list"],
    ["with a type for a list", "?list=LIST&type=domain", "lists", "/query/type"],
    ["with types for a list", "?list=LIST&types=domain", "lists", "/query/types"],
  ])("%s", async (_name, query, kind, at) => {
    const id = await create("companies")

    const { error, status } = await send(query.replace("LIST", id), "acme.com\n", "text/csv", kind)

    expect(status).toBe(400)
    expect(error.details).toMatchObject({ issues: [{ path: at }] })
  })

  it("when the list would have more than 1,000,000 values, at the plan, and nothing is staged", async () => {
    const id = await create("companies", ["acme.com"])
    await server.sql("update list set size = 1000000 where id = $1", [id])

    const { error, status } = await plan(id, "acme.com\nglobex.com\nharbor.com\n")

    expect([status, error.code]).toEqual([409, "LIST_FULL"])
    expect(error.details).toEqual({ valuesMax: 1_000_000, size: 1_000_002 })
    const [row] = await server.sql(
      "select count(*)::int as count from staged_import where organization_id = $1 and ended_at is null",
      [tenant.organizationId],
    )
    expect(row!["count"]).toBe(0)
  })

  it("when the list has become full since the plan, and nothing changes", async () => {
    const id = await create("companies", ["acme.com"])
    const { data: planned } = await plan(id, "globex.com\n")
    await server.sql("update list set size = 1000000 where id = $1", [id])

    const refused = await apply(planned.importId)

    expect([refused.status, refused.error.code]).toEqual([409, "LIST_FULL"])
    expect(await valuesOf(id)).toEqual(["acme.com"])
  })

  it("when the list was deleted since the plan", async () => {
    const id = await create("companies", ["acme.com"])
    const { data: planned } = await plan(id, "globex.com\n")
    await data("DELETE", `/lists/${id}`)

    expect((await apply(planned.importId)).status).toBe(404)
  })

  it("by the route of the other kind", async () => {
    const id = await create("companies")
    const { data: planned } = await plan(id, "globex.com\n")
    const { importId } = planned

    const applied = await data("POST", "/import/suppression-rules/apply", { importId })

    expect(applied.status).toBe(404)
    expect((await data("DELETE", `/import/suppression-rules/${importId}`)).status).toBe(404)
    expect((await apply(importId)).status).toBe(200)
  })
})

it("a connection that breaks off leaves the list and no plan", async () => {
  const id = await create("companies", ["acme.com"])
  await new Promise<void>((resolve) => {
    const sending = request(`${server.url}${path}/plan?list=${id}&mode=replace`, {
      method: "POST",
      headers: { "content-type": "text/csv", "x-api-key": tenant.apiKey },
    })
    sending.on("error", () => resolve())
    sending.on("close", () => resolve())
    sending.write(`domain\n${companies(50_000).join("\n")}`, () =>
      setTimeout(() => sending.destroy(), 200),
    )
  })

  const waiting = () =>
    server.sql("select from staged_import where organization_id = $1 and ended_at is null", [
      tenant.organizationId,
    ])
  await expect.poll(waiting, { timeout: 30_000 }).toHaveLength(0)
  expect(await valuesOf(id)).toEqual(["acme.com"])
})

// A list and random files against a set of domains in memory. FOOTFALL_SOAK=1 for more of them.
it("any sequence of files leaves the list that a set of values would be", async () => {
  const line = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .integer({ min: 0, max: 40 })
        .map((n) => [`s${n}.example`, `s${n}.example`] as const),
    },
    {
      weight: 2,
      arbitrary: fc
        .integer({ min: 0, max: 40 })
        .map((n) => [`https://www.s${n}.example/a?b=c`, `s${n}.example`] as const),
    },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 0, max: 40 })
        .map((n) => [`@mail.S${n}.example`, `s${n}.example`] as const),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("co.uk", "no domain", "@").map((text) => [text, null] as const),
    },
  )
  const file = fc.record({
    mode: fc.constantFrom("add", "replace", "remove"),
    lines: fc.array(line, { minLength: 1, maxLength: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 5 }), async (files) => {
      const id = await create("companies")
      let expected = new Set<string>()
      for (const { lines, mode } of files) {
        const read = new Set<string>(lines.flatMap(([, value]) => (value === null ? [] : [value])))
        const present = [...read].filter((value) => expected.has(value)).length
        const text = `domain\n${lines.map(([written]) => written).join("\n")}\n`

        const { data: planned } = await plan(id, text, `&mode=${mode}`)

        expect(planned).toMatchObject({ rules: read.size, present, rows: lines.length })
        expect(planned.rejected).toBe(lines.filter(([, value]) => value === null).length)
        const applied = await apply(planned.importId, { allowRemovals: 1_000 })
        if (mode === "replace" && read.size === 0) {
          expect(applied.error.code).toBe("IMPORT_GUARDED")
          continue
        }
        const before = expected
        if (mode === "add") expected = new Set([...before, ...read])
        else if (mode === "replace") expected = read
        else expected = new Set([...before].filter((value) => !read.has(value)))
        expect(applied.data).toEqual({
          added: planned.new,
          removed: planned.removed,
          total: expected.size,
        })
        expect(planned.new).toBe([...expected].filter((value) => !before.has(value)).length)
        expect(planned.removed).toBe([...before].filter((value) => !expected.has(value)).length)
      }
      expect(await valuesOf(id)).toEqual([...expected].toSorted())
      await data("DELETE", `/lists/${id}`)
    }),
    { numRuns: isSoak ? 200 : 12 },
  )
})

it("a file of very many domains is read as it arrives and applied as a whole", async () => {
  const count = isSoak ? 1_000_000 : 45_000
  const id = await create("companies")
  const lines = function* () {
    yield "domain\n"
    for (let at = 0; at < count; at += 1_000) {
      yield Array.from({ length: 1_000 }, (_, n) => `www.site${at + n}.example\n`).join("")
    }
  }

  const response = await fetch(`${server.url}${path}/plan?list=${id}`, {
    method: "POST",
    headers: { "x-api-key": tenant.apiKey, "content-type": "text/csv" },
    body: ReadableStream.from(Array.from(lines(), (text) => Buffer.from(text))),
    duplex: "half",
  })
  const { data: planned } = (await response.json()) as Body

  expect(planned).toMatchObject({ rules: count, new: count, rejected: 0 })
  expect((await apply(planned.importId)).data).toEqual({ added: count, removed: 0, total: count })
  expect(await sizeOf(id)).toBe(count)
})
