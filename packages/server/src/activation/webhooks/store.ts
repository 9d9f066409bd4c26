// SQL that creates, reads and updates webhooks. Deleted webhooks are invisible here; their remaining rows are deleted
// later (retention/store.ts).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { textArray } from "../../platform/database/text-array.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import type { RuleSubject } from "../../people/visitors/query/predicate.ts"
import {
  type Again,
  isSigned,
  successRateOf,
  type Trigger,
  type Webhook,
  type WebhookStatus,
  type DigestPeriod,
  type Format,
} from "./webhook.ts"

/** Queued deliveries skipped together with their webhook; the rest are skipped in the background. */
const skippedAtOnceMax = 5_000

export interface WebhookKey {
  readonly organizationId: string
  readonly webhookId: string
}

/** What a request sets. */
export interface WebhookContent {
  readonly name: string
  readonly url: string | null
  readonly recipients: ReadonlyArray<string> | null
  readonly trigger: Trigger
  readonly path: string | null
  readonly minSeconds: number | null
  readonly segmentId: string | null
  readonly listId: string | null
  readonly identified: Webhook["identified"]
  readonly again: Again | null
  readonly pixelId: string | null
  readonly format: Format
  readonly digest: DigestPeriod
  readonly digestHour: number | null
  readonly digestDay: number | null
  readonly timeoutMs: number
  readonly status: WebhookStatus
}

/** Encrypted. The previous secret is null once it no longer signs. */
export interface SealedSecrets {
  readonly secret: Uint8Array
  readonly formerSecret: Uint8Array | null
}

interface Row extends WebhookContent {
  readonly pixelDeleted: boolean
  readonly id: string
  readonly organizationId: string
  readonly succeeded: number
  readonly failed: number
  readonly consecutiveFailures: number
  readonly failedAttempts: number
  readonly lastDeliveredAt: string | null
  readonly lastErrorAt: string | null
  readonly lastErrorMessage: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    id, organization_id as "organizationId", name, url, recipients, trigger, path,
    min_seconds as "minSeconds", segment_id as "segmentId", list_id as "listId", identified, again,
    pixel_id as "pixelId",
    exists (
      select from pixel
      where pixel.organization_id = webhook.organization_id and pixel.id = webhook.pixel_id
        and pixel.deleted_at is not null
    ) as "pixelDeleted",
    format, digest, digest_hour as "digestHour", digest_day as "digestDay", status,
    timeout_ms as "timeoutMs", succeeded::float8, failed::float8,
    consecutive_failures as "consecutiveFailures", failed_attempts as "failedAttempts",
    ${isoTime("last_delivered_at")} as "lastDeliveredAt",
    ${isoTime("last_error_at")} as "lastErrorAt", last_error_message as "lastErrorMessage",
    ${isoTime("created_at")} as "createdAt", ${isoTime("updated_at")} as "updatedAt"`)
  const hasKey = ({ organizationId, webhookId }: WebhookKey) => sql`
    organization_id = ${organizationId} and id = ${webhookId} and deleted_at is null`
  const one = Effect.map((rows: ReadonlyArray<Row>) =>
    rows[0] === undefined ? undefined : webhookOf(rows[0]),
  )
  const isOne = Effect.map((rows: ReadonlyArray<unknown>) => rows.length === 1)
  const uuids = (ids: ReadonlyArray<string> | null) =>
    ids === null ? sql`null::uuid[]` : sql`${textArray(ids)}::text::uuid[]`

  return {
    /** Newest first. */
    list: (organizationId: string): Effect.Effect<ReadonlyArray<Webhook>> =>
      sql<Row>`
        select ${columns} from webhook
        where organization_id = ${organizationId} and deleted_at is null
        order by created_at desc, id desc`.pipe(
        Effect.map((rows) => rows.map(webhookOf)),
        Effect.orDie,
      ),

    /** Undefined for an unknown id, a deleted webhook, or a webhook of another organization. */
    find: (key: WebhookKey): Effect.Effect<Webhook | undefined> =>
      sql<Row>`select ${columns} from webhook where ${hasKey(key)}`.pipe(one, Effect.orDie),

    /** Like `find`, and locks the row until the caller's transaction ends. */
    findForChange: (key: WebhookKey): Effect.Effect<Webhook | undefined> =>
      sql<Row>`select ${columns} from webhook where ${hasKey(key)} for no key update`.pipe(
        one,
        Effect.orDie,
      ),

    /** Counts the webhooks and blocks other creations until the caller's transaction ends. */
    countForCreation: (organizationId: string): Effect.Effect<number> =>
      Effect.andThen(
        sql`select from organization where id = ${organizationId} for no key update`,
        sql<{ readonly count: number }>`
          select count(*)::int as count from webhook
          where organization_id = ${organizationId} and deleted_at is null`,
      ).pipe(
        Effect.map(([row]) => row!.count),
        Effect.orDie,
      ),

    /**
     * What the organization's segment contains; undefined if there is none. Keeps the segment from being deleted until
     * the transaction ends.
     */
    subjectOfSegment: (
      organizationId: string,
      segmentId: string,
    ): Effect.Effect<RuleSubject | undefined> =>
      sql<{ readonly subject: RuleSubject }>`
        select subject from segment
        where organization_id = ${organizationId} and id = ${segmentId}
        for key share`.pipe(
        Effect.map(([row]) => row?.subject),
        Effect.orDie,
      ),

    /**
     * Which of the ids are of members who accepted their invitation. Keeps them members until the transaction ends. Call
     * it before any webhook is locked: a member who leaves locks in this order too.
     */
    keepsMembers: (
      organizationId: string,
      userIds: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlySet<string>> =>
      sql<{ readonly userId: string }>`
        select user_id as "userId" from member
        where organization_id = ${organizationId} and user_id = any (${uuids(userIds)})
          and accepted_at is not null
        for share`.pipe(
        Effect.map((rows) => new Set(rows.map(({ userId }) => userId))),
        Effect.orDie,
      ),

    /** A webhook without recipients sends nothing. False if the user was none of them. */
    dropRecipient: (key: WebhookKey, userId: string): Effect.Effect<boolean> =>
      sql`
        update webhook set recipients = array_remove(recipients, ${userId}::uuid),
          status = case when recipients = array[${userId}::uuid] then 'inactive' else status end,
          updated_at = now()
        where ${hasKey(key)} and ${userId}::uuid = any (recipients)
        returning 1`.pipe(isOne, Effect.orDie),

    insert: (
      key: WebhookKey,
      content: WebhookContent,
      { secret }: Pick<SealedSecrets, "secret">,
    ): Effect.Effect<Webhook> =>
      sql<Row>`
        insert into webhook (organization_id, id, name, url, recipients, trigger, path, min_seconds,
          segment_id, list_id, identified, again, pixel_id, format, digest, digest_hour, digest_day, status,
          timeout_ms, secret)
        values (${key.organizationId}, ${key.webhookId}, ${content.name}, ${content.url},
          ${uuids(content.recipients)}, ${content.trigger}, ${content.path}, ${content.minSeconds},
          ${content.segmentId}, ${content.listId}, ${content.identified}, ${content.again}, ${content.pixelId},
          ${content.format}, ${content.digest}, ${content.digestHour}, ${content.digestDay},
          ${content.status}, ${content.timeoutMs}, ${secret})
        returning ${columns}`.pipe(
        Effect.map(([row]) => webhookOf(row!)),
        Effect.orDie,
      ),

    /**
     * Call it after `findForChange`, in the same transaction. Reactivating a webhook or changing where it sends resets
     * the time it has been failing; reactivating one that the server disabled resets its failures too. Page views before a
     * reactivation or a change of what is sent are not sent.
     */ // spec 4.6
    update: (key: WebhookKey, content: WebhookContent): Effect.Effect<Webhook> =>
      sql<Row>`
        update webhook set
          name = ${content.name}, url = ${content.url}, recipients = ${uuids(content.recipients)},
          trigger = ${content.trigger}, path = ${content.path}, min_seconds = ${content.minSeconds},
          segment_id = ${content.segmentId}, list_id = ${content.listId},
          identified = ${content.identified}, again = ${content.again},
          pixel_id = ${content.pixelId},
          watched_from = case
            when status <> 'active' and ${content.status} = 'active'
              or (trigger, path, min_seconds, segment_id, list_id, identified, pixel_id)
                is distinct from (${content.trigger}::text, ${content.path}::text,
                  ${content.minSeconds}::int, ${content.segmentId}::uuid, ${content.listId}::uuid,
                  ${content.identified}::text, ${content.pixelId}::uuid)
              then clock_timestamp()
            else watched_from end,
          format = ${content.format}, digest = ${content.digest},
          digest_hour = ${content.digestHour}, digest_day = ${content.digestDay},
          timeout_ms = ${content.timeoutMs}, status = ${content.status},
          consecutive_failures = case
            when status = 'auto_disabled' and ${content.status} = 'active' then 0
            else consecutive_failures end,
          failing_since = case
            when status <> 'active' and ${content.status} = 'active'
              or (url, recipients) is distinct from
                (${content.url}::text, ${uuids(content.recipients)}) then null
            else failing_since end,
          failed_attempts = case
            when status <> 'active' and ${content.status} = 'active'
              or (url, recipients) is distinct from
                (${content.url}::text, ${uuids(content.recipients)}) then 0
            else failed_attempts end,
          updated_at = now()
        where ${hasKey(key)}
        returning ${columns}`.pipe(
        Effect.map(([row]) => webhookOf(row!)),
        Effect.orDie,
      ),

    /** The secrets that sign now; undefined when the webhook does not exist. */
    secrets: (key: WebhookKey): Effect.Effect<SealedSecrets | undefined> =>
      sql<SealedSecrets>`
        select secret, case when former_secret_until > now() then former_secret end
          as "formerSecret"
        from webhook where ${hasKey(key)}`.pipe(
        Effect.map(([row]) => row),
        Effect.orDie,
      ),

    /** Makes the current secret the previous one for this many hours. Call it after `findForChange`. */
    rotateSecret: (
      key: WebhookKey,
      { graceHours, secret }: { readonly secret: Uint8Array; readonly graceHours: number },
    ): Effect.Effect<Webhook> =>
      sql<Row>`
        update webhook set
          former_secret = case when ${graceHours}::int > 0 then secret end,
          former_secret_until = case
            when ${graceHours}::int > 0 then now() + make_interval(hours => ${graceHours}::int) end,
          secret = ${secret},
          updated_at = now()
        where ${hasKey(key)}
        returning ${columns}`.pipe(
        Effect.map(([row]) => webhookOf(row!)),
        Effect.orDie,
      ),

    /** Deletes its secrets, and skips its queue. False if it does not exist. */
    delete: ({ organizationId, webhookId }: WebhookKey): Effect.Effect<boolean> =>
      sql`
        with deleted as (
          update webhook set deleted_at = now(), status = 'inactive', segment_id = null,
            list_id = null, recipients = case when recipients is not null then '{}'::uuid[] end,
            secret = '', former_secret = null, updated_at = now()
          where ${hasKey({ organizationId, webhookId })}
          returning organization_id, id
        ), queued as materialized (
          select d.organization_id, d.id
          from deleted
          join webhook_delivery d on d.organization_id = deleted.organization_id
            and d.webhook_id = deleted.id
          where d.status = 'queued'
          order by d.created_at desc, d.id desc
          limit ${sql.literal(String(skippedAtOnceMax))}
          for update of d
        ), skipped as (
          update webhook_delivery d set status = 'skipped', completed_at = now(),
            leased_until = null, payload = null, payload_at = null, updated_at = now()
          from queued
          where d.organization_id = queued.organization_id and d.id = queued.id
        )
        select from deleted`.pipe(isOne, Effect.orDie),

    /** Ids of the webhooks that use the segment, oldest first. */
    usingSegment: (
      organizationId: string,
      segmentId: string,
    ): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        select id from webhook
        where organization_id = ${organizationId} and segment_id = ${segmentId}
        order by created_at, id`.pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie,
      ),

    /** Ids of the webhooks that use the list, oldest first. */
    usingList: (organizationId: string, listId: string): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        select id from webhook
        where organization_id = ${organizationId} and list_id = ${listId}
        order by created_at, id`.pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie,
      ),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

const webhookOf = (row: Row): Webhook => {
  const { consecutiveFailures, createdAt, failed, lastDeliveredAt, lastErrorAt, ...rest } = row
  const { failedAttempts, lastErrorMessage, succeeded, updatedAt, timeoutMs, ...content } = rest
  return {
    ...content,
    signingVersion: isSigned(row.format) ? "v1" : null,
    timeoutMs,
    stats: {
      deliveries: succeeded + failed,
      succeeded,
      failed,
      successRate: successRateOf(succeeded, failed),
      consecutiveFailures,
      lastDeliveredAt,
      lastErrorAt,
      lastErrorMessage,
    },
    retrying:
      row.status !== "active" || failedAttempts === 0
        ? null
        : { count: failedAttempts, errorMessage: lastErrorMessage, at: lastErrorAt },
    createdAt,
    updatedAt,
  }
}

export class WebhookStore extends Context.Service<WebhookStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/WebhookStore",
) {
  static readonly layer = Layer.effect(WebhookStore, make)
}
