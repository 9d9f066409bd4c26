// Suppressed people are still identified and cost nothing (spec 2.5, 2.6): pixel events are processed with rules in
// force.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { domain, startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { insertPerson } from "./visitors.ts"

let server: TestServer
let tenant: TestOrganization

beforeAll(async () => {
  vi.stubEnv("SYNC_CYCLE_SECONDS", "1")
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  tenant = await server.makeOrganization()
})

const identify = async (email: string, traits: object = {}) => {
  const now = new Date().toISOString()
  const url = `https://${domain}/`
  const response = await fetch(`${server.url}/p/${tenant.pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": "Mozilla/5.0 (X11) Chrome/145.0" },
    body: JSON.stringify({
      v: 1,
      sentAt: now,
      anonymousId: randomUUID(),
      consent: "granted",
      events: [
        { id: randomUUID(), type: "page", time: now, url, referrer: null, title: null },
        { id: randomUUID(), type: "identify", time: now, url, email, traits },
      ],
    }),
  })
  expect(response.status).toBe(204)
  await server.drain()
}

const inForce = async (rules: ReadonlyArray<unknown>, method = "POST") => {
  const response = await fetch(`${server.url}/v1/data/suppression-rules`, {
    method,
    headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  })
  expect(response.status).toBe(200)
  await vi.waitFor(
    async () => {
      const [list] = await server.sql(
        `select changed_at < cycle_at and marks_from is null and not exists (
           select from suppression_mark as mark where mark.organization_id = list.organization_id
         ) as "isOver"
         from suppression_list as list where organization_id = $1`,
        [tenant.organizationId],
      )
      expect(list?.["isOver"]).toBe(true)
    },
    { timeout: 30_000, interval: 20 },
  )
}

const get = async (path: string) => {
  const response = await fetch(server.url + path, { headers: { "x-api-key": tenant.apiKey } })
  // oxlint-disable-next-line no-explicit-any -- the assertions check its type
  return ((await response.json()) as { data: any }).data
}
const marks = async () =>
  Object.fromEntries(
    (await get("/v1/data")).map((visitor: { email: string; suppressed: boolean }) => [
      visitor.email,
      visitor.suppressed,
    ]),
  )
const creditsUsed = async () => (await get("/v1/data/account")).credits.used

describe("a person who matches a rule in force", () => {
  it.each([
    ["address", { type: "email", value: "jane@harbor.example" }],
    ["domain", { type: "domain", value: "harbor.example" }],
    ["company domain", { type: "company_domain", value: "harbor-logistics.example" }],
  ])("by the %s is identified, listed as suppressed, and costs nothing", async (_, rule) => {
    await inForce([rule])

    await identify("jane@harbor.example", { companyDomain: "harbor-logistics.example" })
    await identify("joe@elsewhere.example")

    expect(await marks()).toEqual({ "jane@harbor.example": true, "joe@elsewhere.example": false })
    expect(await creditsUsed()).toBe(1)
  })

  it("by a domain in another script is found in either spelling", async () => {
    await inForce([{ type: "domain", value: "bücher.example" }])

    await identify("jane@bücher.example")
    await identify("joe@xn--bcher-kva.example")

    expect(Object.values(await marks())).toEqual([true, true])
  })

  it("costs a credit at the next identification after the rule is deleted, but not before", async () => {
    await inForce([{ type: "domain", value: "harbor.example" }])
    await identify("jane@harbor.example")
    await inForce([], "PUT")
    expect(await marks()).toEqual({ "jane@harbor.example": false })
    expect(await creditsUsed()).toBe(0)

    await identify("jane@harbor.example")
    await identify("jane@harbor.example")

    expect(await creditsUsed()).toBe(1)
  })
})

describe("suppression is forward-only", () => {
  it("a later rule marks the person and refunds no credit", async () => {
    await identify("jane@harbor.example")
    await inForce([{ type: "email", value: "jane@harbor.example" }])

    expect(await marks()).toEqual({ "jane@harbor.example": true })
    expect(await creditsUsed()).toBe(1)
  })

  it("a list with only industry rules marks people in companies of these industries", async () => {
    await insertPerson(server, tenant, { emails: ["jane@harbor.example"], industry: "freight" })
    await insertPerson(server, tenant, { emails: ["joe@elsewhere.example"], industry: "retail" })
    await inForce([{ type: "industry", value: "Freight" }])

    const people = await server.sql(
      "select email, suppressed from visitor where organization_id = $1 order by email",
      [tenant.organizationId],
    )
    expect(people).toEqual([
      { email: "jane@harbor.example", suppressed: true },
      { email: "joe@elsewhere.example", suppressed: false },
    ])
  })

  it("a rule does not take effect in the cycle it was added in", async () => {
    await inForce([{ type: "domain", value: "other.example" }])
    await fetch(`${server.url}/v1/data/suppression-rules`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ rules: [{ type: "domain", value: "harbor.example" }] }),
    })
    const [state] = await server.sql(
      `select count(*) filter (where takes_part_at >= cycle_at)::int as waiting
       from suppression_rule join suppression_list using (organization_id)
       where organization_id = $1`,
      [tenant.organizationId],
    )

    expect(state?.["waiting"]).toBe(1)
  })
})
