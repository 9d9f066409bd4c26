// Suppression sources of services on running servers (spec 2.25.8 to 2.25.10): whom they suppress, what a failure changes, and
// what happens to their account. Each service is a double that follows its contract.
import { randomUUID } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { sourceServices } from "../../src/people/suppression-sources/source.ts"
import type { Double } from "../destinations/connectors/double.ts"
import { startBrevo } from "../destinations/connectors/doubles/brevo.ts"
import { startEmailOctopus } from "../destinations/connectors/doubles/emailoctopus.ts"
import { startHubSpot } from "../destinations/connectors/doubles/hubspot.ts"
import { doubles } from "../destinations/connectors/world.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { request as ask } from "./request.ts"

let server: TestServer
let tenant: TestOrganization
let accessToken: string

beforeAll(async () => {
  server = await startServer({ allowPrivateWebhooks: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
  accessToken = (await server.makeUser("member", tenant.organizationId)).accessToken
})

const started: Array<Double> = []
afterEach(async () => {
  for (const double of started.splice(0)) {
    expect(double.violations).toEqual([])
    await double.close()
  }
})
const opened = async <D extends Double>(start: () => Promise<D>): Promise<D> => {
  const double = await start()
  started.push(double)
  return double
}

const sourcesPath = "/suppression-sources"
const data = (method: string, target: string, body?: unknown) =>
  ask(server, tenant, { method, path: `/v1/data${target}`, body })
const integrations = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${server.url}/v1/intent/integrations${path}`, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- each test checks what it reads
  return { status: response.status, ...((await response.json()) as Record<"data" | "error", any>) }
}
const connect = async (appSlug: string, double: Double): Promise<string> => {
  const credentials = { ...double.credentials, baseUrl: double.url }
  return (await integrations("POST", "/accounts", { appSlug, credentials })).data.account.id
}
const rules = async () =>
  (
    (await data("GET", "/suppression-rules?limit=5000")).data.rules as ReadonlyArray<{
      readonly type: string
      readonly value: string
    }>
  )
    .map(({ type, value }) => `${type} ${value}`)
    .toSorted()
const emails = (...all: ReadonlyArray<string>) => all.map((one) => `email ${one}`).toSorted()
const get = async (id: string) => (await data("GET", `${sourcesPath}/${id}`)).data
const settled = async (id: string, outcome: string) => {
  await expect
    .poll(async () => (await get(id)).lastSync?.outcome, { timeout: 60_000 })
    .toBe(outcome)
}
const sync = async (id: string, outcome: string) => {
  const before = (await get(id)).lastSync?.at
  expect((await data("POST", `${sourcesPath}/${id}/sync`)).status).toBe(200)
  await expect
    .poll(async () => (await get(id)).lastSync?.at !== before, { timeout: 60_000 })
    .toBe(true)
  expect((await get(id)).lastSync).toMatchObject({ outcome })
}
const create = (body: object) => data("POST", sourcesPath, { name: "Customers", ...body })
/** A source of a new account, which has been synced. */
const synced = async (kind: string, double: Double, more: object = {}) => {
  const connectedAccountId = await connect(kind, double)
  const body = { kind, connectedAccountId, listId: double.listId, ...more }
  const { id } = (await create(body)).data
  await settled(id, "synced")
  return { id: id as string, connectedAccountId }
}
const names = (count: number) =>
  Array.from({ length: count }, (_, at) => `p${String(at).padStart(4, "0")}@harbor.example`)

const services = doubles.filter(([slug]) =>
  (sourceServices as ReadonlyArray<string>).includes(slug),
)

describe.each(services)("a source of %s", (kind, start) => {
  it("makes everyone on the list an email rule, and no other rule is touched", async () => {
    const double = await opened(start)
    await data("POST", "/suppression-rules", {
      rules: [{ type: "email", value: "by-hand@harbor.example" }],
    })
    for (const email of names(3)) double.put(email, double.newStatus)

    const { id, connectedAccountId } = await synced(kind, double)

    expect(await rules()).toEqual(emails("by-hand@harbor.example", ...names(3)))
    expect(await get(id)).toMatchObject({
      kind,
      connectedAccountId,
      listId: double.listId,
      people: "all",
      types: ["email"],
      rules: 3,
      lastSync: { new: 3, removed: 0 },
    })
  })

  it("changes nothing when a page fails half-way, and says why", async () => {
    const double = await opened(start)
    for (const email of names(120)) double.put(email, double.newStatus)
    const { id } = await synced(kind, double)
    for (const email of names(1_400)) double.put(email, double.newStatus)
    let asked = 0
    double.fault = () => (++asked > 2 ? { status: 400, body: { message: "no" } } : undefined)

    await sync(id, "failed")

    expect(asked).toBeGreaterThan(2)
    expect(await rules()).toEqual(emails(...names(120)))
    expect(await get(id)).toMatchObject({
      status: "active",
      rules: 120,
      lastSync: { errorCode: "PROVIDER_ERROR", errorMessage: expect.stringContaining("400") },
      nextSyncAt: expect.any(String),
    })
  })

  it("keeps its rules when the list is deleted there, and says so", async () => {
    const double = await opened(start)
    for (const email of names(2)) double.put(email, double.newStatus)
    const { id } = await synced(kind, double)

    double.deleteList!()
    await sync(id, "failed")

    expect(await rules()).toEqual(emails(...names(2)))
    expect((await get(id)).lastSync).toMatchObject({
      errorCode: "LIST_GONE",
      errorMessage: expect.stringContaining("does not have the list"),
    })
  })

  it("keeps its rules when the key is revoked, and is synced with another account", async () => {
    const double = await opened(start)
    for (const email of names(2)) double.put(email, double.newStatus)
    const { id } = await synced(kind, double)

    double.revoke()
    await sync(id, "failed")

    expect(await rules()).toEqual(emails(...names(2)))
    expect((await get(id)).lastSync).toMatchObject({ errorCode: "ACCOUNT_DISCONNECTED" })
    const other = await opened(start)
    other.put("new@harbor.example", other.newStatus)
    const connectedAccountId = await connect(kind, other)
    await data("PATCH", `${sourcesPath}/${id}`, { connectedAccountId })
    await settled(id, "synced")
    expect(await rules()).toEqual(emails("new@harbor.example"))
  })
})

describe("a source of a service", () => {
  it("may have only those who refused, and lets go of who is no longer one of them", async () => {
    const double = await opened(startBrevo)
    double.put("jane@harbor.example", "on the list")
    double.put("omar@harbor.example", "blacklisted")
    double.put("zoe@harbor.example", "left")
    const { id } = await synced("brevo", double, { people: "refused" })
    expect(await rules()).toEqual(emails("omar@harbor.example", "zoe@harbor.example"))

    double.put("omar@harbor.example", "on the list")
    await sync(id, "synced")

    expect(await rules()).toEqual(emails("zoe@harbor.example"))
  })

  it("may have everyone in the account, without a list", async () => {
    const double = await opened(startHubSpot)
    double.put("jane@harbor.example", "on the list")
    double.put("omar@harbor.example", null)

    await synced("hubspot", double, { listId: undefined })

    expect(await rules()).toEqual(emails("jane@harbor.example", "omar@harbor.example"))
  })

  it("leaves out what is no address, and reads an address that comes twice once", async () => {
    const double = await opened(startHubSpot)
    double.put("jane@harbor.example", "on the list")
    double.put("not an address", "on the list")
    double.put("omar@harbor.example", "on the list")
    double.set("omar@harbor.example", {
      hs_additional_emails: "JANE@harbor.example;;omar@x.example",
    })

    const { id } = await synced("hubspot", double)

    expect(await rules()).toEqual(
      emails("jane@harbor.example", "omar@harbor.example", "omar@x.example"),
    )
    expect((await get(id)).rules).toBe(3)
  })

  it("waits for approval when most people have left the list", async () => {
    const double = await opened(startHubSpot)
    for (const email of names(130)) double.put(email, "on the list")
    const { id } = await synced("hubspot", double)
    for (const email of names(100)) double.set(email, { email: "gone@harbor.example" })

    await sync(id, "needs_attention")

    expect(await rules()).toHaveLength(130)
    expect(await get(id)).toMatchObject({
      attention: { reason: "most", removals: 100, present: 130 },
    })
    await data("POST", `${sourcesPath}/${id}/approve`)
    await settled(id, "synced")
    expect(await rules()).toHaveLength(31)
  })

  it("waits for approval when the service suddenly has no one there", async () => {
    const double = await opened(startBrevo)
    double.put("jane@harbor.example", "on the list")
    const { id } = await synced("brevo", double)
    double.forget!("jane@harbor.example")

    await sync(id, "needs_attention")

    expect(await rules()).toEqual(emails("jane@harbor.example"))
    expect((await get(id)).attention).toMatchObject({ reason: "empty" })
  })

  it("is read again when it is changed while it is read, and is left alone when it is deleted", async () => {
    const double = await opened(startBrevo)
    double.put("jane@harbor.example", "on the list")
    double.put("omar@harbor.example", "blacklisted")
    const { id } = await synced("brevo", double)
    let asked = 0
    double.fault = () => {
      asked++
      return { status: 429, headers: double.wait!(600) }
    }
    await data("POST", `${sourcesPath}/${id}/sync`)
    await expect.poll(() => asked, { timeout: 30_000 }).toBe(1)
    double.fault = undefined
    // The account's pace waits as long as the service has asked to.
    const other = await opened(startBrevo)
    other.put("omar@harbor.example", "blacklisted")
    other.put("zoe@harbor.example", "on the list")
    const connectedAccountId = await connect("brevo", other)

    await data("PATCH", `${sourcesPath}/${id}`, { connectedAccountId, people: "refused" })

    await expect.poll(rules, { timeout: 30_000 }).toEqual(emails("omar@harbor.example"))
    other.fault = () => ({ status: 429, headers: other.wait!(600) })
    await data("POST", `${sourcesPath}/${id}/sync`)
    expect((await data("DELETE", `${sourcesPath}/${id}`)).status).toBe(200)
    await expect
      .poll(
        () =>
          server.sql(
            "select from staged_import where ended_at is null and organization_id = $1 and kind = 'source'",
            [tenant.organizationId],
          ),
        { timeout: 30_000 },
      )
      .toEqual([])
    expect(await rules()).toEqual([])
  })

  it.each([
    ["no account", { connectedAccountId: undefined }, "connectedAccountId"],
    ["no list where people are on lists only", { listId: undefined }, "listId"],
    ["types of companies", { types: ["domain"] }, "types"],
    ["a URL", { url: "https://acme.example/a" }, "url"],
    ["a column", { column: "email" }, "column"],
    ["headers", { headers: { a: "b" } }, "headers"],
  ])("is refused with %s", async (_name, more, field) => {
    const double = await opened(startEmailOctopus)
    const connectedAccountId = await connect("emailoctopus", double)

    const { error, status } = await create({
      kind: "emailoctopus",
      connectedAccountId,
      listId: double.listId,
      ...more,
    })

    expect(status).toBe(400)
    expect(error.details.issues[0].path).toBe(`/body/${field}`)
  })

  it.each([
    [{ kind: "url", types: ["email"], url: "https://acme.example/a", people: "all" }, "people"],
    [
      {
        kind: "url",
        types: ["email"],
        url: "https://acme.example/a",
        connectedAccountId: randomUUID(),
      },
      "connectedAccountId",
    ],
    [{ kind: "list", listId: "not a UUID" }, "listId"],
    [{ kind: "list", listId: randomUUID(), people: "refused" }, "people"],
  ])("has fields that other kinds refuse: %j", async (body, field) => {
    const { error, status } = await create(body)

    expect(status).toBe(400)
    expect(error.details.issues[0].path).toBe(`/body/${field}`)
  })

  it("is not found with an account that is unknown, removed, of another service or organization", async () => {
    const double = await opened(startBrevo)
    const own = await connect("brevo", double)
    const removed = await connect("brevo", double)
    await integrations("DELETE", `/accounts/${removed}`)
    const source = (await create({ kind: "brevo", connectedAccountId: own })).data.id

    for (const connectedAccountId of [randomUUID(), removed]) {
      expect((await create({ kind: "brevo", connectedAccountId })).status).toBe(404)
      const changed = await data("PATCH", `${sourcesPath}/${source}`, { connectedAccountId })
      expect(changed.status).toBe(404)
    }
    expect((await create({ kind: "hubspot", connectedAccountId: own })).status).toBe(404)
    const stranger = await server.makeOrganization()
    const foreign = await ask(server, stranger, {
      method: "POST",
      path: "/v1/data/suppression-sources",
      body: { name: "x", kind: "brevo", connectedAccountId: own },
    })
    expect(foreign.status).toBe(404)
  })

  it("keeps its account from being removed, which names the sources", async () => {
    const double = await opened(startBrevo)
    const connectedAccountId = await connect("brevo", double)
    const first = (await create({ name: "Customers", kind: "brevo", connectedAccountId })).data.id
    const second = (await create({ name: "Left", kind: "brevo", connectedAccountId })).data.id

    const refused = await integrations("DELETE", `/accounts/${connectedAccountId}`)

    expect([refused.status, refused.error.code]).toEqual([409, "ACCOUNT_IN_USE"])
    expect(refused.error.message).toContain("“Customers”, “Left”")
    expect(refused.error.details).toEqual({ suppressionSourceIds: [first, second] })
    const { data: still } = await integrations("GET", "/accounts")
    expect(still.accounts).toMatchObject([{ id: connectedAccountId, status: "healthy" }])
    for (const id of [first, second]) await data("DELETE", `${sourcesPath}/${id}`)
    expect((await integrations("DELETE", `/accounts/${connectedAccountId}`)).status).toBe(200)
  })

  it("never reads an account that is removed at the same time", async () => {
    const double = await opened(startBrevo)
    for (let round = 0; round < 5; round++) {
      const connectedAccountId = await connect("brevo", double)
      const [made, removed] = await Promise.all([
        create({ kind: "brevo", connectedAccountId }),
        integrations("DELETE", `/accounts/${connectedAccountId}`),
      ])
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([made.status, removed.status])
    }
  })

  it("is offered the lists that can be read, also those that can't be written to", async () => {
    const double = await opened(startHubSpot)
    const id = await connect("hubspot", double)

    const readable = await integrations("GET", `/hubspot/readable-lists?connectedAccountId=${id}`)
    const writable = await integrations("GET", `/hubspot/lists?connectedAccountId=${id}`)

    const idsOf = (answer: typeof readable) =>
      answer.data.lists.map((list: { readonly id: string }) => list.id)
    expect(idsOf(readable)).toEqual(["17", "18"])
    expect(idsOf(writable)).toEqual(["17"])
    expect((await integrations("GET", "")).data.integrations).toContainEqual(
      expect.objectContaining({ appSlug: "mailchimp", suppressionSource: { needsList: true } }),
    )
  })

  it("is named in the audit log, once for each sync that changed something", async () => {
    const double = await opened(startBrevo)
    double.put("jane@harbor.example", "on the list")
    const { id } = await synced("brevo", double)
    await sync(id, "unchanged")

    const entries = await server.sql(
      "select action from audit_entry where organization_id = $1 and action = 'suppression_source.synced'",
      [tenant.organizationId],
    )

    expect(entries).toHaveLength(1)
  })
})

describe("a source that does not answer", () => {
  const silent = new Set<ServerResponse>()
  const site = createServer((_, response) => {
    silent.add(response)
    response.writeHead(200, { "content-type": "text/csv" }).write("email\n")
  })
  let siteUrl: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve))
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    for (const response of silent) response.destroy()
    await new Promise((resolve) => site.close(resolve))
  })

  it("delays neither the lists and services of its organization, nor the files of others", async () => {
    const stuck = { name: "stuck", kind: "url", types: ["email"], url: `${siteUrl}/customers.csv` }
    for (let one = 0; one < 3; one++) await data("POST", sourcesPath, stuck)
    await expect.poll(() => silent.size, { timeout: 30_000 }).toBe(1)

    const { data: list } = await data("POST", "/lists", { name: "Ours", subject: "people" })
    await data("POST", `/lists/${list.id}/members`, { values: ["list@harbor.example"] })
    await settled((await create({ kind: "list", listId: list.id })).data.id, "synced")
    const double = await opened(startBrevo)
    double.put("service@harbor.example", "on the list")
    await synced("brevo", double)
    const stranger = await server.makeOrganization()
    await ask(server, stranger, { method: "POST", path: `/v1/data${sourcesPath}`, body: stuck })
    await expect.poll(() => silent.size, { timeout: 30_000 }).toBe(2)

    expect(await rules()).toEqual(emails("list@harbor.example", "service@harbor.example"))
  })
})
