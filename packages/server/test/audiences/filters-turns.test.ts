// When the filter values are counted, and how many counts run at once. An import affects no other organization, and a
// request during a count doesn't wait. Here a lock makes counting wait.
import pg from "pg"
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { putPerson } from "./support.ts"

const patience = { timeout: 30_000 }

let server: TestServer
let tenant: TestOrganization
let other: TestOrganization
let lock: pg.Client

beforeAll(async () => {
  server = await startServer({ workers: false })
  lock = new pg.Client({ connectionString: server.databaseUrl })
  await lock.connect()
})
afterAll(async () => {
  await lock.end()
  await server.close()
})
beforeEach(async () => {
  tenant = await server.makeOrganization()
  other = await server.makeOrganization()
})

const industries = async ({ apiKey }: TestOrganization): Promise<unknown> => {
  const response = await server.get("/v1/intent/audiences/filters", { "x-api-key": apiKey })
  const { data } = (await response.json()) as { data: Readonly<Record<string, unknown>> }
  return data["companyIndustry"]
}

/** Counts the statements that wait for the lock. */
const counting = async (): Promise<number> => {
  const [row] = await server.sql(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%grouping(%'`,
  )
  return Number(row?.["n"])
}

const whileLocked = async (work: () => Promise<void>) => {
  await lock.query("begin")
  await lock.query("lock table person in access exclusive mode")
  try {
    await work()
  } finally {
    await lock.query("rollback")
  }
}

it("An import of one organization does not count the values of another organization again.", async () => {
  await putPerson(server, tenant, "a@acme.example", { industry: "logistics" })
  expect(await industries(tenant)).toEqual(["logistics"])
  // Data written without an import appears only in a new count.
  await server.sql("update person set industry = 'retail' where organization_id = $1", [
    tenant.organizationId,
  ])

  await putPerson(server, other, "b@acme.example", { industry: "insurance" })

  expect(await industries(tenant)).toEqual(["logistics"])
  await putPerson(server, tenant, "c@acme.example", { industry: "energy" })
  expect(await industries(tenant)).toEqual(["energy", "retail"])
})

it("Requests get the old values while new ones are counted, and the new ones after that.", async () => {
  await putPerson(server, tenant, "a@acme.example", { industry: "logistics" })
  expect(await industries(tenant)).toEqual(["logistics"])
  await putPerson(server, tenant, "b@acme.example", { industry: "retail" })

  await whileLocked(async () => {
    expect(await industries(tenant)).toEqual(["logistics"])
  })

  await vi.waitFor(async () => {
    expect(await industries(tenant)).toEqual(["logistics", "retail"])
  }, patience)
})

it("With many requests, an organization's values are counted once, and two organizations' at a time.", async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => server.makeOrganization()))
  // The shared data is counted first.
  await industries(other)
  const answers: Array<Promise<unknown>> = []

  await whileLocked(async () => {
    const [first] = tenants
    answers.push(industries(first!), industries(first!), industries(first!))
    await vi.waitFor(async () => expect(await counting()).toBe(1), patience)
    answers.push(...tenants.map(industries))
    await vi.waitFor(async () => expect(await counting()).toBe(2), patience)
    // Other counts would have started by now.
    expect(await industries(other)).toEqual([])
    expect(await counting()).toBe(2)
  })

  expect(await Promise.all(answers)).toEqual(answers.map(() => []))
})
