// People for tests of suppression, in plain SQL: only the fields that rules compare.
import { createHash, randomUUID } from "node:crypto"
import type { TestOrganization, TestServer } from "../support/server.ts"

export interface Person {
  /** Full addresses, the primary one first. */
  readonly emails?: ReadonlyArray<string>
  /** Hashes without a known address. The first is primary if there is no address. */
  readonly hashes?: ReadonlyArray<string>
  readonly companyDomain?: string
  readonly industry?: string
  /** Default: 1. */
  readonly daysAgo?: number
  readonly heldBack?: boolean
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Returns the primary hash: the visitor id of the API. */
export const insertPerson = async (
  server: TestServer,
  { organizationId }: TestOrganization,
  person: Person,
): Promise<string> => {
  const { companyDomain = null, daysAgo = 1, emails = [], hashes = [], industry = null } = person
  const id = randomUUID()
  const [email = null] = emails
  const all = [...emails.map(sha256), ...hashes]
  await server.sql(
    `insert into visitor (organization_id, id, email, email_hash, email_domain, company_domain,
       industry, held_back, first_seen_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() - make_interval(days => $9),
       now() - make_interval(days => $9))`,
    [
      organizationId,
      id,
      email,
      all[0],
      email?.split("@")[1] ?? null,
      companyDomain,
      industry,
      person.heldBack ?? false,
      daysAgo,
    ],
  )
  for (const [index, hash] of all.entries()) {
    await server.sql(
      `insert into visitor_address (organization_id, email_hash, visitor_id, email, first_seen_at)
       values ($1, $2, $3, $4, now())`,
      [organizationId, hash, id, emails[index] ?? null],
    )
  }
  return all[0]!
}
