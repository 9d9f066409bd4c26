// A person with sessions, written straight to the tables of a running server.
import { randomUUID } from "node:crypto"
import { hashEmail } from "../../../src/collect/visits/email-address.ts"
import type { TestOrganization, TestServer } from "../../support/server.ts"

export interface Person {
  readonly id: string
  readonly email: string
  /** SHA-256 of the primary address. */
  readonly visitorId: string
}

export interface SessionsOf {
  readonly person: Person
  /** ISO 8601. Every session begins at this time. */
  readonly startedAt: string
  readonly endedAt?: string
  readonly pixelId?: string
  readonly count?: number
  /** Page views of the first session, and one more for each after it, to tell them apart. */
  readonly pageviewsFrom?: number
}

/** An identified person of an organization, without sessions. */
export const putPerson = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId }: Pick<TestOrganization, "organizationId">,
  email = `${randomUUID()}@acme.example`,
): Promise<Person> => {
  const id = randomUUID()
  const hash = hashEmail(email)
  await sql(
    `insert into visitor (organization_id, id, email, email_hash, email_sha1, email_md5,
       first_seen_at, last_seen_at)
     values ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now()),
       date_trunc('milliseconds', now()))`,
    [organizationId, id, email, hash.sha256, hash.sha1, hash.md5],
  )
  await putAddress({ sql }, { organizationId }, id, email)
  return { id, email, visitorId: hash.sha256 }
}

/** Another address of a person. Returns its hash. */
export const putAddress = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId }: Pick<TestOrganization, "organizationId">,
  visitorId: string,
  email: string,
): Promise<string> => {
  const { sha256 } = hashEmail(email)
  await sql(
    `insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
     values ($1, $2, $3, $4, 'business', now())`,
    [organizationId, sha256, visitorId, email],
  )
  return sha256
}

/** Sessions of a person, all at the same times. One statement for any number. */
export const putSessions = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId, pixelId }: TestOrganization,
  sessions: SessionsOf,
): Promise<void> => {
  const { count = 1, pageviewsFrom = 1, person, startedAt } = sessions
  await sql(
    `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
       ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
       entry_url, exit_url, channel, device_type, converted)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), $3, $4, $5, $6::int + n, 1, 0, 0, '{}', '{}',
       'https://tidewater.example/', 'https://tidewater.example/', 'direct', 'desktop', false
     from generate_series(0, $7::int - 1) as n`,
    [
      organizationId,
      sessions.pixelId ?? pixelId,
      person.id,
      startedAt,
      sessions.endedAt ?? startedAt,
      pageviewsFrom,
      count,
    ],
  )
}

/** That a person was seen on a pixel. `lastSeenAt`: default now. */
export const putPlace = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId, pixelId }: Pick<TestOrganization, "organizationId" | "pixelId">,
  { id }: Pick<Person, "id">,
  lastSeenAt?: string,
): Promise<void> => {
  await sql(
    `insert into visitor_pixel
       (organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at)
     select organization_id, id, $3, email_hash, coalesce($4::timestamptz, first_seen_at),
       coalesce($4::timestamptz, last_seen_at)
     from visitor where organization_id = $1 and id = $2`,
    [organizationId, id, pixelId, lastSeenAt ?? null],
  )
}

/** Another pixel of an organization. Returns its id. */
export const putPixel = async (
  { sql }: TestServer,
  { organizationId }: TestOrganization,
  domain: string,
): Promise<string> => {
  const id = randomUUID()
  await sql("insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, $3)", [
    organizationId,
    id,
    domain,
  ])
  return id
}
