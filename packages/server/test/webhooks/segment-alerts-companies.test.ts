// Alerts about segments of companies (spec 8.7) of a running server: which enter and leave, and which are not sent.
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest"
import { sha256 } from "../people/people-layer.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver, status } from "./receiver.ts"
import { looked, settled, sweep, waiting } from "./segment-waits.ts"
import { Customer, startSite } from "./site.ts"

let server: TestServer
let receiver: Receiver
let customer: Customer
let path: string

beforeAll(async () => {
  const file = join(inject("temporaryDirectory"), "companies-of-segments.csv")
  await writeFile(
    file,
    "cidr,name,domain,industry,country\n203.0.113.0/24,Mooring Freight,mooring.example,ports,US\n",
  )
  vi.stubEnv("IP_COMPANY_FILE", file)
  vi.stubEnv("TRUSTED_PROXIES", "127.0.0.1")
  server = await startSite()
  receiver = await startReceiver()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  await receiver.close()
})
beforeEach(async () => {
  customer = await Customer.of(server)
  path = `/${randomUUID()}`
  receiver.answer = status(204)
})

/** An address in the network of Mooring Freight. */
const address = "203.0.113.9"
const pricing = { field: "behavior.visited_paths", op: "any_starts_with", value: "/pricing" }
const person = () => `${randomUUID()}@harbor.example`

const companies = (rule: object = pricing) => customer.segment(rule, "companies")
const alert = async (segmentId: string, change: object = {}) => {
  const { webhook } = await customer.webhook(receiver.url + path, {
    trigger: "entered_segment",
    segmentId,
    ...change,
  })
  return webhook.id
}
/** Alerts about entering and leaving the segment. */
const both = async (segmentId: string) => {
  const ids = [await alert(segmentId), await alert(segmentId, { trigger: "left_segment" })] as const
  await settled(customer)
  return ids
}
/** The event and the company of each delivery, oldest first. */
const events = async (webhookId: string) =>
  (await customer.deliveries(webhookId))
    .map(({ companyDomain, event }) => `${event} ${companyDomain}`)
    .toReversed()

const suppress = async (type: string, value: string, isSuppressed = true) => {
  const method = isSuppressed ? "POST" : "DELETE"
  await customer.ask(method, "/v1/data/suppression-rules", { rules: [{ type, value }] })
  const table = type === "email" ? "visitor" : "company"
  await expect
    .poll(
      () =>
        server.sql(`select from ${table} where organization_id = $1 and suppressed = $2`, [
          customer.id,
          isSuppressed,
        ]),
      waiting,
    )
    .toHaveLength(1)
}

describe("a company", () => {
  it("that enters by an anonymous visit is sent with the segment and its fields", async () => {
    const segmentId = await companies()
    const [entering, leaving] = await both(segmentId)

    await customer.visit({ address, paths: ["/"] })
    await looked(customer)
    expect(await events(entering)).toEqual([])
    await customer.visit({ address, paths: ["/pricing"] })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toEqual({
      id: one!.headers["webhook-id"],
      event: "segment.entered",
      timestamp: expect.any(String),
      trigger: "entered_segment",
      organizationId: customer.id,
      segment: { id: segmentId, name: "Buyers" },
      pixel: { id: customer.organization.pixelId, domain: expect.any(String) },
      visitor: null,
      company: expect.objectContaining({ domain: "mooring.example", sessions: 2, pageviews: 2 }),
    })
    expect(one!.event["company"]).not.toHaveProperty("suppressed")
    await customer.visit({ address, paths: ["/pricing"] })
    await looked(customer)
    expect(await events(entering)).toEqual(["segment.entered mooring.example"])
    expect(await events(leaving)).toEqual([])
  })

  it("enters once by the visits of its people, and leaves when no visit counts any longer", async () => {
    const [entering, leaving] = await both(await companies())
    const email = person()

    await customer.visit({ email: person(), paths: ["/"] })
    await customer.visit({ email, paths: ["/pricing"] })
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered harbor.example"])
    await customer.visit({ email, paths: ["/pricing"] })
    await looked(customer)
    expect(await events(entering)).toHaveLength(1)
    expect(await events(leaving)).toEqual([])
    await suppress("email", email)

    await expect.poll(() => events(leaving), waiting).toEqual(["segment.left harbor.example"])
  })

  it("leaves when the visits of someone held back, who has no score, count no longer", async () => {
    await server.sql("update organization set credit_limit = 0 where id = $1", [customer.id])
    const [entering, leaving] = await both(await companies())
    const email = person()

    await customer.visit({ email, paths: ["/pricing"] })
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered harbor.example"])
    await looked(customer)
    await suppress("email", email)

    await expect.poll(() => events(leaving), waiting).toEqual(["segment.left harbor.example"])
  })

  it("that was in it when the alert was made is not sent, also when it comes back", async () => {
    await customer.visit({ address, paths: ["/pricing"] })
    const [entering, leaving] = await both(await companies())

    await customer.visit({ address, paths: ["/pricing"] })
    await looked(customer)
    await sweep(customer)

    expect([...(await events(entering)), ...(await events(leaving))]).toEqual([])
  })

  it("enters and leaves with a list, which a sweep finds", async () => {
    const { data: list } = await customer.ask<{ id: string }>("POST", "/v1/data/lists", {
      name: "Targets",
      subject: "companies",
    })
    const members = `/v1/data/lists/${list.id}/members`
    await customer.visit({ address })
    const [entering, leaving] = await both(
      await companies({ field: "company.list", op: "in_list", value: list.id }),
    )

    await customer.ask("POST", members, { values: ["mooring.example"] })
    await sweep(customer)
    await expect.poll(() => events(entering), waiting).toEqual(["segment.entered mooring.example"])
    await customer.ask("DELETE", members, { values: ["mooring.example"] })
    await sweep(customer)
    await expect.poll(() => events(leaving), waiting).toEqual(["segment.left mooring.example"])
  })

  it("on another site is not in the segment of a site", async () => {
    const pixelId = await customer.pixel("other.example")
    const id = await alert(await companies(), { pixelId })
    await settled(customer)

    await customer.visit({ address, paths: ["/pricing"] })
    await looked(customer)
    expect(await events(id)).toEqual([])
    await customer.visit({ address, paths: ["/pricing"], pixelId })

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({
      pixel: { id: pixelId, domain: "other.example" },
      company: { sessions: 1 },
    })
  })

  it("is named in a digest, whose title says how many entered", async () => {
    const id = await alert(await companies(), { format: "slack", digest: "hourly" })
    await settled(customer)
    await customer.visit({ address, paths: ["/pricing"] })
    await expect.poll(() => customer.deliveries(id), waiting).toHaveLength(1)
    await customer.pass(3_700)

    const [message] = await receiver.waitFor(1, path)
    expect(message!.body).toContain("1 company in the last hour: 1 entered Buyers")
    expect(message!.body).toContain("Mooring Freight")
  })

  it("is what a test of the alert sends", async () => {
    const id = await alert(await companies())

    await customer.ask("POST", `/v1/data/webhooks/${id}/test`)

    const [one] = await receiver.waitFor(1, path)
    expect(one!.event).toMatchObject({
      event: "webhook.test",
      visitor: null,
      company: { domain: "company.example" },
      segment: { name: "Buyers" },
    })
    expect(Object.keys(one!.event["segment"] as object).toSorted()).toEqual(["id", "name"])
  })
})

describe("a company that is not sent", () => {
  it("is one that is suppressed, also when the suppression ends", async () => {
    const [entering, leaving] = await both(await companies())
    await customer.visit({ email: person() })
    await suppress("company_domain", "harbor.example")
    await customer.visit({ email: person(), paths: ["/pricing"] })
    await looked(customer)
    await sweep(customer)
    expect(await events(entering)).toEqual([])

    await suppress("company_domain", "harbor.example", false)
    await looked(customer)
    await sweep(customer)
    expect([...(await events(entering)), ...(await events(leaving))]).toEqual([])
  })

  it("is one that vanishes with its last person, and nothing of it is kept", async () => {
    const [entering, leaving] = await both(await companies())
    const [first, last] = [person(), person()]
    await customer.visit({ email: first, paths: ["/pricing"] })
    await customer.visit({ email: last, paths: ["/pricing"] })
    await expect.poll(() => events(entering), waiting).toHaveLength(1)

    await customer.ask("DELETE", `/v1/data/visitors/${sha256(first)}`)
    await looked(customer)
    await sweep(customer)
    // It is still in it, so it has not entered again.
    expect(await events(entering)).toHaveLength(1)
    await customer.ask("DELETE", `/v1/data/visitors/${sha256(last)}`)
    await looked(customer)
    await sweep(customer)

    expect(await events(leaving)).toEqual([])
    for (const table of ["segment_member", "segment_stale"]) {
      expect(
        await server.sql(`select from ${table} where organization_id = $1`, [customer.id]),
      ).toEqual([])
    }
    await customer.visit({ email: person(), paths: ["/pricing"] })
    await expect.poll(() => events(entering), waiting).toHaveLength(2)
  })
})
