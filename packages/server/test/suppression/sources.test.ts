// Suppression sources on running servers (spec 2.25, 5.21): what is mirrored, when, and what survives. Two workers share the
// database.
import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask } from "./request.ts"

let server: TestServer
let second: TestServer
let tenant: TestOrganization

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const answers = new Map<string, Answer>()
const site = createServer((request, response) => {
  const answer = answers.get(request.url ?? "")
  if (answer === undefined) return void response.writeHead(404).end()
  answer(request, response)
})
let siteUrl: string

beforeAll(async () => {
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve))
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  server = await startServer({ allowPrivateWebhooks: true })
  second = await startServer({ beside: server, allowPrivateWebhooks: true })
})
afterAll(async () => {
  await second.close()
  await server.close()
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const sourcesPath = "/suppression-sources"
const data = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: `/v1/data${target}`, body })
const values = async () =>
  (
    (await data("GET", "/suppression-rules?limit=5000")).data.rules as ReadonlyArray<{
      value: string
    }>
  )
    .map(({ value }) => value)
    .toSorted()
const domain = (value: string) => ({ type: "domain", value })
const addByHand = (...all: ReadonlyArray<string>) =>
  data("POST", "/suppression-rules", { rules: all.map(domain) })
const list = async (subject: string, members: ReadonlyArray<string>) => {
  const { data: created } = await data("POST", "/lists", { name: "Customers", subject })
  await data("POST", `/lists/${created.id}/members`, { values: members })
  return created.id as string
}
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** A file on the site, and how often it was asked for. */
const serve = (text: string | Buffer, headers: Record<string, string> = {}) => {
  const path = `/${randomUUID()}.csv`
  const file = { url: siteUrl + path, text, headers, seen: [] as Array<IncomingMessage["headers"]> }
  answers.set(path, (request, response) => {
    file.seen.push(request.headers)
    const tag = file.headers["etag"]
    if (tag !== undefined && request.headers["if-none-match"] === tag) {
      return void response.writeHead(304).end()
    }
    response.writeHead(200, { "content-type": "text/csv", ...file.headers }).end(file.text)
  })
  return file
}
const create = (body: object) =>
  data("POST", sourcesPath, { name: "CRM", types: ["domain"], ...body })
const fileSource = async (url: string, more: object = {}) =>
  (await create({ kind: "url", url, ...more })).data.id as string
const listSource = async (listId: string, more: object = {}) =>
  (await data("POST", sourcesPath, { name: "CRM", kind: "list", listId, ...more })).data
    .id as string
const get = async (id: string) => (await data("GET", `${sourcesPath}/${id}`)).data
const settled = async (id: string, outcome: string) => {
  await expect
    .poll(async () => (await get(id)).lastSync?.outcome, { timeout: 30_000 })
    .toBe(outcome)
}
/** Syncs again and waits for it. */
const sync = async (id: string, outcome: string) => {
  const before = (await get(id)).lastSync?.at
  expect((await data("POST", `${sourcesPath}/${id}/sync`)).status).toBe(200)
  await expect
    .poll(async () => (await get(id)).lastSync?.at !== before, { timeout: 30_000 })
    .toBe(true)
  expect((await get(id)).lastSync).toMatchObject({ outcome })
}
const expectValues = async (expected: ReadonlyArray<string>) => {
  await expect.poll(values, { timeout: 30_000 }).toEqual([...expected].toSorted())
}
const names = (count: number) => Array.from({ length: count }, (_, at) => `s${at}.example`)

describe("a source of kind url", () => {
  it("is mirrored when it is created, and shown without its headers' values", async () => {
    const file = serve("domain\nacme.example\nglobex.example\n")

    const created = await create({
      kind: "url",
      url: file.url,
      headers: { Authorization: "Bearer secret-of-the-crm" },
    })

    expect(created.status).toBe(201)
    expect(created.data).toMatchObject({
      name: "CRM",
      kind: "url",
      url: file.url,
      types: ["domain"],
      schedule: "daily",
      status: "active",
      headerNames: ["authorization"],
      lastSync: null,
    })
    expect(JSON.stringify(created)).not.toContain("secret-of-the-crm")
    await settled(created.data.id, "synced")
    expect(await values()).toEqual(["acme.example", "globex.example"])
    expect(file.seen[0]!["authorization"]).toBe("Bearer secret-of-the-crm")
    expect(await get(created.data.id)).toMatchObject({
      rules: 2,
      lastSync: { new: 2, removed: 0, errorCode: null },
      nextSyncAt: expect.any(String),
    })
    const { data: page } = await data("GET", `/suppression-rules?originId=${created.data.id}`)
    expect(page.rules[0].origin).toMatchObject({ kind: "source", name: "CRM" })
  })

  it("adds what is new and removes what is gone, and no other rule", async () => {
    await addByHand("by-hand.example")
    const file = serve("domain\na.example\nb.example\n")
    const id = await fileSource(file.url)
    await settled(id, "synced")

    file.text = "domain\nb.example\nc.example\n"
    await sync(id, "synced")

    expect(await values()).toEqual(["b.example", "by-hand.example", "c.example"])
    expect((await get(id)).lastSync).toMatchObject({ new: 1, removed: 1 })
  })

  it.each([
    [
      "NDJSON",
      '{"type":"domain","value":"a.example"}\n',
      { "content-type": "application/x-ndjson" },
    ],
    ["text", "a.example\n", { "content-type": "text/plain" }],
    ["gzip", gzipSync("domain\na.example\n"), { "content-type": "application/gzip" }],
  ])("may be %s", async (_name, text, headers) => {
    const id = await fileSource(serve(text, headers).url)

    await settled(id, "synced")

    expect(await values()).toEqual(["a.example"])
  })

  it("is asked for only if it has changed, and puts rules back that a member removed", async () => {
    const file = serve("domain\na.example\n", { etag: '"1"' })
    const id = await fileSource(file.url)
    await settled(id, "synced")
    await data("DELETE", "/suppression-rules", { rules: [domain("a.example")] })
    expect(await values()).toEqual([])

    await sync(id, "unchanged")

    expect(file.seen.at(-1)!["if-none-match"]).toBe('"1"')
    expect(await values()).toEqual(["a.example"])
  })

  it.each([
    [
      "answers 500",
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end(),
      "HTTP_STATUS",
    ],
    [
      "ends early",
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { "content-length": "100" }).write("domain\n")
        setTimeout(() => response.destroy(), 50)
      },
      "NO_ANSWER",
    ],
    [
      "is too large",
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { "content-length": String(101 * 1_048_576) }).end(),
      "FILE_TOO_LARGE",
    ],
    [
      "does not say which column",
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200).end("first,second\n1,2\n3,4\n"),
      "COLUMN_UNKNOWN",
    ],
  ])("that %s changes nothing and says why", async (_name, answer, code) => {
    const file = serve("domain\na.example\n")
    const id = await fileSource(file.url)
    await settled(id, "synced")
    answers.set(new URL(file.url).pathname, answer)

    await sync(id, "failed")

    expect(await values()).toEqual(["a.example"])
    expect(await get(id)).toMatchObject({ status: "active", lastSync: { errorCode: code } })
  })

  it("that is empty needs attention: an export that failed leaves that", async () => {
    const file = serve("domain\na.example\n")
    const id = await fileSource(file.url)
    await settled(id, "synced")

    file.text = ""
    await sync(id, "needs_attention")

    expect(await values()).toEqual(["a.example"])
    expect(await get(id)).toMatchObject({
      status: "needs_attention",
      attention: { reason: "empty" },
    })
  })

  it("that would remove most of more than 100 rules waits for approval", async () => {
    const file = serve(`domain\n${names(101).join("\n")}\n`)
    const id = await fileSource(file.url)
    await settled(id, "synced")
    file.text = `domain\n${names(10).join("\n")}\n`

    await sync(id, "needs_attention")

    expect(await values()).toHaveLength(101)
    expect(await get(id)).toMatchObject({
      status: "needs_attention",
      nextSyncAt: null,
      attention: { reason: "most", removals: 91, present: 101 },
    })
    const approved = await data("POST", `${sourcesPath}/${id}/approve`)
    expect(approved.data).toMatchObject({ status: "active", attention: null })
    await settled(id, "synced")
    expect(await values()).toHaveLength(10)
    expect((await data("POST", `${sourcesPath}/${id}/approve`)).status).toBe(409)
  })

  it("parks again if it would remove more than was approved", async () => {
    const file = serve(`domain\n${names(101).join("\n")}\n`)
    const id = await fileSource(file.url)
    await settled(id, "synced")
    file.text = `domain\n${names(40).join("\n")}\n`
    await sync(id, "needs_attention")
    file.text = `domain\n${names(2).join("\n")}\n`

    await data("POST", `${sourcesPath}/${id}/approve`)

    await expect.poll(async () => (await get(id)).attention?.removals, { timeout: 30_000 }).toBe(99)
    expect(await values()).toHaveLength(101)
  })
})

describe("a source of kind list", () => {
  it("mirrors a list of companies as domains, within a minute of each change", async () => {
    const listId = await list("companies", ["acme.example"])
    const id = await listSource(listId)
    await settled(id, "synced")
    expect(await values()).toEqual(["acme.example"])

    await data("PUT", `/lists/${listId}/members`, { values: ["globex.example", "b.example"] })

    await expectValues(["b.example", "globex.example"])
  })

  it("mirrors a list of people as addresses and hashes, which suppress them", async () => {
    const listId = await list("people", ["jane@acme.example", sha256("omar@acme.example")])
    const id = await listSource(listId)
    await settled(id, "synced")

    const { data: page } = await data("GET", "/suppression-rules")
    const found = page.rules.map(({ type, value }: Record<string, string>) => `${type} ${value}`)

    expect(found.toSorted()).toEqual(
      [`email ${sha256("omar@acme.example")}`, "email jane@acme.example"].toSorted(),
    )
  })

  it("gives both kinds of domain rules if it is asked to", async () => {
    const id = await listSource(await list("companies", ["acme.example"]), {
      types: ["domain", "company_domain"],
    })
    await settled(id, "synced")

    expect((await data("GET", "/suppression-rules")).data.counts).toMatchObject({
      domain: 1,
      company_domain: 1,
    })
  })

  it("matches the other spelling of an international domain", async () => {
    const id = await listSource(await list("companies", ["münchen.example"]))
    await settled(id, "synced")

    const rows = await server.sql(
      "select match_key, also_key from suppression_rule where organization_id = $1",
      [tenant.organizationId],
    )
    expect(rows).toEqual([{ match_key: "xn--mnchen-3ya.example", also_key: "münchen.example" }])
  })

  it("lets go of someone who is erased", async () => {
    const listId = await list("people", ["jane@acme.example", "omar@acme.example"])
    const id = await listSource(listId)
    await settled(id, "synced")

    await data("DELETE", `/visitors/${sha256("jane@acme.example")}`)

    await expectValues(["omar@acme.example"])
    const rows = await server.sql(
      "select value from suppression_source_rule where organization_id = $1",
      [tenant.organizationId],
    )
    expect(rows).toEqual([{ value: "omar@acme.example" }])
  })

  it("keeps its list from being deleted, which names it", async () => {
    const listId = await list("companies", ["acme.example"])
    const id = await listSource(listId)

    const refused = await data("DELETE", `/lists/${listId}`)

    expect([refused.status, refused.error.code]).toEqual([409, "LIST_IN_USE"])
    expect(refused.error.details).toMatchObject({ suppressionSourceIds: [id] })
    await data("DELETE", `${sourcesPath}/${id}`)
    expect((await data("DELETE", `/lists/${listId}`)).status).toBe(200)
  })
})

describe("a rule that a source has", () => {
  it("survives the source if a member or a file has it too", async () => {
    await addByHand("before.example")
    const file = serve("domain\nbefore.example\nafter.example\nfile.example\nonly.example\n")
    const id = await fileSource(file.url)
    await settled(id, "synced")
    await addByHand("after.example")
    const plan = await fetch(`${server.url}/v1/data/import/suppression-rules/plan?type=domain`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "text/csv" },
      body: "file.example\n",
    })
    const { data: planned } = (await plan.json()) as { data: { importId: string } }
    await data("POST", "/import/suppression-rules/apply", { importId: planned.importId })

    expect((await data("DELETE", `${sourcesPath}/${id}`)).status).toBe(200)

    expect(await values()).toEqual(["after.example", "before.example", "file.example"])
  })

  it("survives one of two sources, and goes with the other", async () => {
    const [one, other] = [
      serve("domain\nboth.example\none.example\n"),
      serve("domain\nboth.example\n"),
    ]
    const first = await fileSource(one.url)
    await settled(first, "synced")
    const next = await fileSource(other.url)
    await settled(next, "synced")

    await data("DELETE", `${sourcesPath}/${first}`)
    expect(await values()).toEqual(["both.example"])
    await data("DELETE", `${sourcesPath}/${next}`)

    expect(await values()).toEqual([])
  })

  it("stays when the source is deleted with rules=keep", async () => {
    const id = await fileSource(serve("domain\na.example\n").url)
    await settled(id, "synced")

    await data("DELETE", `${sourcesPath}/${id}?rules=keep`)

    expect(await values()).toEqual(["a.example"])
    expect((await data("GET", `${sourcesPath}/${id}`)).status).toBe(404)
  })

  it("stays when a list of rules is replaced, by a request or a file", async () => {
    const id = await fileSource(serve("domain\na.example\n").url)
    await settled(id, "synced")
    await addByHand("b.example")

    await data("PUT", "/suppression-rules", { rules: [domain("c.example")] })

    expect(await values()).toEqual(["a.example", "c.example"])
    const plan = await fetch(
      `${server.url}/v1/data/import/suppression-rules/plan?type=domain&mode=replace`,
      {
        method: "POST",
        headers: { "x-api-key": tenant.apiKey, "content-type": "text/csv" },
        body: "d.example\n",
      },
    )
    const { data: planned } = (await plan.json()) as { data: { importId: string; removed: number } }
    expect(planned.removed).toBe(1)
    await data("POST", "/import/suppression-rules/apply", { importId: planned.importId })
    expect(await values()).toEqual(["a.example", "d.example"])
    await data("POST", `/import/suppression-rules/${planned.importId}/undo`)
    expect(await values()).toEqual(["a.example", "c.example"])
  })

  it("stays when the import that added it first is undone, until the source drops it", async () => {
    const plan = await fetch(`${server.url}/v1/data/import/suppression-rules/plan?type=domain`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "text/csv" },
      body: "a.example\nb.example\n",
    })
    const { data: planned } = (await plan.json()) as { data: { importId: string } }
    await data("POST", "/import/suppression-rules/apply", { importId: planned.importId })
    const id = await fileSource(serve("domain\na.example\n").url)
    await settled(id, "synced")

    await data("POST", `/import/suppression-rules/${planned.importId}/undo`)

    expect(await values()).toEqual(["a.example"])
    await data("DELETE", `${sourcesPath}/${id}`)
    expect(await values()).toEqual([])
  })
})

describe("a source", () => {
  it("is renamed, paused and changed", async () => {
    const file = serve("domain\na.example\n")
    const id = await fileSource(file.url, { headers: { "x-key": "1" } })
    await settled(id, "synced")

    const paused = await data("PATCH", `${sourcesPath}/${id}`, {
      name: "CRM of sales",
      status: "paused",
      schedule: "hourly",
      headers: null,
    })

    expect(paused.data).toMatchObject({
      name: "CRM of sales",
      status: "paused",
      schedule: "hourly",
      headerNames: [],
      nextSyncAt: null,
    })
    expect((await data("POST", `${sourcesPath}/${id}/sync`)).status).toBe(409)
    const { data: page } = await data("GET", `/suppression-rules?originId=${id}`)
    expect(page.rules[0].origin.name).toBe("CRM of sales")
    await data("PATCH", `${sourcesPath}/${id}`, { status: "active" })
    await sync(id, "unchanged")
  })

  it.each([
    [
      "a URL without types",
      { kind: "url", types: undefined, url: "https://acme.example/a" },
      "types",
    ],
    ["no URL", { kind: "url" }, "url"],
    [
      "a list's id for a URL",
      { kind: "url", url: "https://acme.example/a", listId: randomUUID() },
      "listId",
    ],
    ["a URL for a list", { kind: "list", types: undefined, url: "https://acme.example/a" }, "url"],
    ["no list", { kind: "list", types: undefined }, "listId"],
    ["a scheme other than https", { kind: "url", url: "ftp://acme.example/a" }, "url"],
    ["a URL with a password", { kind: "url", url: "https://a:b@acme.example/a" }, "url"],
    [
      "a header that we set",
      { kind: "url", url: "https://acme.example/a", headers: { Host: "x" } },
      "headers",
    ],
    [
      "a header with a line break",
      { kind: "url", url: "https://acme.example/a", headers: { a: "b\r\nc: d" } },
      "headers",
    ],
    [
      "an invalid name",
      { kind: "url", url: "https://acme.example/a", headers: { "a b": "c" } },
      "headers",
    ],
  ])("is refused with %s", async (_name, body, field) => {
    const { error, status } = await create(body)

    expect(status).toBe(400)
    expect(error.details.issues[0].path).toBe(`/body/${field}`)
  })

  it("of an unknown list is not found", async () => {
    const unknown = await create({ kind: "list", types: undefined, listId: randomUUID() })

    expect(unknown.status).toBe(404)
  })

  it("of people takes no types of companies", async () => {
    const listId = await list("people", ["jane@acme.example"])

    const refused = await create({ kind: "list", listId, types: ["domain"] })

    expect([refused.status, refused.error.details.issues[0].path]).toEqual([400, "/body/types"])
  })

  it("beyond the twentieth of an organization is refused, also of concurrent requests", async () => {
    await server.sql(
      `insert into suppression_source (organization_id, id, name, kind, types, schedule, status, url)
       select $1, gen_random_uuid(), 'x', 'url', '{domain}', 'daily', 'paused', 'https://acme.example'
       from generate_series(1, 19)`,
      [tenant.organizationId],
    )

    const made = await Promise.all(
      [1, 2].map(() => create({ kind: "url", url: "https://acme.example/a" })),
    )

    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it("is synced once by two workers, and by another one after a worker was lost", async () => {
    const file = serve("domain\na.example\n")
    const id = await fileSource(file.url)
    await settled(id, "synced")
    expect(file.seen).toHaveLength(1)
    file.text = "domain\nb.example\n"
    // As a process that was killed leaves it.
    await server.sql(
      `update suppression_sync set status = 'working', claim = claim + 1, attempts = 1,
         next_attempt_at = null,
         leased_until = clock_timestamp() - interval '1 second' where id = $1`,
      [id],
    )

    await expectValues(["b.example"])
  })

  it("changes nothing when the worker has lost its lease meanwhile", async () => {
    let release: (() => void) | undefined
    const file = serve("domain\na.example\n")
    const id = await fileSource(file.url)
    await settled(id, "synced")
    const asked = new Promise<void>((resolve) => {
      answers.set(new URL(file.url).pathname, (_, response) => {
        release = () => response.writeHead(200).end("domain\nlate.example\n")
        resolve()
      })
    })
    await data("POST", `${sourcesPath}/${id}/sync`)
    await asked
    // Another worker has it.
    await server.sql("update suppression_sync set claim = claim + 1 where id = $1", [id])
    await data("PATCH", `${sourcesPath}/${id}`, { status: "paused" })

    release!()

    await expect
      .poll(
        () =>
          server.sql(
            "select from staged_import where kind = 'source' and ended_at is null and organization_id = $1",
            [tenant.organizationId],
          ),
        { timeout: 30_000 },
      )
      .toHaveLength(0)
    expect(await values()).toEqual(["a.example"])
  })

  it("never takes the place of a member's plan", async () => {
    const ids: Array<string> = []
    for (let made = 0; made < 5; made++) {
      const response = await fetch(
        `${server.url}/v1/data/import/suppression-rules/plan?type=domain`,
        {
          method: "POST",
          headers: { "x-api-key": tenant.apiKey, "content-type": "text/csv" },
          body: "plan.example\n",
        },
      )
      ids.push(((await response.json()) as { data: { importId: string } }).data.importId)
    }
    const id = await fileSource(serve("domain\na.example\n").url)
    await settled(id, "synced")

    const applied = await data("POST", "/import/suppression-rules/apply", { importId: ids[0] })

    expect(applied.status).toBe(200)
  })
})

it("a source's address on a private network is refused where that is not allowed", async () => {
  const strict = await startServer({ workers: false })
  try {
    const refused = await ask(strict, strict, {
      method: "POST",
      path: "/v1/data/suppression-sources",
      body: { name: "CRM", kind: "url", types: ["domain"], url: "https://127.0.0.1/customers.csv" },
    })
    expect(refused.status).toBe(400)
    expect(refused.error.details.issues[0]).toMatchObject({
      path: "/body/url",
      code: "url_not_allowed",
    })
  } finally {
    await strict.close()
  }
})
