// imports.run of the SDK against the real server (spec 5.14): both kinds, both formats, a longer stream, and the errors
// that a client gets while it is still sending.
import { Footfall, PermissionError } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let owner: Footfall

beforeAll(async () => {
  server = await startServer({ workers: false })
  const { accessToken } = await server.makeUser("owner")
  owner = new Footfall({ baseUrl: server.url, accessToken })
})
afterAll(() => server.close())

const hashOf = (email: string): string => createHash("sha256").update(email).digest("hex")

describe("imports.run", () => {
  it("people, as CSV text: counts every row, and changes nothing the second time", async () => {
    const csv = "email,firstName,company.name\na@acme.example,Ada,Acme\nno address,Ben,Acme\n"

    const first = await owner.imports.run("people", csv, { format: "csv" })
    const second = await owner.imports.run("people", csv, { format: "csv" })

    expect(first).toEqual({
      kind: "people",
      received: 2,
      inserted: 1,
      updated: 0,
      unchanged: 0,
      rejectedCount: 1,
      rejected: [{ row: 2, field: "email", reason: "invalid_value" }],
    })
    expect(second).toMatchObject({ inserted: 0, updated: 0, unchanged: 1, rejectedCount: 1 })
  })

  it("identity links, as NDJSON from a generator", async () => {
    async function* lines() {
      for (const value of ["crm-1", "crm-2"]) {
        const link = { kind: "external_id", value, emailHash: hashOf("a@acme.example") }
        yield `${JSON.stringify(link)}\n`
      }
    }

    const result = await owner.imports.run("identity-links", lines(), { format: "ndjson" })

    expect(result).toMatchObject({ kind: "identity-links", received: 2, inserted: 2 })
  })

  it("a stream of 20,000 people, in chunks cut anywhere", async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `{"email":"p${row}@many.example"}\n`)
    const bytes = Buffer.from(rows.join(""))
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
    }

    const result = await owner.imports.run("people", chunks(), { format: "ndjson" })

    expect(result).toMatchObject({ received: 20_000, inserted: 20_000, rejectedCount: 0 })
  })

  it.each([
    ["an admin", "admin" as const, { format: "csv" } as const],
    ["an owner who shares", "owner" as const, { format: "csv", shared: true } as const],
  ])("%s is rejected while an endless upload is in progress", async (_name, role, params) => {
    const { organizationId } = await server.makeOrganization()
    const { accessToken } = await server.makeUser(role, organizationId)
    const sdk = new Footfall({ baseUrl: server.url, accessToken })
    const ended = Promise.withResolvers<void>()
    async function* endless() {
      try {
        yield "email\n"
        for (let row = 0; ; row += 1) yield `p${row}@endless.example\n`.repeat(1_000)
      } finally {
        ended.resolve()
      }
    }

    await expect(sdk.imports.run("people", endless(), params)).rejects.toThrow(PermissionError)
    await ended.promise
  })
})
