// Writes a queued delivery straight to the tables: a new organization with an active webhook and a completed run of
// this many people. For tests with many contacts, many organizations, or servers in other processes.
import { createHash, randomUUID } from "node:crypto"
import { configHash } from "../../src/activation/destinations/destination.ts"
import type { ClaimRoom } from "../../src/activation/deliveries/sql/queue.ts"
import { sealSecret } from "../../src/activation/destinations/webhook-secret.ts"
import { dataKeysIn } from "../support/data-keys.ts"
import { testSecret } from "../support/server.ts"

export interface QueuedDelivery {
  readonly organizationId: string
  readonly audienceId: string
  readonly destinationId: string
  readonly runId: string
  readonly deliveryId: string
}

export interface QueuedDeliveryOptions {
  readonly url: string
  readonly contacts: number
  /** Default: 10 seconds. */
  readonly timeoutMs?: number
  /** Default: a new one. */
  readonly organizationId?: string
  /** Who created the new organization. Default: unknown. */
  readonly createdBy?: string
}

/** A process with a place for any delivery. */
export const anyRoom: ClaimRoom = {
  parties: [],
  prompt: [],
  hasRoomForSlow: true,
  partiesOfSlow: [],
}

type Sql = (text: string, values: ReadonlyArray<unknown>) => Promise<unknown>

const eventTypes = ["intent.audience.contact.upserted"] as const
const secret = `whsec_${createHash("sha256").update("test").digest("base64")}`

export const queueDelivery = async (
  sql: Sql,
  { contacts, timeoutMs = 10_000, url, ...options }: QueuedDeliveryOptions,
): Promise<QueuedDelivery> => {
  const organizationId = options.organizationId ?? randomUUID()
  const [audienceId, destinationId, runId, deliveryId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ]
  const dataKeys = await dataKeysIn(sql, testSecret)
  const config = { url, eventTypes, timeoutMs }
  if (options.organizationId === undefined) {
    await sql(
      "insert into organization (id, name, slug, created_by) values ($1::uuid, 'T', $1::text, $2)",
      [organizationId, options.createdBy ?? null],
    )
  }
  await sql(
    `insert into audience (organization_id, id, name, status, config)
     values ($1, $2, 'Buyers', 'active', '{}')`,
    [organizationId, audienceId],
  )
  await sql(
    `insert into destination (organization_id, id, audience_id, name, destination_type, status,
       validation_policy, config, approved_config_hash, secret)
     values ($1, $2, $3, 'CRM', 'webhook', 'active', 'none', $4, $5, $6)`,
    [
      organizationId,
      destinationId,
      audienceId,
      JSON.stringify(config),
      configHash({ destinationType: "webhook", ...config }),
      Buffer.from(sealSecret(dataKeys, { organizationId, destinationId }, secret)),
    ],
  )
  await sql(
    `insert into audience_run (organization_id, id, audience_id, status, run_type, config,
       config_hash, topics, data_date, has_signals, result_count, idempotency_key, completed_at)
     values ($1, $2, $3, 'completed', 'manual', '{}', '', '[]', '2026-03-10', true, $4, 'one', now())`,
    [organizationId, runId, audienceId, contacts],
  )
  await sql(
    `insert into run_result (organization_id, run_id, position, hashed_email, email, score,
       topic_overlap, matched_topics)
     select $1, $2, n, sha256(('p' || n || '@harbor.example')::bytea), 'p' || n || '@harbor.example',
       90, 1, '{}'
     from generate_series(1, $3::int) as n`,
    [organizationId, runId, contacts],
  )
  await sql(
    `insert into delivery (organization_id, id, audience_id, destination_id,
       destination_config_revision, source_run_id, mode)
     values ($1, $2, $3, $4, 1, $5, 'initial')`,
    [organizationId, deliveryId, audienceId, destinationId, runId],
  )
  return { organizationId, audienceId, destinationId, runId, deliveryId }
}
