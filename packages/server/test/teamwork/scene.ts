// An organization with people and companies to work on, made for each test.
import { Footfall } from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import type { TestServer } from "../support/server.ts"
import type { Person } from "../visitors/query/person.ts"
import { settle, someone } from "../visitors/query/scene.ts"

export const hourAgo = Date.now() - 3_600_000

export const makeScene = async (server: TestServer) => {
  const organization = await server.makeOrganization()

  /** People of companies named like their ids. */
  const seen = async (count: number, change: Partial<Person> = {}) => {
    const people = Array.from({ length: count }, () => someone([hourAgo], change))
    await settle(server, organization, people)
    return people
  }

  /** The domains of companies, each with its only person. Call it once, because `seen` names all companies. */
  const companies = async (count: number) => {
    const found = (await seen(count)).map((person) => ({
      person,
      domain: `quay-${randomUUID()}.example`,
    }))
    for (const { domain, person } of found) {
      for (const table of ["company", "company_pixel", "company_score"]) {
        await server.sql(`update ${table} set domain = $1 where domain = $2`, [domain, person.id])
      }
      await server.sql("update visitor set company_key = $1 where id = $2", [domain, person.id])
    }
    return found
  }

  return {
    organization,
    footfall: new Footfall({ baseUrl: server.url, apiKey: organization.apiKey }),
    seen,

    companies,
    company: async () => (await companies(1))[0]!,
    member: () => server.makeUser("viewer", organization.organizationId),
  }
}
