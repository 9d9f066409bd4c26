// DELETE /v1/data/visitors/{visitorId} for people who never visited: the organization can erase anyone it knows
// from an import, a link, a list or its own signals (5.1), and no import adds them again (2.19). With the SDK.
import { createHash, randomUUID } from "node:crypto"
import { Footfall, NotFoundError } from "@footfall/sdk"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"
import { findings } from "./dump.ts"
import { batch, identify } from "./people-of-the-site.ts"

const sha = (email: string) => createHash("sha256").update(email).digest("hex")

let server: TestServer
/** Only an owner can import. */
let owner: Footfall
const ownerOf = async (organizationId: string) => {
  const { accessToken } = await server.makeUser("owner", organizationId)
  return new Footfall({ baseUrl: server.url, accessToken })
}
beforeAll(async () => {
  server = await startServer()
  owner = await ownerOf(server.organizationId)
})
afterAll(() => server.close())

const importPeople = (...people: ReadonlyArray<object>) =>
  owner.imports.run("people", people.map((person) => JSON.stringify(person)).join("\n"), {
    format: "ndjson",
  })

it("an imported person is erased by any of their addresses, and nothing about them is left", async () => {
  const person = {
    email: "mira.ostrander@harbor.example",
    personalEmail: "mira1980@mail.example",
    firstName: "Mirabella",
    lastName: "Ostrander",
    jobTitle: "Keeper of the Northern Lighthouse",
    phones: ["+442079460777"],
  }
  const linked = "m.ostrander@old-harbor.example"
  await importPeople(person)
  await owner.imports.run(
    "identity-links",
    JSON.stringify({ kind: "email", value: sha(linked), emailHash: sha(person.email) }),
    { format: "ndjson" },
  )
  const texts = [...Object.values(person).flat(), linked]
  expect((await findings(server.sql, texts)).length).toBeGreaterThan(0)

  expect(await server.sdk.visitors.erase(sha(person.personalEmail))).toMatchObject({
    deleted: true,
  })

  expect(await findings(server.sql, texts)).toEqual([])
  for (const email of [person.email, person.personalEmail, linked]) {
    await expect(server.sdk.visitors.erase(sha(email))).rejects.toThrow(NotFoundError)
  }
  const [audited] = await server.sql(
    "select action, target_id from audit_entry where action = 'visitor.erased'",
  )
  expect(audited).toMatchObject({ target_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
})

it("the values that audience filters offer no longer contain an erased person's", async () => {
  const email = "keeper@harbor.example"
  const industries = async () => (await owner.audiences.filters()).companyIndustry
  await importPeople({ email, company: { industry: "lighthouse keeping" } })
  expect(await industries()).toContain("lighthouse keeping")

  await server.sdk.visitors.erase(sha(email))

  expect(await industries()).not.toContain("lighthouse keeping")
})

it("rows of an erased person are rejected as erased, each with its number; the others are imported", async () => {
  const erased = "gone@harbor.example"
  await importPeople({ email: erased })
  await server.sdk.visitors.erase(sha(erased))

  const result = await importPeople(
    { email: "first@harbor.example" },
    { email: erased, firstName: "Back" },
    { email: "third@harbor.example", ownIdea: 1 },
    { email: "fourth@harbor.example", personalEmail: erased },
    { email: erased, firstName: "Again" },
    { email: "sixth@harbor.example" },
  )
  const links = await owner.imports.run(
    "identity-links",
    [
      { kind: "external_id", value: "crm-1", emailHash: sha("first@harbor.example") },
      { kind: "external_id", value: "crm-2", emailHash: sha(erased) },
      { kind: "email", value: sha(erased), emailHash: sha("first@harbor.example") },
    ]
      .map((link) => JSON.stringify(link))
      .join("\n"),
    { format: "ndjson" },
  )

  expect(result).toMatchObject({ received: 6, inserted: 2, updated: 0, unchanged: 0 })
  expect(result.rejectedCount).toBe(4)
  expect(result.rejected).toEqual([
    { row: 2, field: null, reason: "erased" },
    expect.objectContaining({ row: 3, field: "ownIdea", reason: "unknown_field" }),
    { row: 4, field: null, reason: "erased" },
    { row: 5, field: null, reason: "erased" },
  ])
  expect(links).toMatchObject({ received: 3, inserted: 1, rejectedCount: 2 })
  expect(links.rejected.map(({ row, reason }) => [row, reason])).toEqual([
    [2, "erased"],
    [3, "erased"],
  ])
  expect(await findings(server.sql, [erased, "Again"])).toEqual([])
})

it("the first hundred rejected rows are listed, whatever the reason", async () => {
  const erased = "many@harbor.example"
  await importPeople({ email: erased })
  await server.sdk.visitors.erase(sha(erased))
  const rows = Array.from({ length: 150 }, (_, place) =>
    place < 75 ? { email: `with-${place}@harbor.example`, personalEmail: erased } : { nothing: 1 },
  )

  const { rejected, rejectedCount, unchanged } = await importPeople(...rows)

  expect([rejectedCount, unchanged]).toEqual([150, 0])
  expect(rejected.map(({ row }) => row)).toEqual(
    Array.from({ length: 100 }, (_, place) => place + 1),
  )
  expect(new Set(rejected.slice(0, 75).map(({ reason }) => reason))).toEqual(new Set(["erased"]))
})

it.each([
  [
    "an identity link",
    async (email: string) => {
      await owner.imports.run(
        "identity-links",
        JSON.stringify({ kind: "external_id", value: randomUUID(), emailHash: sha(email) }),
        { format: "ndjson" },
      )
    },
  ],
  [
    "an own signal",
    (email: string) =>
      server.sql(
        `insert into signal_person (email_hash, organization_ids) values (decode($1, 'hex'), array[$2::uuid])`,
        [sha(email), server.organizationId],
      ),
  ],
  [
    "the suppression list",
    (email: string) => server.sdk.suppression.add([{ type: "email", value: email }]),
  ],
])(
  "a person known only from %s is erased once, and not identified afterwards",
  async (how, know) => {
    const email = `only-${how.replaceAll(" ", "-")}@harbor.example`
    await know(email)

    expect(await server.sdk.visitors.erase(sha(email))).toMatchObject({ deleted: true })

    await expect(server.sdk.visitors.erase(sha(email))).rejects.toThrow(NotFoundError)
    await server.collect(batch(randomUUID(), identify({ email }, 5)))
    await server.drain()
    await expect(server.sdk.visitors.get({ email })).rejects.toThrow(NotFoundError)
  },
)

it("people held back without credits are erased, and so are their imported records", async () => {
  const email = "held-back@harbor.example"
  await server.sql("update organization set credit_limit = 0 where id = $1", [
    server.organizationId,
  ])
  await importPeople({ email, firstName: "Heldabacka" })
  await server.collect(batch(randomUUID(), identify({ email }, 5)))
  await server.drain()

  expect(await server.sdk.visitors.erase(sha(email))).toMatchObject({ deleted: true })

  expect(await findings(server.sql, [email, "Heldabacka"])).toEqual([])
})

it("a person known only to another organization stays there and returns 404 here", async () => {
  const other = await server.makeOrganization()
  const foreign = new Footfall({ baseUrl: server.url, apiKey: other.apiKey })
  const email = "elsewhere@harbor.example"
  await (
    await ownerOf(other.organizationId)
  ).imports.run("people", JSON.stringify({ email }), { format: "ndjson" })

  await expect(server.sdk.visitors.erase(sha(email))).rejects.toThrow(NotFoundError)

  expect(await foreign.visitors.erase(sha(email))).toMatchObject({ deleted: true })
})
