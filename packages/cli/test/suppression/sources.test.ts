// `footfall suppression sources`: what is sent, what is printed, and when it asks.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { footfall } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"

const path = "/v1/data/suppression-sources"
const id = "2c7f0d1e-9b4a-4f6c-8e2d-3a5b7c9d1e0f"
const source = {
  id,
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "CRM customers",
  kind: "url",
  types: ["email"],
  schedule: "daily",
  status: "active",
  connectedAccountId: null,
  listId: null,
  people: null,
  url: "https://crm.example/customers.csv",
  column: null,
  headerNames: ["authorization"],
  rules: 120,
  attention: null,
  lastSync: null,
  nextSyncAt: "2026-03-11T10:00:00.000Z",
  createdAt: "2026-03-11T09:00:00.000Z",
  updatedAt: "2026-03-11T09:00:00.000Z",
}
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  api.on(`GET ${path}`, () => ({ data: [source], meta: { total: 1 } }))
  api.on(`POST ${path}`, () => ({ data: source }))
  api.on(`GET ${path}/${id}`, () => ({ data: source }))
  api.on(`DELETE ${path}/${id}`, () => ({ data: { deleted: true } }))
  api.on(`POST ${path}/${id}/sync`, () => ({ data: source }))
  api.on(`POST ${path}/${id}/approve`, () => ({ data: source }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) =>
  footfall(["suppression", "sources", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })
const created = () => api.seen(`POST ${path}`).map(({ body }) => JSON.parse(body))

test("creates a source of a file with its types and headers", async () => {
  const { exitCode } = await run(
    "create",
    "CRM customers",
    "--url",
    "https://crm.example/customers.csv",
    "--types",
    "email, domain",
    "--header",
    "authorization: Bearer x:y",
    "--schedule",
    "hourly",
  )

  expect(created()).toEqual([
    {
      name: "CRM customers",
      kind: "url",
      types: ["email", "domain"],
      schedule: "hourly",
      url: "https://crm.example/customers.csv",
      headers: { authorization: "Bearer x:y" },
    },
  ])
  expect(exitCode).toBe(0)
})

test("creates a source of a list", async () => {
  await run("create", "Customers", "--list", id)

  expect(created()).toEqual([{ name: "Customers", kind: "list", listId: id }])
})

const account = {
  id: "9d0c4a52-1d5e-4a43-9d43-0a4bcbd3a0f7",
  automationAccountId: "acct_1",
  appSlug: "hubspot",
  appName: "HubSpot",
  accountName: "Sales CRM",
  status: "healthy",
  lastSyncedAt: "2026-03-11T09:00:00.000Z",
}
const signedIn = (...words: ReadonlyArray<string>) =>
  footfall(["suppression", "sources", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_ACCESS_TOKEN: "e30.e30.e30" },
  })

test("creates a source of a connected account, whose service it looks up", async () => {
  api.on("GET /v1/intent/integrations/accounts", () => ({ data: { accounts: [account] } }))

  const { exitCode } = await signedIn(
    ...["create", "Customers", "--account", "sales crm", "--service-list", "91"],
  )

  expect(created()).toEqual([
    { name: "Customers", kind: "hubspot", connectedAccountId: account.id, listId: "91" },
  ])
  expect(exitCode).toBe(0)
})

test("creates a source of an account with an API key, if it is given the service", async () => {
  await run(
    ...["create", "Left", "--account", account.id, "--service", "brevo", "--people", "refused"],
  )

  expect(created()).toEqual([
    { name: "Left", kind: "brevo", connectedAccountId: account.id, people: "refused" },
  ])
})

test("refuses an account of a service whose people can't be read", async () => {
  const other = { ...account, appSlug: "pipedrive", appName: "Pipedrive" }
  api.on("GET /v1/intent/integrations/accounts", () => ({ data: { accounts: [other] } }))

  const { exitCode, stderr } = await signedIn("create", "Customers", "--account", account.id)

  expect(exitCode).toBe(2)
  expect(stderr).toContain("The people of Pipedrive can't be read.")
  expect(created()).toEqual([])
})

test("updates only what the command says, and can read the whole account again", async () => {
  api.on(`PATCH ${path}/${id}`, () => ({ data: { ...source, status: "paused" } }))

  const paused = await run("update", id, "--status", "paused")
  await run("update", id, "--account", account.id, "--whole-account", "--schedule", "hourly")
  const nothing = await run("update", id)

  expect(api.seen(`PATCH ${path}/${id}`).map(({ body }) => JSON.parse(body))).toEqual([
    { status: "paused" },
    { connectedAccountId: account.id, listId: null, schedule: "hourly" },
  ])
  expect([paused.exitCode, nothing.exitCode]).toEqual([0, 2])
})

test.each([
  ["neither an account, a URL nor a list", [], "--account, --url or --list"],
  ["two of them", ["--url", "https://a.example", "--list", id], "--account, --url or --list"],
  ["a file without types", ["--url", "https://a.example"], "--types"],
  ["a type that does not exist", ["--url", "https://a.example", "--types", "phone"], "phone"],
  [
    "a header without a colon",
    ["--url", "https://a.example", "--types", "email", "--header", "x"],
    "name: value",
  ],
])("refuses %s before it sends anything", async (_name, words, message) => {
  const { exitCode, stderr } = await run("create", "CRM", ...words)

  expect(exitCode).toBe(2)
  expect(stderr).toContain(message)
  expect(created()).toEqual([])
})

test("lists the sources and syncs one by its name", async () => {
  const listed = await run("list")
  const synced = await run("sync", "crm customers")

  expect(JSON.parse(listed.stdout).data).toEqual([source])
  expect(synced.exitCode).toBe(0)
  expect(api.seen(`POST ${path}/${id}/sync`)).toHaveLength(1)
})

test("approves a sync after a confirmation, and nothing that needs no approval", async () => {
  const needless = await run("approve", id, "--yes")
  const attention = { reason: "most", removals: 80, present: 120 }
  const waiting = { ...source, status: "needs_attention", attention }
  api.on(`GET ${path}/${id}`, () => ({ data: waiting }))
  const unasked = await run("approve", id)
  const approved = await run("approve", id, "--yes")

  expect([needless.exitCode, unasked.exitCode, approved.exitCode]).toEqual([2, 2, 0])
  expect(unasked.stderr).toContain("80 of 120 rules")
  expect(api.seen(`POST ${path}/${id}/approve`)).toHaveLength(1)
})

test("deletes a source with its rules, or keeps them", async () => {
  await run("delete", id, "--yes")
  await run("delete", id, "--keep-rules", "--yes")

  const asked = api.seen(`DELETE ${path}/${id}`).map(({ url }) => url.searchParams.get("rules"))
  expect(asked).toEqual(["remove", "keep"])
})
