// SQL for the delivery history of a webhook and for redelivery.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { newestFirst } from "../../../platform/database/lists.ts"
import type { DeliveryRecord, DeliveryStatus } from "../delivery-record.ts"
import type { WebhookKey } from "../store.ts"

export interface DeliveryRow extends DeliveryRecord {
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
  readonly hasPayload: boolean
}

/** Filters of the list. Without any, it lists everything. */
export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined
  /** SHA-256 of any of the person's addresses. */
  readonly visitorHash: string | undefined
}

/** A webhook, and what its history may be about. */
export interface HistoryKey extends WebhookKey {
  /** Undefined: every site. A webhook may have been for another site before. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
}

export interface DeliveryKey extends HistoryKey {
  readonly deliveryId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nothing = sql.literal("")

  const columns = sql.literal(`
    id, webhook_id as "webhookId", event, visitor_hash as "visitorHash",
    company_domain as "companyDomain", status, attempts,
    status_code as "statusCode", error_message as "errorMessage",
    response_snippet as "responseSnippet",
    case when leased_until is null then ${isoTime("next_attempt_at")} end as "nextAttemptAt",
    ${isoTime("created_at")} as "createdAt", ${isoTime("completed_at")} as "completedAt",
    created_at::text as "createdKey", payload is not null as "hasPayload"`)
  const matches = (organizationId: string, { status, visitorHash }: DeliveryFilter) => sql`
    ${status === undefined ? nothing : sql`and status = ${status}`}
    ${
      visitorHash === undefined
        ? nothing
        : sql`and visitor_id = (
            select address.visitor_id from visitor_address as address
            where address.organization_id = ${organizationId}
              and address.email_hash = ${visitorHash})`
    }`
  const isOf = ({ organizationId, pixelIds, webhookId }: HistoryKey) => sql`
    organization_id = ${organizationId} and webhook_id = ${webhookId}
    ${pixelIds === undefined ? nothing : sql`and pixel_id = any (${pixelIds}::uuid[])`}`
  const hasKey = (key: DeliveryKey) => sql`${isOf(key)} and id = ${key.deliveryId}`

  return {
    /** Newest first. */
    list: (key: HistoryKey, filter: DeliveryFilter) =>
      newestFirst<DeliveryRow>(sql, {
        columns,
        from: "webhook_delivery",
        where: sql`${isOf(key)} ${matches(key.organizationId, filter)}`,
      }),

    /** Includes the body that was sent, if it is still stored. */
    find: (
      key: DeliveryKey,
    ): Effect.Effect<(DeliveryRow & { readonly payload: string | null }) | undefined> =>
      sql<DeliveryRow & { readonly payload: string | null }>`
        select ${columns}, payload from webhook_delivery where ${hasKey(key)}`.pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      ),

    /** Locks the row until the caller's transaction ends. */
    findForChange: (key: DeliveryKey): Effect.Effect<DeliveryRow | undefined> =>
      sql<DeliveryRow>`
        select ${columns} from webhook_delivery where ${hasKey(key)} for update`.pipe(
        Effect.map((rows) => rows[0]),
        Effect.orDie,
      ),

    /** Queues one attempt. Call it after `findForChange`, in the same transaction. */
    requeue: (key: DeliveryKey): Effect.Effect<DeliveryRow> =>
      sql<DeliveryRow>`
        update webhook_delivery set status = 'queued', is_redelivery = true, mails = null,
          next_attempt_at = now(), completed_at = null, updated_at = now()
        where ${hasKey(key)}
        returning ${columns}`.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),
  }
})

export class HistoryStore extends Context.Service<HistoryStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/HistoryStore",
) {
  static readonly layer = Layer.effect(HistoryStore, make)
}
