// Files of suppression rules on a running server (spec 5.16): sent, answered as a plan, then applied or dropped.
import type { FileImportPlan, SuppressionRuleInput } from "@footfall/sdk"
import { request } from "node:http"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { insertPerson } from "./visitors.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

let server: TestServer
let organization: TestOrganization

beforeAll(async () => {
  server = await startServer({ rateLimits: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  // The limit counts the client's address, which the tests share.
  await server.sql("delete from rate_limit")
})

const path = "/v1/data/import/suppression-rules"

interface Body {
  readonly data: FileImportPlan
  readonly error: { readonly code: string; readonly message: string; readonly details: unknown }
}

const call = async (
  method: string,
  at: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = "application/json",
  apiKey = organization.apiKey,
) => {
  const response = await fetch(server.url + at, {
    method,
    headers: { "x-api-key": apiKey, ...(body === undefined ? {} : { "content-type": type }) },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") === true
  return {
    status: response.status,
    headers: response.headers,
    text,
    ...((isJson ? JSON.parse(text) : {}) as Body),
  }
}

const plan = (file: string | Uint8Array<ArrayBuffer>, query = "", type = "text/csv") =>
  call("POST", `${path}/plan${query}`, file, type)

const apply = (importId: string, allowed: object = {}) =>
  call("POST", `${path}/apply`, JSON.stringify({ importId, ...allowed }))

const list = async () => {
  const { text } = await call("GET", "/v1/data/suppression-rules")
  const { data } = JSON.parse(text) as {
    readonly data: { readonly rules: ReadonlyArray<SuppressionRuleInput> }
  }
  return data.rules.map(({ type, value }) => `${type} ${value}`)
}

const add = (rules: ReadonlyArray<object>) =>
  call("POST", "/v1/data/suppression-rules", JSON.stringify({ rules }))

const domains = (count: number, name = "site") =>
  Array.from({ length: count }, (_, index) => ({
    type: "domain",
    value: `${name}${index}.example`,
  }))

describe("a plan", () => {
  it("counts new, present, repeated and rejected rows by type, and changes nothing", async () => {
    await add([{ type: "email", value: "jane@acme.example" }])
    const file = [
      "email,name",
      "jane@acme.example,Jane",
      "Omar <OMAR@acme.example>,Omar",
      "omar@acme.example,again",
      "no address,x",
      "",
    ].join("\n")

    const { data, status } = await plan(file, "?name=crm.csv")

    expect(status).toBe(200)
    expect(data).toMatchObject({
      kind: "suppression-rules",
      mode: "add",
      rows: 4,
      rules: 2,
      new: 1,
      present: 1,
      removed: 0,
      repeated: 1,
      rejected: 1,
      guard: null,
      byType: {
        rules: { email: 2 },
        new: { email: 1 },
        rejected: { email: 1 },
        stored: { email: 1 },
      },
      files: [{ name: "crm.csv", rows: 4, rejected: 1 }],
      sample: { new: [{ type: "email", value: "omar@acme.example" }], removed: [] },
      rejectedByReason: [{ reason: "invalid_email", rows: 1 }],
      rejectedRows: [
        { file: 0, line: 5, type: "email", value: "no address", reason: "invalid_email" },
      ],
      affected: { visitors: 0 },
    })
    expect(await list()).toEqual(["email jane@acme.example"])
  })

  it.each([
    ["NDJSON", '{"type":"domain","value":"acme.example"}\n', "application/x-ndjson"],
    ["gzip", gzipSync("domain\nacme.example\n"), "text/csv"],
    ["UTF-16", Buffer.from("\uFEFFdomain\nacme.example\n", "utf16le"), "text/csv"],
    ["semicolons", "sep=;\ndomain;note\nacme.example;x\n", "text/csv"],
    ["a list", "# from the CRM\nacme.example\nharbor.example", "text/csv"],
  ])("reads %s", async (_name, file, type) => {
    const bytes = typeof file === "string" ? file : new Uint8Array(file)

    const { data } = await plan(bytes, "?type=domain", type)

    expect(data.sample.new[0]).toEqual({ type: "domain", value: "acme.example" })
    expect(data.rejected).toBe(0)
  })

  it("rejects bytes that are not text, and an industry that an unquoted comma cuts", async () => {
    const rows = [
      "type,value",
      "industry,h\u00F4tels",
      "industry,health, wellness",
      "industry,retail",
    ]

    const { data } = await plan(new Uint8Array(Buffer.from(rows.join("\n"), "latin1")))

    expect(data.sample.new).toEqual([{ type: "industry", value: "retail" }])
    expect(data.rejectedRows.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "unreadable_text"],
      [3, "value_cut"],
    ])
  })

  it("of several files counts a rule in both once, and names the file of each rejected row", async () => {
    const first = await plan("domain\nacme.example\nx y\n", "?name=one.csv")
    const { data } = await plan(
      "domain\nacme.example\ntwo.example\n?\n",
      `?name=two.csv&importId=${first.data.importId}`,
    )

    expect(data).toMatchObject({
      rules: 2,
      repeated: 1,
      rejected: 2,
      importId: first.data.importId,
    })
    expect(data.rejectedRows.map(({ file, line }) => [file, line])).toEqual([
      [0, 3],
      [1, 4],
    ])
    expect((await apply(data.importId)).data).toEqual({ added: 2, removed: 0, total: 2 })
  })

  it("whose column is unknown is refused with the columns that could be meant", async () => {
    const { error, status } = await plan(
      "a,b\njane@acme.example,omar@acme.example\n",
      "?name=crm.csv",
    )

    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: "COLUMN_UNKNOWN",
      message: expect.stringContaining("crm.csv line 1: no column"),
      details: {
        missing: expect.arrayContaining(["column"]),
        choices: expect.arrayContaining([expect.objectContaining({ type: "email" })]),
        firstRows: [
          ["a", "b"],
          ["jane@acme.example", "omar@acme.example"],
        ],
      },
    })
  })

  it("says how it read its file, and shows the first rows, which it does not store", async () => {
    const long = "x".repeat(200)
    const rows = Array.from({ length: 9 }, (_, index) => `${long};site${index}.example`)

    const { data } = await plan(`a;b\n${rows.join("\n")}\n`, "?column=2&type=company_domain")
    const ndjson = await plan('{"type":"domain","value":"a.example"}', "", "application/x-ndjson")

    expect(data.layout).toEqual({
      column: 2,
      type: "company_domain",
      header: true,
      firstRows: [
        ["a", "b"],
        ...[0, 1, 2, 3, 4].map((index) => ["x".repeat(80), `site${index}.example`]),
      ],
    })
    expect(ndjson.data.layout).toBeNull()
    const stored = await server.sql(
      "select files::text, plan::text from staged_import where id = $1",
      [data.importId],
    )
    expect(JSON.stringify(stored)).not.toContain("site0.example")
  })

  it("names people whom its rules would suppress", async () => {
    const emailHash = await insertPerson(server, organization, { emails: ["jane@acme.example"] })

    const { data } = await plan("domain\nacme.example\n")

    expect(data.affected).toEqual({
      visitors: 1,
      byType: { email: 0, domain: 1, company_domain: 0, industry: 0 },
      sample: [{ emailHash, email: "jane@acme.example", fullName: null }],
    })
  })

  it.each([
    [
      "a quote that is never closed",
      `email,n\n${'jane@acme.example,"x\n'.repeat(8_000)}`,
      "a quote is not closed",
    ],
    ["a ZIP archive", "PK\u0003\u0004abc", "is a ZIP archive"],
    ["bytes that are not text", "a\0b\n", "not a text file"],
    ["a line of 1 MB", `email\n${"x".repeat(1_000_000)}\n`, "longer than 64 KiB"],
    [
      "damaged gzip",
      gzipSync("x".repeat(100_000)).subarray(0, 60),
      "in the middle of its gzip data",
    ],
  ])("of %s is refused and leaves nothing behind", async (_name, file, message) => {
    const { error, status } = await plan(typeof file === "string" ? file : new Uint8Array(file))

    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(message),
    })
    expect(await waiting()).toBe(0)
  })

  it("of a file with NULs, half characters and inherited names rejects those rows only", async () => {
    const rows = [
      '{"type":"__proto__","value":"acme.example"}',
      '{"type":"domain","value":"a\\u0000b.example"}',
      '{"type":"industry","value":"\\ud800"}',
      "[]",
      "{",
      '{"type":"domain","value":"acme.example"}',
    ]

    const { data, status } = await plan(rows.join("\n"), "", "application/x-ndjson")

    expect(status).toBe(200)
    expect(data).toMatchObject({ rows: 6, rules: 1, rejected: 5 })
    const rejected = await call("GET", `${path}/${data.importId}/rejected`)
    expect(rejected.text.trim().split("\r\n")).toHaveLength(6)
  })

  it("is dropped by its owner, by the sixth one that waits, and after an hour", async () => {
    const ids: Array<string> = []
    for (let made = 0; made < 6; made++)
      ids.push((await plan("domain\nacme.example\n")).data.importId)

    expect((await apply(ids[0]!)).status).toBe(404)
    expect((await call("DELETE", `${path}/${ids[1]}`)).data).toEqual({ dropped: true })
    expect((await apply(ids[1]!)).status).toBe(404)
    await server.sql("update staged_import set expires_at = now() where id = $1", [ids[2]])
    expect((await apply(ids[2]!)).status).toBe(404)
    expect((await apply(ids[5]!)).status).toBe(200)
  })

  it("counts for the rate limit once, whatever follows", async () => {
    const { data } = await plan("domain\nacme.example\n")
    await call("GET", `${path}/${data.importId}/rejected`)
    await apply(data.importId)

    const { headers } = await call("GET", "/v1/data/suppression-rules")

    expect(headers.get("ratelimit-remaining")).toBe("28")
  })
})

describe("the rejected rows", () => {
  it("are a CSV file, of one file or of all", async () => {
    const first = await plan("email\n=cmd\n")
    const { data } = await plan("email\nunreadable\n", `?importId=${first.data.importId}`)

    const all = await call("GET", `${path}/${data.importId}/rejected`)
    const second = await call("GET", `${path}/${data.importId}/rejected?file=1`)

    expect(all.text).toBe(
      "line,type,value,reason,message\r\n2,email,'=cmd,invalid_email,\r\n2,email,unreadable,invalid_email,\r\n",
    )
    expect(second.text).toBe(
      "line,type,value,reason,message\r\n2,email,unreadable,invalid_email,\r\n",
    )
  })
})

describe("applying", () => {
  it("adds what is missing, once; a second time the plan is gone", async () => {
    await add([{ type: "domain", value: "acme.example" }])
    const { data } = await plan("domain\nacme.example\nharbor.example\nquay.example\n")

    expect((await apply(data.importId)).data).toEqual({ added: 2, removed: 0, total: 3 })
    expect((await apply(data.importId)).status).toBe(404)
    expect((await list()).toSorted()).toEqual([
      "domain acme.example",
      "domain harbor.example",
      "domain quay.example",
    ])
    const audit = await server.sql(
      "select action from audit_entry where organization_id = $1 order by at desc limit 1",
      [organization.organizationId],
    )
    expect(audit).toEqual([{ action: "suppression_rules.added" }])
  })

  it("puts a removed rule back", async () => {
    await add([{ type: "domain", value: "acme.example" }])
    await call(
      "DELETE",
      "/v1/data/suppression-rules",
      JSON.stringify({ rules: [{ type: "domain", value: "acme.example" }] }),
    )

    const { data } = await plan("domain\nacme.example\n")

    expect((await apply(data.importId)).data).toMatchObject({ added: 1, total: 1 })
    expect(await list()).toEqual(["domain acme.example"])
  })

  it("makes the list equal the file, of the given types only", async () => {
    await add([
      { type: "domain", value: "old.example" },
      { type: "domain", value: "both.example" },
      { type: "industry", value: "banking" },
    ])

    const { data } = await plan("domain\nboth.example\nnew.example\n", "?mode=replace&types=domain")

    expect(data).toMatchObject({ new: 1, present: 1, removed: 1, types: ["domain"] })
    expect(data.sample.removed).toEqual([{ type: "domain", value: "old.example" }])
    expect((await apply(data.importId)).data).toEqual({ added: 1, removed: 1, total: 3 })
    expect((await list()).toSorted()).toEqual([
      "domain both.example",
      "domain new.example",
      "industry banking",
    ])
  })

  it("fills a list that never had a rule, when it would be replaced", async () => {
    const { data } = await plan("domain\nacme.example\n", "?mode=replace")

    expect((await apply(data.importId)).data).toEqual({ added: 1, removed: 0, total: 1 })
  })

  it("removes the rules of the file", async () => {
    await add(domains(3))

    const { data } = await plan("domain\nsite1.example\nother.example\n", "?mode=remove")

    expect(data).toMatchObject({ new: 0, present: 1, removed: 1, rules: 2 })
    expect((await apply(data.importId)).data).toEqual({ added: 0, removed: 1, total: 2 })
  })

  it("is refused if the list has changed since, when it would be replaced", async () => {
    const { data } = await plan("domain\nacme.example\n", "?mode=replace")
    await add([{ type: "domain", value: "later.example" }])

    const refused = await apply(data.importId)

    expect(refused.status).toBe(409)
    expect(refused.error.code).toBe("LIST_CHANGED")
    expect(await list()).toEqual(["domain later.example"])
  })

  it("is refused if a crash of the database has emptied the staged rules", async () => {
    await add([{ type: "domain", value: "kept.example" }])
    const { data } = await plan("domain\nkept.example\nacme.example\n", "?mode=replace")
    await server.sql("delete from staged_rule where import_id = $1", [data.importId])

    expect((await apply(data.importId)).status).toBe(404)
    expect(await list()).toEqual(["domain kept.example"])
  })

  it("two at once is done once", async () => {
    const { data } = await plan("domain\nacme.example\n")

    const both = await Promise.all([apply(data.importId), apply(data.importId)])

    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })

  it.each([
    ["empty", "domain\n", "?mode=replace", { allowRemovals: 500 }, { allowEmpty: true }],
    [
      "no_rules",
      "domain\nx y\n",
      "?mode=replace",
      { allowEmpty: true, allowRemovals: 500 },
      undefined,
    ],
    [
      "other_types",
      "industry\nbanking\n",
      "?mode=replace&type=industry",
      {},
      { allowRemovals: 101 },
    ],
    [
      "most",
      "domain\nsite1.example\n",
      "?mode=replace",
      { allowEmpty: true },
      { allowRemovals: 100 },
    ],
    [
      "most",
      "domain\n" +
        domains(60)
          .map(({ value }) => value)
          .join("\n"),
      "?mode=remove",
      {},
      { allowRemovals: 60 },
    ],
  ])("is guarded: %s", async (reason, file, query, refused, allowed) => {
    await add(domains(101))
    const { data } = await plan(file, query)

    expect(data.guard).toMatchObject({ reason, present: 101 })
    const answer = await apply(data.importId, refused)
    expect(answer.status).toBe(409)
    expect(answer.error).toMatchObject({ code: "IMPORT_GUARDED", details: { reason } })
    expect(await list()).toHaveLength(101)
    if (allowed !== undefined) expect((await apply(data.importId, allowed)).status).toBe(200)
  })

  it("removes no more rules than allowed", async () => {
    await add(domains(3))
    const { data } = await plan("domain\nsite0.example\nsite1.example\n", "?mode=remove")

    expect((await apply(data.importId, { allowRemovals: 1 })).error).toMatchObject({
      code: "IMPORT_GUARDED",
      details: { reason: "removals", removals: 2 },
    })
  })
})

describe("a body that ends early", () => {
  it("leaves no plan, and the next import works", async () => {
    await new Promise<void>((resolve) => {
      const sending = request(`${server.url}${path}/plan`, {
        method: "POST",
        headers: { "content-type": "text/csv", "x-api-key": organization.apiKey },
      })
      sending.on("error", () => resolve())
      sending.on("close", () => resolve())
      sending.write(
        `domain\n${domains(50_000)
          .map(({ value }) => value)
          .join("\n")}`,
        () => setTimeout(() => sending.destroy(), 200),
      )
    })

    await expect.poll(waiting).toBe(0)
    const { data } = await plan("domain\nacme.example\n")
    expect((await apply(data.importId)).data).toMatchObject({ added: 1 })
  })
})

/** A file whose sender decides when it goes on. */
const sendingSlowly = (query: string) => {
  const sending = request(`${server.url}${path}/plan${query}`, {
    method: "POST",
    headers: { "content-type": "text/csv", "x-api-key": organization.apiKey },
  })
  const answer = new Promise<{ readonly status: number } & Body>((resolve, reject) => {
    sending.on("error", reject)
    sending.on("response", (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (piece: string) => (text += piece))
      response.on("end", () => resolve({ status: response.statusCode!, ...JSON.parse(text) }))
    })
  })
  return { sending, answer }
}

const staged = async (importId: string): Promise<number> => {
  const [row] = await server.sql(
    "select count(*)::int as count from staged_rule where import_id = $1",
    [importId],
  )
  return row!["count"] as number
}

describe("a further file of an import", () => {
  it("has a place of its own, although another one is sent at the same time", async () => {
    const { data } = await plan("domain\nacme.example\n")
    const [one, other] = [1, 2].map((name) =>
      sendingSlowly(`?importId=${data.importId}&name=${name}`),
    ) as [ReturnType<typeof sendingSlowly>, ReturnType<typeof sendingSlowly>]
    one.sending.write("domain\n")
    other.sending.write("domain\n")
    one.sending.end("one.example\n")
    other.sending.end("other.example\n")

    expect((await one.answer).status).toBe(200)
    expect((await other.answer).status).toBe(200)
    expect((await apply(data.importId)).data).toMatchObject({ added: 3 })
  })

  it("that is refused changes nothing: the plan can still be applied", async () => {
    const { data } = await plan("domain\nacme.example\n")
    const unreadable = `domain\n${domains(30_000)
      .map(({ value }) => value)
      .join("\n")}\n${"x".repeat(70_000)}`

    const answer = await plan(unreadable, `?importId=${data.importId}`)

    expect(answer.status).toBe(400)
    expect(await staged(data.importId)).toBe(1)
    expect((await apply(data.importId)).data).toMatchObject({ added: 1 })
  })

  it("leaves no row behind if its import is dropped and swept while it is sent", async () => {
    const { data } = await plan("domain\nacme.example\n")
    const lines = domains(30_000).map(({ value }) => `${value}\n`)
    const { answer, sending } = sendingSlowly(`?importId=${data.importId}`)
    sending.write(`domain\n${lines.join("")}`)
    await expect.poll(() => staged(data.importId)).toBeGreaterThan(1)

    expect((await call("DELETE", `${path}/${data.importId}`)).status).toBe(200)
    await server.sql("delete from staged_rule where import_id = $1", [data.importId])
    await server.sql("delete from staged_import where id = $1", [data.importId])
    sending.end(lines.map((line) => `more-${line}`).join(""))

    expect(await answer).toMatchObject({ status: 404, error: { code: "NOT_FOUND" } })
    expect(await staged(data.importId)).toBe(0)
  })

  it("ends the import if a file of another process has its place, because their rows are mixed", async () => {
    const { data } = await plan("domain\nacme.example\n")
    const { answer, sending } = sendingSlowly(`?importId=${data.importId}`)
    const lines = domains(30_000).map(({ value }) => `${value}\n`)
    sending.write(`domain\n${lines.join("")}`)
    await expect.poll(() => staged(data.importId)).toBeGreaterThan(1)

    await server.sql("update staged_import set files = files || files where id = $1", [
      data.importId,
    ])
    sending.end()

    expect((await answer).status).toBe(404)
    expect(await waiting()).toBe(0)
    expect((await apply(data.importId)).status).toBe(404)
  })

  it("counts nothing of a file that a killed process had begun", async () => {
    const { data } = await plan("domain\nacme.example\n")
    await server.sql(
      `insert into staged_rule (import_id, file, line, type, value, match_key)
       values ($1, 1, 2, 'domain', 'lost.example', 'lost.example')`,
      [data.importId],
    )

    const further = await plan("domain\nsecond.example\n", `?importId=${data.importId}`)

    expect(further.data).toMatchObject({ rules: 2, new: 2 })
    expect((await apply(data.importId)).data).toMatchObject({ added: 2 })
  })
})

describe("an import of many rules", () => {
  it("is read in several transactions and applied as a whole", async () => {
    const file = domains(45_000).map(({ value }) => value)

    const { data } = await plan(`domain\n${[...file, ...file.slice(0, 100)].join("\n")}`)

    expect(data).toMatchObject({ rules: 45_000, repeated: 100, new: 45_000 })
    expect((await apply(data.importId)).data).toEqual({ added: 45_000, removed: 0, total: 45_000 })
  })
})

const waiting = async (): Promise<number> => {
  const [row] = await server.sql(
    "select count(*)::int as count from staged_import where organization_id = $1 and ended_at is null",
    [organization.organizationId],
  )
  return row!["count"] as number
}
