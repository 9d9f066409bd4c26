// Where rules and members of lists come from, and undoing an import (spec 2.6.15, 5.16.10).
import { createHash } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask } from "./request.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const data = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: `/v1/data${target}`, body })
const rulesPath = "/suppression-rules"
const domain = (value: string) => ({ type: "domain", value })
const add = (values: ReadonlyArray<string>, note?: string) =>
  data("POST", rulesPath, { rules: values.map(domain), note })
const rules = async (query = "") =>
  (await data("GET", `${rulesPath}${query}`)).data.rules as ReadonlyArray<{
    readonly value: string
    readonly origin: { readonly id: string; readonly kind: string } | null
    readonly note: string | null
  }>
const values = async (query = "") => (await rules(query)).map(({ value }) => value).toSorted()
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Plans and applies a file. Returns the id of the import. */
const importFile = async (text: string, query: string, kind = "suppression-rules") => {
  const response = await fetch(`${server.url}/v1/data/import/${kind}/plan?${query}`, {
    method: "POST",
    headers: { "x-api-key": tenant.apiKey, "content-type": "text/csv" },
    body: text,
  })
  const { data: plan } = (await response.json()) as { data: { importId: string } }
  const applied = await data("POST", `/import/${kind}/apply`, {
    importId: plan.importId,
    allowRemovals: 1_000,
  })
  expect(applied.status).toBe(200)
  return plan.importId
}
const undo = (importId: string, kind = "suppression-rules") =>
  data("POST", `/import/${kind}/${importId}/undo`)
const imports = async (kind = "suppression-rules") => (await data("GET", `/import/${kind}`)).data
const list = async (subject: string, members: ReadonlyArray<string>) => {
  const { data: created } = await data("POST", "/lists", { name: "Accounts", subject })
  await data("POST", `/lists/${created.id}/members`, { values: members })
  return created.id as string
}
const members = async (id: string) =>
  (await data("GET", `/lists/${id}/members`)).data.map(({ value }: { value: string }) => value)

describe("a rule", () => {
  it("says which member wrote it, and why", async () => {
    await add(["acme.example"], "A customer")

    const [rule] = await rules()

    expect(rule).toMatchObject({
      origin: { kind: "member", name: null, member: expect.any(String) },
      note: "A customer",
    })
  })

  it("says which file it was in and who applied it, and is found by that", async () => {
    await add(["other.example"])
    const importId = await importFile("acme.example\n", "type=domain&name=crm.csv&note=Customers")

    const found = await rules(`?originId=${importId}`)

    expect(found).toMatchObject([
      {
        value: "acme.example",
        origin: { id: importId, kind: "import", name: "crm.csv", member: expect.any(String) },
        note: "Customers",
      },
    ])
    const { data: page } = await data("GET", `${rulesPath}?originId=${importId}`)
    expect([page.total, page.filteredTotal]).toEqual([2, 1])
  })

  it("keeps its first origin when it is added again", async () => {
    await add(["acme.example"], "First")
    await add(["acme.example"], "Second")

    expect(await rules()).toMatchObject([{ note: "First" }])
  })

  it("has a note of up to 500 characters, whatever letters it has", async () => {
    const note = "😀".repeat(500)

    await add(["acme.example"], note)

    expect(await rules()).toMatchObject([{ note }])
  })

  it("has the origin of whoever adds it after it was removed", async () => {
    await add(["acme.example"], "First")
    await data("DELETE", rulesPath, { rules: [domain("acme.example")] })
    await add(["acme.example"], "Second")

    expect(await rules()).toMatchObject([{ note: "Second" }])
  })

  it("with one note has one origin, however often a member writes with it", async () => {
    await add(["acme.example"], "Customers")
    await add(["globex.example"], "Customers")
    await add(["harbor.example"])

    const ids = (await rules()).map(({ origin }) => origin!.id)

    expect(new Set(ids).size).toBe(2)
  })

  it("of a visitor shows its origin too", async () => {
    await server.sql(
      `insert into visitor (organization_id, id, email_hash, email, email_domain, first_seen_at, last_seen_at)
       values ($1, gen_random_uuid(), $2, $3, 'acme.example', now(), now())`,
      [tenant.organizationId, sha256("jane@acme.example"), "jane@acme.example"],
    )
    await server.sql(
      `insert into visitor_address (organization_id, visitor_id, email_hash, email)
       select organization_id, id, email_hash, email from visitor where organization_id = $1
       on conflict do nothing`,
      [tenant.organizationId],
    )
    await add(["acme.example"], "Customers")

    const { data: found } = await data(
      "GET",
      `/visitors/${sha256("jane@acme.example")}/suppression`,
    )

    expect(found.rules).toMatchObject([{ note: "Customers", origin: { kind: "member" } }])
  })

  it.each([
    ["of no character", ""],
    ["of more than 500 characters", "x".repeat(501)],
  ])("takes no note %s", async (_name, note) => {
    expect((await add(["acme.example"], note)).status).toBe(400)
  })
})

describe("an import of rules that is undone", () => {
  it("takes back what it added", async () => {
    await add(["other.example"])
    const importId = await importFile("acme.example\nglobex.example\n", "type=domain")

    const undone = await undo(importId)

    expect(undone.data).toEqual({ added: 0, removed: 2, total: 1 })
    expect(await values()).toEqual(["other.example"])
  })

  it("leaves what a member, or another file, has added again since", async () => {
    const importId = await importFile("a.example\nb.example\nc.example\n", "type=domain")
    await add(["a.example"])
    await importFile("b.example\nd.example\n", "type=domain")

    expect((await undo(importId)).data).toMatchObject({ removed: 1 })
    expect(await values()).toEqual(["a.example", "b.example", "d.example"])
  })

  it("returns what it removed, with its origin, and leaves what is there again", async () => {
    await add(["a.example", "b.example"], "Customers")
    const importId = await importFile("c.example\n", "type=domain&mode=replace")
    await add(["b.example"], "Again")

    expect((await undo(importId)).data).toEqual({ added: 1, removed: 1, total: 2 })
    const found = await rules()
    expect(found.map(({ note, value }) => [value, note]).toSorted()).toEqual([
      ["a.example", "Customers"],
      ["b.example", "Again"],
    ])
  })

  it("returns what `mode=remove` removed", async () => {
    await add(["a.example", "b.example"])
    const importId = await importFile("a.example\n", "type=domain&mode=remove")

    expect((await undo(importId)).data).toEqual({ added: 1, removed: 0, total: 2 })
  })

  it("is undone once, also by two requests at the same time", async () => {
    const importId = await importFile("acme.example\n", "type=domain")

    const answers = await Promise.all([undo(importId), undo(importId)])

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const again = await undo(importId)
    expect([again.status, again.error.code]).toEqual([409, "CONFLICT"])
    expect(again.error.message).toContain("undone before")
  })

  it("is refused after 7 days, and changes nothing", async () => {
    const importId = await importFile("acme.example\n", "type=domain")
    await server.sql(
      "update data_origin set created_at = now() - interval '7 days 1 second' where id = $1",
      [importId],
    )

    const refused = await undo(importId)

    expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"])
    expect(refused.error.message).toContain("7 days")
    expect(await values()).toEqual(["acme.example"])
    expect(await imports()).toMatchObject([{ importId, undoableUntil: null, undoneAt: null }])
  })

  it("is listed with what it did, and in the audit log", async () => {
    const importId = await importFile("acme.example\n", "type=domain&name=crm.csv")
    expect(await imports()).toMatchObject([
      {
        importId,
        kind: "suppression-rules",
        name: "crm.csv",
        mode: "add",
        added: 1,
        removed: 0,
        undoneAt: null,
        undoableUntil: expect.any(String),
      },
    ])

    await undo(importId)

    expect(await imports()).toMatchObject([{ undoableUntil: null, undoneAt: expect.any(String) }])
    const audit = await server.sql(
      "select action, target_id as target from audit_entry where organization_id = $1 order by id desc limit 1",
      [tenant.organizationId],
    )
    expect(audit).toEqual([{ action: "suppression_rules.import_undone", target: importId }])
  })

  it("is unknown by the route of the other kind, and as a plan", async () => {
    const importId = await importFile("acme.example\n", "type=domain")

    expect((await undo(importId, "lists")).status).toBe(404)
    expect((await data("DELETE", `/import/suppression-rules/${importId}`)).status).toBe(404)
  })

  it("that changed nothing is not listed", async () => {
    await add(["acme.example"])
    await importFile("acme.example\n", "type=domain")

    expect(await imports()).toEqual([])
  })
})

describe("an import of a list that is undone", () => {
  it("takes back what it added, leaves what was added again, and returns what it removed", async () => {
    const id = await list("companies", ["a.example", "b.example"])
    const importId = await importFile(
      "b.example\nc.example\nd.example\n",
      `list=${id}&mode=replace`,
      "lists",
    )
    await data("POST", `/lists/${id}/members`, { values: ["d.example"] })

    expect((await undo(importId, "lists")).data).toEqual({ added: 1, removed: 1, total: 3 })
    expect(await members(id)).toEqual(["a.example", "b.example", "d.example"])
    expect((await data("GET", `/lists/${id}`)).data.size).toBe(3)
  })

  it("never returns someone who was erased since", async () => {
    const id = await list("people", ["jane@acme.example", "omar@acme.example"])
    const importId = await importFile("new@acme.example\n", `list=${id}&mode=replace`, "lists")
    await list("people", ["jane@acme.example"])
    await data("DELETE", `/visitors/${sha256("jane@acme.example")}`)

    expect((await undo(importId, "lists")).data).toEqual({ added: 1, removed: 1, total: 1 })
    expect(await members(id)).toEqual(["omar@acme.example"])
  })

  it("is not found after the list was deleted", async () => {
    const id = await list("companies", [])
    const importId = await importFile("a.example\n", `list=${id}`, "lists")
    await data("DELETE", `/lists/${id}`)

    expect((await undo(importId, "lists")).status).toBe(404)
  })
})
