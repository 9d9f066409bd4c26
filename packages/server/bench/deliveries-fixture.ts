// Creates completed runs with a given number of people, plus an audience and a webhook destination, in SQL.
import { randomUUID } from "node:crypto"
import {
  configHash,
  type WebhookDestinationConfig,
} from "../src/activation/destinations/destination.ts"
import type { Topic } from "../src/intent/topics/topic.ts"
import { query } from "./database.ts"

export interface DeliveryFixture {
  readonly organizationId: string
  readonly audienceId: string
  readonly destinationId: string
  /** Both have the same people. Every hundredth person has another job in the second run. */
  readonly runIds: readonly [string, string]
}

export const fixtureTopics = [1204, 3377].map((topicId): Topic => ({
  topicId,
  topicName: `Warehouse Management ${topicId}`,
  type: "b2b",
  industry: "logistics",
  category: "software",
}))

const insertRun = async (
  database: string,
  { audienceId, organizationId }: Pick<DeliveryFixture, "audienceId" | "organizationId">,
  run: { readonly id: string; readonly people: number; readonly job: string },
): Promise<void> => {
  await query(
    database,
    `insert into audience_run (organization_id, id, audience_id, status, run_type, config, config_hash,
       topics, data_date, has_signals, result_count, idempotency_key, completed_at)
     values ($1, $2::uuid, $3, 'completed', 'manual', '{}', '', $4, '2026-03-10', true, $5, $2::uuid::text, clock_timestamp())`,
    [organizationId, run.id, audienceId, JSON.stringify(fixtureTopics), run.people],
  )
  await query(
    database,
    `insert into run_result (organization_id, run_id, position, hashed_email, first_name, last_name,
       email, business_email, email_status, phone, job_title, seniority, department, company_name,
       company_domain, company_industry, company_industry_group, company_revenue_range, company_size,
       city, state, country, is_b2b, score, topic_overlap, matched_topics)
     select $1, $2, n, sha256(convert_to('person' || n || '@harbor.example', 'UTF8')), 'Jane', 'Mercer ' || n,
       'person' || n || '@harbor.example', 'person' || n || '@harbor.example', 'valid', '+14155550134',
       case when n % 100 = 0 then $4 else 'VP Operations' end, 'vp', 'operations', 'Harbor Logistics',
       'harbor-logistics.example', 'maritime transportation', 'transportation and logistics',
       '50 million to 100 million', '201-500', 'San Francisco', 'CA', 'US', 'y', 100 - n % 30, 2,
       '{1204,3377}'
     from generate_series(1, $3::int) as n`,
    [organizationId, run.id, run.people, run.job],
  )
}

/** `secret`: sealed; omitted if nothing will be sent. */
export const makeDeliveryFixture = async (
  database: string,
  options: {
    readonly people: number
    readonly url: string
    readonly seal?: (organizationId: string, destinationId: string) => Uint8Array
  },
): Promise<DeliveryFixture> => {
  const organizationId = randomUUID()
  const audienceId = randomUUID()
  const destinationId = randomUUID()
  const runIds = [randomUUID(), randomUUID()] as const
  const config: WebhookDestinationConfig = {
    destinationType: "webhook",
    url: options.url,
    eventTypes: [
      "intent.audience.sync.started",
      "intent.audience.contact.upserted",
      "intent.audience.sync.completed",
    ],
    timeoutMs: 10_000,
  }
  const { destinationType, ...stored } = config
  await query(
    database,
    "insert into organization (id, name, slug) values ($1::uuid, 'Bench', $1::uuid::text)",
    [organizationId],
  )
  await query(
    database,
    "insert into audience (organization_id, id, name, status, config) values ($1, $2, 'Buyers', 'active', '{}')",
    [organizationId, audienceId],
  )
  await query(
    database,
    `insert into destination (organization_id, id, audience_id, name, destination_type, status,
       validation_policy, config, approved_config_hash, secret)
     values ($1, $2, $3, 'Sink', $4, 'active', 'none', $5, $6, $7)`,
    [
      organizationId,
      destinationId,
      audienceId,
      destinationType,
      JSON.stringify(stored),
      configHash(config),
      options.seal?.(organizationId, destinationId) ?? null,
    ],
  )
  const { people } = options
  await insertRun(
    database,
    { audienceId, organizationId },
    { id: runIds[0], people, job: "VP Operations" },
  )
  await insertRun(database, { audienceId, organizationId }, { id: runIds[1], people, job: "Chief" })
  return { organizationId, audienceId, destinationId, runIds }
}
