// Two people who turn out to be one: what becomes of their owners, tags and notes (spec 2.24.4).
import { Footfall } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { putPeople } from "../people/people-layer.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { Customer } from "../webhooks/site.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let customer: Customer
let footfall: Footfall
beforeEach(async () => {
  customer = await Customer.of(server)
  footfall = new Footfall({ baseUrl: server.url, apiKey: customer.organization.apiKey })
})

/** People who visited, each an hour after the one before. */
const visitors = async (count: number) => {
  const emails = Array.from({ length: count }, () => `${randomUUID()}@quay.example`)
  for (const [index, email] of emails.entries()) {
    await customer.visit({ email, minutesAgo: 60 * (count - index) })
  }
  return emails
}

const join = ([first = "", ...others]: ReadonlyArray<string>) =>
  putPeople(server.databaseUrl, customer.id, [{ email: first, emails: [first, ...others] }])

const members = (count: number) =>
  Promise.all(
    Array.from(
      { length: count },
      async () => (await server.makeUser("member", customer.id)).userId,
    ),
  )

it("the one who stays has the notes and tags of both, by any address, and keeps their owner", async () => {
  const emails = await visitors(2)
  const [first, second] = emails.map(emailHashOf)
  const [owner, other] = await members(2)
  await footfall.visitors.update(first!, { ownerId: owner!, tags: ["Pilot", "a"] })
  await footfall.visitors.update(second!, { ownerId: other!, tags: ["PILOT", "b"] })
  await footfall.visitors.notes.create(first!, "of the first")
  await footfall.visitors.notes.create(second!, "of the second")

  await join(emails)

  const found = await footfall.visitors.update(second!, {})
  expect(found.emails.toSorted()).toEqual(emails.toSorted())
  expect(found.tags).toEqual(["a", "b", "Pilot"])
  expect(found.owner?.id).toBe(owner)
  const notes = await footfall.visitors.notes.list(first!)
  expect(notes.data.map(({ text }) => text)).toEqual(["of the second", "of the first"])
  for (const table of ["visitor_tag", "visitor_owner", "visitor_note"]) {
    const [rows] = await server.sql(
      `select count(distinct visitor_id)::int as people from ${table} where organization_id = $1`,
      [customer.id],
    )
    expect([table, rows]).toEqual([table, { people: 1 }])
  }
})

it("the one who stays gets the owner of whoever came first among the others, if they have none", async () => {
  const emails = await visitors(3)
  const [first, second, third] = emails.map(emailHashOf)
  const [owner, other] = await members(2)
  await footfall.visitors.update(second!, { ownerId: owner!, tags: ["One"] })
  await footfall.visitors.update(third!, { ownerId: other!, tags: ["ONE"] })

  await join(emails)

  const found = await footfall.visitors.update(first!, {})
  expect(found.owner?.id).toBe(owner)
  expect(found.tags).toEqual(["One"])
})

it("a tag that is set while two are joined is not lost", async () => {
  const emails = await visitors(2)
  const second = emailHashOf(emails[1]!)

  await Promise.all([join(emails), footfall.visitors.update(second, { tags: ["Pilot"] })])

  expect((await footfall.visitors.update(second, {})).tags).toEqual(["Pilot"])
})
