// SQL that deletes webhook data past its retention (spec 1.2, 1.8). Each statement deletes one bounded batch and
// returns its size.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { companyQuietDays } from "../triggers/company-store.ts"

type Batch = Effect.Effect<number, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const size = Effect.map((rows: ReadonlyArray<unknown>) => rows.length)

  const forgetOfDeleted =
    (table: "webhook_company" | "webhook_question" | "webhook_visitor") =>
    (limit: number): Batch => {
      const of = sql(table === "webhook_company" ? "domain" : "visitor_id")
      return sql`
        delete from ${sql(table)} kept
        using (
          select one.organization_id, one.webhook_id, one.${of}
          from webhook w
          join ${sql(table)} one
            on one.organization_id = w.organization_id and one.webhook_id = w.id
          where w.deleted_at is not null
          limit ${limit}
        ) as left_over
        where kept.organization_id = left_over.organization_id
          and kept.webhook_id = left_over.webhook_id and kept.${of} = left_over.${of}
        returning 1`.pipe(size)
    }

  const isPast = sql`m.told_at <= now() - make_interval(days => ${companyQuietDays})
    and coalesce(m.viewed_at, '-infinity') <= now() - make_interval(days => ${companyQuietDays})`

  return {
    /** Deletes records that ended this many days ago, with their responses. */
    deleteRecords: (days: number, limit: number): Batch =>
      sql`
        delete from webhook_delivery d
        using (
          select organization_id, id from webhook_delivery
          where completed_at < now() - make_interval(days => ${days})
          limit ${limit}
        ) as old
        where d.organization_id = old.organization_id and d.id = old.id
        returning 1`.pipe(size),

    /** Deletes payloads created this many days ago. A delivery that is still queued gets a new one. */
    forgetPayloads: (days: number, limit: number): Batch =>
      sql`
        update webhook_delivery d set payload = null, payload_at = null
        from (
          select organization_id, id from webhook_delivery
          where payload_at < now() - make_interval(days => ${days})
          limit ${limit}
        ) as old
        where d.organization_id = old.organization_id and d.id = old.id
        returning 1`.pipe(size),

    /** Skips deliveries that deleted webhooks still have in the queue. */
    skipOfDeleted: (limit: number): Batch =>
      sql`
        update webhook_delivery d set status = 'skipped', completed_at = now(),
          leased_until = null, payload = null, payload_at = null, updated_at = now()
        from (
          select one.organization_id, one.id
          from webhook w
          join webhook_delivery one
            on one.organization_id = w.organization_id and one.webhook_id = w.id
          where w.deleted_at is not null and one.status = 'queued'
          limit ${limit}
        ) as left_over
        where d.organization_id = left_over.organization_id and d.id = left_over.id
        returning 1`.pipe(size),

    /** Deletes the record of people that deleted webhooks have been sent. */
    forgetOfDeleted: forgetOfDeleted("webhook_visitor"),

    /** Deletes the record of companies that deleted webhooks have been sent. */
    forgetCompaniesOfDeleted: forgetOfDeleted("webhook_company"),

    /** Deletes the record of companies whose next event may be sent again. */
    forgetCompanies: (limit: number): Batch =>
      sql`
        delete from webhook_company m
        using (
          select m.organization_id, m.webhook_id, m.domain
          from webhook_company m
          join webhook w on w.organization_id = m.organization_id and w.id = m.webhook_id
            and w.again is distinct from 'once'
          where ${isPast}
          limit ${limit}
        ) as old
        where m.organization_id = old.organization_id and m.webhook_id = old.webhook_id
          and m.domain = old.domain and ${isPast}
        returning 1`.pipe(size),

    /** Deletes pending segment evaluations of deleted webhooks. */
    forgetQuestionsOfDeleted: forgetOfDeleted("webhook_question"),

    // By then every pass that read the webhook before its deletion has ended.

    /** Deletes the rows of deleted webhooks that have no data left. */
    deleteDeleted: (limit: number): Batch =>
      sql`
        delete from webhook w
        using (
          select w.organization_id, w.id from webhook w
          where w.deleted_at < now() - interval '1 hour'
            and not exists (
              select from webhook_visitor m
              where m.organization_id = w.organization_id and m.webhook_id = w.id
            )
            and not exists (
              select from webhook_company m
              where m.organization_id = w.organization_id and m.webhook_id = w.id
            )
            and not exists (
              select from webhook_question q
              where q.organization_id = w.organization_id and q.webhook_id = w.id
            )
            and not exists (
              select from webhook_delivery d
              where d.organization_id = w.organization_id and d.webhook_id = w.id
            )
          limit ${limit}
        ) as deletable
        where w.organization_id = deletable.organization_id and w.id = deletable.id
        returning 1`.pipe(size),
  }
})

export class WebhookRetentionStore extends Context.Service<
  WebhookRetentionStore,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/WebhookRetentionStore") {
  static readonly layer = Layer.effect(WebhookRetentionStore, make)
}
