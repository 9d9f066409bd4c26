// Trying a webhook on stored sessions (spec 5.6.11): the counts for each way of being sent again, whom it is about, and
// that nothing is stored or sent.
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest"
import type { TestServer } from "../support/server.ts"
import { Customer, startSite } from "./site.ts"

let server: TestServer
let customer: Customer

beforeAll(async () => {
  const file = join(inject("temporaryDirectory"), "companies-of-previews.csv")
  await writeFile(
    file,
    "cidr,name,domain,industry,country\n203.0.113.0/24,Mooring Freight,mooring.example,ports,US\n",
  )
  vi.stubEnv("IP_COMPANY_FILE", file)
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1")
  server = await startSite()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})
beforeEach(async () => {
  customer = await Customer.of(server)
})

/** An address in the network of Mooring Freight. */
const address = "203.0.113.9"
const person = () => `${randomUUID()}@acme.example`

interface Preview {
  readonly message: string | null
  readonly told: number
  readonly heldBack: { readonly again: number; readonly suppressed: number }
  readonly byAgain: Readonly<Record<string, number>>
  readonly samples: ReadonlyArray<Readonly<Record<string, unknown>>>
}
const preview = async (body: object = {}) => {
  const { data, status, text } = await customer.ask<Preview>("POST", "/v1/data/webhooks/preview", {
    trigger: "page_viewed",
    ...body,
  })
  if (status !== 200) throw new Error(text)
  return data
}

it("counts each way of being sent again from the beginning, as a slow count of the sessions does", async () => {
  const email = person()
  // Hours ago, oldest first.
  const visits = [200, 190, 30, 26, 3, 2.5, 0.9, 0.2]
  let passed = visits[0]!
  for (const hours of visits) {
    await customer.pass((passed - hours) * 3_600)
    passed = hours
    await customer.visit({ email, paths: ["/pricing"] })
  }
  await server.sql(
    `update session set page_times = array(select ended_at from generate_series(1, cardinality(page_times)))
     where organization_id = $1`,
    [customer.id],
  )
  const rows = await server.sql(
    "select extract(epoch from ended_at)::float8 as at from session where organization_id = $1 order by ended_at",
    [customer.id],
  )
  const times = rows.map(({ at }) => Number(at))
  const slow = (seconds: number) => {
    let last = -Infinity
    return times.filter((at) => at >= last + seconds && ((last = at), true)).length
  }

  const { byAgain, heldBack, told } = await preview({ path: "/pricing", again: "24h" })

  expect(times).toHaveLength(visits.length)
  expect(byAgain).toEqual({
    every_session: visits.length,
    "1h": slow(3_600),
    "24h": slow(86_400),
    "7d": slow(7 * 86_400),
    once: 1,
  })
  expect(told).toBe(byAgain["24h"])
  expect(heldBack).toEqual({ again: visits.length - told, suppressed: 0 })
  const { byAgain: ofDay } = await preview({ path: "/pricing", timeframe: "24h" })
  expect(ofDay["every_session"]).toBe(times.filter((at) => at > times.at(-1)! - 86_000).length)
})

it("shows the newest and the message about it", async () => {
  const email = person()
  await customer.visit({ address, paths: ["/pricing"], title: "Plans" })
  await customer.visit({ email, paths: ["/pricing"], secondsVisible: 20 })

  const { message, samples, told } = await preview({ path: "/pricing" })

  expect(told).toBe(2)
  expect(samples).toMatchObject([
    {
      visitor: { email },
      company: { domain: "acme.example" },
      page: { path: "/pricing", title: null, secondsVisible: 20 },
      told: true,
    },
    {
      visitor: null,
      company: { domain: "mooring.example", name: "Mooring Freight" },
      page: { path: "/pricing", title: "Plans" },
      told: true,
    },
  ])
  expect(JSON.parse(message!)).toMatchObject({
    event: "page.viewed",
    trigger: "page_viewed",
    page: { path: "/pricing", secondsVisible: 20 },
    visitor: { email },
  })
  const { message: ofChat } = await preview({ path: "/pricing", format: "slack" })
  expect(ofChat).toContain(`${email} viewed /pricing`)
})

describe("tries", () => {
  it("paths, times, whose visits, lists and segments as the alert would", async () => {
    const email = person()
    await customer.visit({ address, paths: ["/pricing"] })
    await customer.visit({
      email,
      paths: ["/docs", "/pricing"],
      secondsVisible: 30,
      traits: { jobTitle: "CTO" },
    })
    const segmentId = await customer.segment({
      field: "company.job_title",
      op: "eq",
      value: "CTO",
    })
    const { data: list } = await customer.ask<{ id: string }>("POST", "/v1/data/lists", {
      name: "Targets",
      subject: "companies",
    })
    await customer.ask("POST", `/v1/data/lists/${list.id}/members`, {
      values: ["mooring.example"],
    })
    const told = async (body: object) => (await preview(body)).told

    expect(await told({})).toBe(2)
    expect(await told({ path: "/docs" })).toBe(1)
    expect(await told({ path: "/none" })).toBe(0)
    expect(await told({ minSeconds: 30 })).toBe(1)
    expect(await told({ minSeconds: 31 })).toBe(0)
    expect(await told({ identified: "identified" })).toBe(1)
    expect(await told({ identified: "anonymous" })).toBe(1)
    expect(await told({ segmentId })).toBe(1)
    const ofCompanies = await customer.segment(
      { field: "company.domain", op: "eq", value: "mooring.example" },
      "companies",
    )
    expect(await told({ segmentId: ofCompanies })).toBe(1)
    expect(await told({ segmentId: ofCompanies, identified: "identified" })).toBe(0)
    expect(await told({ segmentId: ofCompanies, trigger: "company_seen", path: null })).toBe(1)
    expect(await told({ listId: list.id })).toBe(1)
    expect(await told({ pixelId: await customer.pixel("other.example") })).toBe(0)
  })

  it("companies, and people for the first time", async () => {
    const email = person()
    await customer.visit({ address })
    await customer.visit({ email })
    await customer.pass(3_600)
    await customer.visit({ email })

    const { samples, told } = await preview({ trigger: "company_seen" })
    expect([told, samples[0]]).toMatchObject([
      2,
      { visitor: null, company: { domain: "acme.example" }, page: null },
    ])
    expect((await preview({ trigger: "first_match" })).told).toBe(1)
    expect((await preview({ trigger: "every_update" })).told).toBe(2)
  })
})

it("counts suppressed sessions apart, and shows no one who is", async () => {
  const email = person()
  await customer.visit({ email, paths: ["/pricing"] })
  await server.sql("update visitor set suppressed = true where organization_id = $1", [customer.id])

  expect(await preview()).toMatchObject({
    message: null,
    told: 0,
    heldBack: { suppressed: 1 },
    samples: [],
  })
})

it("stores and sends nothing", async () => {
  await customer.visit({ email: person() })
  const rows = () =>
    server.sql(
      `select (select count(*)::int from webhook) as webhooks,
         (select count(*)::int from webhook_delivery) as deliveries,
         (select count(*)::int from webhook_told_session) as sessions,
         (select count(*)::int from audit_entry) as entries`,
    )
  const before = await rows()

  await preview({ name: "A", url: "https://hooks.example/", format: "slack" })

  expect(await rows()).toEqual(before)
})

it("refuses what a creation refuses, and other timeframes", async () => {
  const status = async (body: object) =>
    (await customer.ask("POST", "/v1/data/webhooks/preview", body)).status

  expect(await status({ path: "/pricing" })).toBe(400)
  expect(await status({ trigger: "page_viewed", timeframe: "90d" })).toBe(400)
  expect(await status({ url: "nonsense" })).toBe(400)
  expect(await status({ trigger: "page_viewed", listId: randomUUID() })).toBe(404)
})
