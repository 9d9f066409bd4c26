// The archive of a person (spec 5.1.12): everything kept about them, nothing about others, for admins alone.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { ann, jane, janesTexts, populate, tom } from "./people-of-the-site.ts"
import { unzipped } from "./unzipped.ts"

const sha = (email: string) => hashEmail(email).sha256

let server: TestServer
let admin: string
const drain = async () => {
  const workers = await startServer({ beside: server })
  await workers.drain()
  await workers.close()
}

beforeAll(async () => {
  server = await startServer({ workers: false })
  admin = (await server.makeUser("admin")).accessToken
  await populate(server, drain)
})
afterAll(() => server.close())

const ask = (emailHash: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${server.url}/v1/data/visitors/${emailHash}/archive`, { headers })
const filesOf = async (emailHash: string) => {
  const answer = await ask(emailHash, { authorization: `Bearer ${admin}` })
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"])
  expect(answer.headers.get("cache-control")).toBe("no-store")
  return unzipped(Buffer.from(await answer.arrayBuffer()))
}

describe("a person known in every way", () => {
  it("has all of their texts in it, by any of their addresses", async () => {
    for (const address of [jane.work, jane.hidden]) {
      const files = await filesOf(sha(address))
      const text = [...files.values()].join("\n")

      // An erasure takes these out of the records of others, which are not hers to download.
      const elsewhere = new Set([jane.hidden, jane.linked, "/waiting-page-of-jane"])
      expect(janesTexts.filter((one) => !elsewhere.has(one) && !text.includes(one))).toEqual([])
      expect(text).toContain(sha(jane.hidden))
      const manifest = JSON.parse(files.get("manifest.json")!) as {
        readonly files: ReadonlyArray<{ readonly name: string; readonly rows: number }>
      }
      expect(manifest).toMatchObject({
        organizationId: server.organizationId,
        emailHash: sha(address),
        requestedBy: { type: "user" },
      })
      expect(manifest.files.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["profile.json", "addresses.json", "sessions.csv", "events.csv"]),
      )
      const profile = JSON.parse(files.get("profile.json")!) as ReadonlyArray<object>
      expect(profile).toHaveLength(1)
      expect(profile[0]).not.toHaveProperty("organization_id")
    }
  })

  it("has nothing of others who used the same browsers", async () => {
    const text = [...(await filesOf(sha(jane.work))).values()].join("\n")

    for (const other of [ann, tom]) {
      expect(text).not.toContain(other)
      expect(text).not.toContain(sha(other))
    }
  })

  it("is in the audit log", async () => {
    await filesOf(sha(tom))

    const [entry] = await server.sql(
      "select actor_type from audit_entry where action = 'visitor.archived' order by id desc limit 1",
    )
    expect(entry).toBeDefined()
  })
})

it("has no address of others that a vendor's record or an import names beside the person's", async () => {
  const { organizationId, pixelId } = server
  const [source, request] = [randomUUID(), randomUUID()]
  await server.sql(
    `with source as (
       insert into inbound_source (organization_id, id, pixel_id, name, preset, consent, status,
         token_digest, token_last4)
       values ($1, $2, $3, 'Bookings', 'generic', 'vouched', 'active', '\\x00', 'abcd'))
     insert into inbound_request (organization_id, source_id, id, received_at, records)
     values ($1, $2, $4, now(), 1)`,
    [organizationId, source, pixelId, request],
  )
  await server.sql(
    `insert into inbound_record (organization_id, source_id, request_id, place, outcome, key,
       address_hashes)
     values ($1, $2, $3, 0, 'person', '\\x00', $4::text[])`,
    [organizationId, source, request, [sha(jane.work), sha(ann)]],
  )
  await server.sql(
    `update person_address set person_hash = $2, is_link = false
     where organization_id = $1 and email_hash = $3`,
    [organizationId, sha(ann), sha(jane.hidden)],
  )

  const files = await filesOf(sha(jane.work))

  expect(files.get("inbound_records.json")).toContain(request)
  expect(files.get("imported_addresses.json")).toContain(sha(jane.hidden))
  expect([...files.values()].join("\n")).not.toContain(sha(ann))
})

it("a text that a spreadsheet would take for a formula begins with an apostrophe in CSV", async () => {
  await server.sql("update session set utm_term = '=HYPERLINK(1)' where organization_id = $1", [
    server.organizationId,
  ])

  const sessions = (await filesOf(sha(jane.work))).get("sessions.csv")!

  expect(sessions).toContain("'=HYPERLINK(1)")
  expect(sessions).not.toMatch(/[,\n]"?=HYPERLINK/)
})

it("is not for keys, members or viewers", async () => {
  for (const role of ["viewer", "member"] as const) {
    const { accessToken } = await server.makeUser(role)
    expect((await ask(sha(jane.work), { authorization: `Bearer ${accessToken}` })).status).toBe(403)
  }
  expect((await ask(sha(jane.work), { "x-api-key": server.apiKey })).status).toBe(401)
})

it("is 404 for whoever is unknown, and for whoever was erased", async () => {
  const headers = { authorization: `Bearer ${admin}` }
  expect((await ask(sha("unknown@a.example"), headers)).status).toBe(404)

  await server.sdk.visitors.erase(sha(tom))

  expect((await ask(sha(tom), headers)).status).toBe(404)
})
