// SQL for the emails of a delivery: one per recipient, each with its own outcome, which the delivery keeps while it is
// queued. An email that was handed over and has no outcome may have been sent, so it is not sent again.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Claim } from "../../../platform/jobs/queue.ts"
import { jobStore } from "../../../platform/jobs/store.ts"
import type { WebhookKey } from "../store.ts"
import { webhookQueue } from "./queue.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface MailState {
  /** `handed`: the handover has begun. */
  readonly state: "handed" | "refused" | "sent" | "unknown"
  /** Why it was not sent, or may not have been. */
  readonly message: string | null
}

export interface MailRecipient {
  readonly userId: string
  readonly email: string
}

/** What the emails of one delivery need. */
export interface DueMails {
  readonly webhookName: string
  /** Who takes turns with others. */ // spec 10.4
  readonly party: string
  readonly recipients: ReadonlyArray<MailRecipient>
  /** By user id. */
  readonly states: ReadonlyMap<string, MailState>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { held } = jobStore(sql, webhookQueue)
  const isOne = Effect.map((rows: ReadonlyArray<unknown>) => rows.length === 1)
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

  const recipients = ({ organizationId, webhookId }: WebhookKey) =>
    sql<MailRecipient>`
      select member.user_id as "userId", user_account.email
      from webhook
      join member on member.organization_id = webhook.organization_id
        and member.user_id = any (webhook.recipients) and member.accepted_at is not null
      join user_account on user_account.id = member.user_id
      where webhook.organization_id = ${organizationId} and webhook.id = ${webhookId}
      order by array_position(webhook.recipients, member.user_id)`

  return {
    /** The members who get the webhook's emails, in the order of the webhook. */
    recipients,

    /** Undefined if the claim no longer holds the delivery. */
    due: Effect.fnUntraced(function* (claim: Claim & WebhookKey) {
      const [row] = yield* sql<{
        readonly webhookName: string
        readonly party: string
        readonly states: Readonly<Record<string, MailState>>
      }>`
        select webhook.name as "webhookName", organization.party, coalesce(mails, '{}') as states
        from webhook_delivery
        join webhook on webhook.organization_id = ${claim.organizationId}
          and webhook.id = ${claim.webhookId}
        join organization on organization.id = webhook.organization_id
        where webhook_delivery.organization_id = ${claim.organizationId}
          and webhook_delivery.id = ${claim.id}
          and webhook_delivery.claim = ${claim.claim}::text::bigint and leased_until is not null`
      if (row === undefined) return undefined
      const { states, ...due } = row
      return {
        ...due,
        recipients: yield* recipients(claim),
        states: new Map(Object.entries(states)),
      } satisfies DueMails
    }),

    /**
     * Records that the handover to the mail server begins. False if the member is no longer a recipient, or the claim
     * no longer holds the delivery.
     */
    startHandover: (claim: Claim & WebhookKey, userId: string): Result<boolean> =>
      isOne(sql`
        update webhook_delivery set mails = coalesce(mails, '{}')
          || ${json({ [userId]: { state: "handed", message: null } satisfies MailState })}
        where ${held(claim)} and exists (
          select from webhook w
          where w.organization_id = ${claim.organizationId} and w.id = ${claim.webhookId}
            and ${userId}::uuid = any (w.recipients)
        )
        returning 1`),

    /** Undefined: the server did not accept it, and it may be sent again. */
    record: (claim: Claim, userId: string, state: MailState | undefined): Result<void> =>
      Effect.asVoid(sql`
        update webhook_delivery set mails = ${
          state === undefined
            ? sql`mails - ${userId}::text`
            : sql`coalesce(mails, '{}') || ${json({ [userId]: state })}`
        }
        where ${held(claim)}`),
  }
})

export class AlertMailStore extends Context.Service<AlertMailStore, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/AlertMailStore",
) {
  static readonly layer = Layer.effect(AlertMailStore, make)
}
