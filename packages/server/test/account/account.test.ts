// GET /v1/data/account, every row of spec 2.5 and 5.3, through the SDK against the real server.
import { DateTime } from "effect"
import { randomUUID } from "node:crypto"
import { Footfall } from "@footfall/sdk"
import { afterAll, beforeAll, expect, it } from "vitest"
import { daysAgo, putSignals, putTopics } from "../audiences/support.ts"
import { addDays, dayOf, startOfDay } from "../../src/access/time-zone.ts"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const statusOf = ({ apiKey }: TestOrganization) =>
  new Footfall({ baseUrl: server.url, apiKey }).account.get()

/** Sets columns of an organization, as the operator would. */
const set = (organization: TestOrganization, columns: string) =>
  server.sql(`update organization set ${columns} where id = $1`, [organization.organizationId])

const use = ({ organizationId }: TestOrganization, used: number, monthsAgo = 0) =>
  server.sql(
    `insert into credit_month (organization_id, month, used) values
       ($1, date_trunc('month', now() at time zone 'utc') - make_interval(months => $3), $2)`,
    [organizationId, used, monthsAgo],
  )

const addVisitor = ({ organizationId }: TestOrganization, columns: { held_back: boolean }) =>
  server.sql(
    `insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at, held_back)
     values ($1, $2, $3, now(), now(), $4)`,
    [organizationId, randomUUID(), randomUUID(), columns.held_back],
  )

const nextMonth = () => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString()
}

it("a new organization: unlimited credits and slots, one pixel, no data date, healthy", async () => {
  const organization = await server.makeOrganization()

  expect(await statusOf(organization)).toEqual({
    healthy: true,
    organization: {
      id: organization.organizationId,
      slug: `tidewater-${organization.organizationId.slice(0, 8)}`,
      name: "Tidewater",
      status: "active",
    },
    credits: { used: 0, limit: null, remaining: null, resetsAt: null, heldBack: 0 },
    pixels: { total: 1, active: 1, paused: 0 },
    intent: {
      enabled: true,
      slots: { used: 0, limit: null, remaining: null },
      oneShotEligible: false,
      dataDate: null,
    },
  })
})

it.each(["Pacific/Kiritimati", "America/New_York"])(
  "credits are reset when the month begins in the organization's time zone, %s (spec 2.5.1)",
  async (timeZone) => {
    const organization = await server.makeOrganization()
    await set(organization, `credit_limit = 10, time_zone = '${timeZone}'`)
    const today = dayOf(DateTime.nowUnsafe(), timeZone)
    const first = addDays(`${today.slice(0, 8)}01`, 31)

    expect((await statusOf(organization)).credits).toMatchObject({
      limit: 10,
      resetsAt: DateTime.formatIso(startOfDay(`${first.slice(0, 8)}01`, timeZone)),
    })
  },
)

it("credits are those of the current month, and are reset at the start of the next", async () => {
  const organization = await server.makeOrganization()
  await set(organization, "credit_limit = 10")
  await use(organization, 7, 1)
  await use(organization, 4)

  expect((await statusOf(organization)).credits).toEqual({
    used: 4,
    limit: 10,
    remaining: 6,
    resetsAt: nextMonth(),
    heldBack: 0,
  })
})

it("used credits are also counted without a limit", async () => {
  const organization = await server.makeOrganization()
  await use(organization, 4)

  const { credits, healthy } = await statusOf(organization)

  expect(credits).toMatchObject({ used: 4, limit: null, remaining: null, resetsAt: null })
  expect(healthy).toBe(true)
})

it.each([
  { limit: 5, remaining: 1, healthy: true },
  { limit: 4, remaining: 0, healthy: false },
  { limit: 3, remaining: 0, healthy: false },
])("with 4 credits used of $limit, $remaining remain: healthy $healthy", async (expected) => {
  const organization = await server.makeOrganization()
  await set(organization, `credit_limit = ${expected.limit}`)
  await use(organization, 4)

  const { credits, healthy } = await statusOf(organization)

  expect({ limit: credits.limit, remaining: credits.remaining, healthy }).toEqual(expected)
})

it("a limit of 0 leaves nothing and is not healthy", async () => {
  const organization = await server.makeOrganization()
  await set(organization, "credit_limit = 0")

  const { credits, healthy } = await statusOf(organization)

  expect(credits).toMatchObject({ used: 0, limit: 0, remaining: 0 })
  expect(healthy).toBe(false)
})

it("counts only the organization's own people held back", async () => {
  const organization = await server.makeOrganization()
  const other = await server.makeOrganization()
  await addVisitor(organization, { held_back: true })
  await addVisitor(organization, { held_back: true })
  await addVisitor(organization, { held_back: false })
  await addVisitor(other, { held_back: true })

  expect((await statusOf(organization)).credits.heldBack).toBe(2)
})

it.each([
  { status: "active", healthy: true },
  { status: "trial", healthy: true },
  { status: "suspended", healthy: false },
  { status: "expired", healthy: false },
] as const)(
  "is available while the organization is $status: healthy $healthy",
  async (expected) => {
    const { organization, healthy } = await statusOf(await server.makeOrganization(expected.status))

    expect({ status: organization.status, healthy }).toEqual(expected)
  },
)

it("counts active and paused pixels, not deleted ones; without any it is healthy", async () => {
  const organization = await server.makeOrganization()
  const { organizationId } = organization
  const add = (columns: string, values: string) =>
    server.sql(
      `insert into pixel (organization_id, id, domain, name${columns})
       values ($1, $2, $3, 'Site'${values})`,
      [organizationId, randomUUID(), `${randomUUID()}.example`],
    )
  await add("", "")
  await add(", status, paused_reason", ", 'paused', 'manual'")
  await add(", deleted_at", ", now()")

  expect((await statusOf(organization)).pixels).toEqual({ total: 3, active: 2, paused: 1 })

  await server.sql("update pixel set deleted_at = now() where organization_id = $1", [
    organizationId,
  ])
  const { healthy, pixels } = await statusOf(organization)
  expect(pixels).toEqual({ total: 0, active: 0, paused: 0 })
  expect(healthy).toBe(true)
})

it("returns the intent access that the operator set", async () => {
  const organization = await server.makeOrganization()
  await set(organization, "intent_enabled = false, intent_slots = 3, one_shot_eligible = true")

  expect((await statusOf(organization)).intent).toEqual({
    enabled: false,
    slots: { used: 0, limit: 3, remaining: 3 },
    oneShotEligible: true,
    dataDate: null,
  })
})

it("counts only the organization's own active audiences that take a slot", async () => {
  const organization = await server.makeOrganization()
  const other = await server.makeOrganization()
  await set(organization, "intent_slots = 3")
  const add = ({ organizationId }: TestOrganization, columns: string, values: string) =>
    server.sql(
      `insert into audience (organization_id, id, name, config, ${columns})
       values ($1, $2, 'Buyers', '{}', ${values})`,
      [organizationId, randomUUID()],
    )
  await add(organization, "status", "'active'")
  await add(organization, "status", "'active'")
  await add(organization, "status", "'draft'")
  await add(organization, "status", "'paused'")
  await add(organization, "status, access_type", "'active', 'one_shot'")
  await add(organization, "status, deleted_at", "'active', now()")
  await add(other, "status", "'active'")

  expect((await statusOf(organization)).intent.slots).toEqual({ used: 2, limit: 3, remaining: 1 })
})

it("returns the data date, which another organization's own signals do not change", async () => {
  const organization = await server.makeOrganization()
  const other = await server.makeOrganization()
  const jane = { email: "jane@acme.example", topicId: 1, score: 90 }
  await putTopics(server, [1])
  await putSignals(server, organization, [jane], { date: daysAgo(3) })
  await putSignals(server, other, [jane], { date: daysAgo(2) })

  expect((await statusOf(organization)).intent.dataDate).toBe(daysAgo(3))
  expect((await statusOf(other)).intent.dataDate).toBe(daysAgo(2))
})

it("an unknown key is 401, a parameter 400, another method 405", async () => {
  const unknown = await server.get("/v1/data/account", { "x-api-key": "sk_unknown" })
  const parameter = await server.get("/v1/data/account?full=true")
  const method = await fetch(`${server.url}/v1/data/account`, {
    method: "POST",
    headers: { "x-api-key": server.apiKey },
  })

  expect([unknown.status, parameter.status, method.status]).toEqual([401, 400, 405])
})

it("60 requests a minute per key, in a separate group", async () => {
  const limited = await startServer({ workers: false, rateLimits: true, beside: server })
  const { apiKey } = await server.makeOrganization()
  const get = (path: string) => limited.get(path, { "x-api-key": apiKey })
  await get("/v1/data/pixels")

  const answers = await Promise.all(Array.from({ length: 61 }, () => get("/v1/data/account")))
  await limited.close()

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  expect(answers[0]?.headers.get("ratelimit-limit")).toBe("60")
})
