// Writes topics, people and signals for tests over HTTP straight to the tables.
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import type { TestOrganization, TestServer } from "../support/server.ts"

export const shared = { organizationId: sharedOrganizationId }

type Owner = Pick<TestOrganization, "organizationId">

export const putTopics = async ({ sql }: TestServer, topicIds: ReadonlyArray<number>) => {
  await sql(
    `insert into topic (topic_id, topic_name, type, industry, category)
     select id, 'Topic ' || id, 'b2b', 'logistics', 'software' from unnest($1::int[]) as id
     on conflict do nothing`,
    [topicIds],
  )
  await raise(sql, "topics")
}

/** Writes a person as an import does. */
export const putPerson = async (
  { sql }: TestServer,
  { organizationId }: Owner,
  email: string,
  columns: Readonly<Record<string, unknown>> = {},
) => {
  await sql(
    `insert into person
     select * from jsonb_populate_record(null::person, $1::jsonb)
     on conflict (organization_id, email_hash) do nothing`,
    [
      JSON.stringify({
        organization_id: organizationId,
        email_hash: emailHashOf(email),
        email,
        emails: [],
        phones: [],
        updated_at: "2026-03-01T00:00:00Z",
        ...columns,
      }),
    ],
  )
  await raise(sql, "people")
  await sql(
    `insert into people_version as present (organization_id, version) values ($1, 1)
     on conflict (organization_id) do update set version = present.version + 1`,
    [organizationId],
  )
}

export interface SignalOf {
  readonly email: string
  readonly topicId: number
  readonly score: number
}

/** `date`: `YYYY-MM-DD`. Replaces the organization's signals of that date and origin. */
export const putSignals = async (
  { sql }: TestServer,
  { organizationId }: Owner,
  signals: ReadonlyArray<SignalOf>,
  { date = today, origin = "import" }: { readonly date?: string; readonly origin?: string } = {},
) => {
  const signal = `jsonb_to_recordset($2::jsonb) as signal (hash text, "topicId" int, score int)`
  const rows = JSON.stringify(
    signals.map(({ email, ...one }) => ({ ...one, hash: emailHashOf(email) })),
  )
  await sql(
    `insert into signal_person (email_hash, organization_ids)
     select distinct decode(hash, 'hex'), array[$1::uuid] from ${signal} on conflict do nothing`,
    [organizationId, rows],
  )
  const day = [organizationId, date, origin]
  const where = "organization_id = $1 and date = $2 and origin = $3"
  await sql(`delete from signal where ${where}`, day)
  await sql(`delete from signal_date where ${where}`, day)
  await sql(
    `insert into signal (organization_id, date, origin, topic_id, score, people)
     select $1, $3::date, $4, "topicId", score, array_agg(id order by id)
     from ${signal} join signal_person on email_hash = decode(hash, 'hex')
     group by "topicId", score`,
    [organizationId, rows, date, origin],
  )
  await sql(
    `insert into signal_date (organization_id, date, origin, signals)
     values ($1, $2, $3, ${signals.length})`,
    day,
  )
  await raise(sql, "signals")
}

export const raise = (sql: TestServer["sql"], kind: string) =>
  sql("update data_version set version = version + 1 where kind = $1", [kind])

export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export const today = daysAgo(0)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // A test asserts what it reads.
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>>
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly details?: {
        readonly issues?: ReadonlyArray<{
          readonly path: string
          readonly code: string
          readonly message: string
          readonly allowed?: ReadonlyArray<string>
        }>
        readonly unknownTopicIds?: ReadonlyArray<number>
      }
    }
  }
}

/** Sends a body with an API key. Default: the key of the server's organization. */
export const post = async (
  { apiKey, url }: Pick<TestServer, "apiKey" | "url">,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = { "x-api-key": apiKey },
): Promise<Answer> => {
  const response = await fetch(`${url}/v1/intent/audiences/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer["body"],
  }
}
