// The statements that take away what is not kept of webhooks any longer (spec 1.2, 1.8). Each
// works on one bounded batch and gives its size.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

type Batch = Effect.Effect<number, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const size = Effect.map((rows: ReadonlyArray<unknown>) => rows.length)

  const forgetOfDeleted =
    (table: "webhook_question" | "webhook_visitor") =>
    (limit: number): Batch =>
      sql`
        delete from ${sql(table)} kept
        using (
          select one.organization_id, one.webhook_id, one.visitor_id
          from webhook w
          join ${sql(table)} one
            on one.organization_id = w.organization_id and one.webhook_id = w.id
          where w.deleted_at is not null
          limit ${limit}
        ) as left_over
        where kept.organization_id = left_over.organization_id
          and kept.webhook_id = left_over.webhook_id and kept.visitor_id = left_over.visitor_id
        returning 1`.pipe(size)

  return WebhookRetentionStore.of({
    deleteRecords: (days, limit) =>
      sql`
        delete from webhook_delivery d
        using (
          select organization_id, id from webhook_delivery
          where completed_at < now() - make_interval(days => ${days})
          limit ${limit}
        ) as old
        where d.organization_id = old.organization_id and d.id = old.id
        returning 1`.pipe(size),

    forgetPayloads: (days, limit) =>
      sql`
        update webhook_delivery d set payload = null, payload_at = null
        from (
          select organization_id, id from webhook_delivery
          where payload_at < now() - make_interval(days => ${days})
          limit ${limit}
        ) as old
        where d.organization_id = old.organization_id and d.id = old.id
        returning 1`.pipe(size),

    skipOfDeleted: (limit) =>
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

    forgetOfDeleted: forgetOfDeleted("webhook_visitor"),
    forgetQuestionsOfDeleted: forgetOfDeleted("webhook_question"),

    // A pass that read it before it was deleted has ended by then.
    deleteDeleted: (limit) =>
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
              select from webhook_question q
              where q.organization_id = w.organization_id and q.webhook_id = w.id
            )
            and not exists (
              select from webhook_delivery d
              where d.organization_id = w.organization_id and d.webhook_id = w.id
            )
          limit ${limit}
        ) as gone
        where w.organization_id = gone.organization_id and w.id = gone.id
        returning 1`.pipe(size),
  })
})

export class WebhookRetentionStore extends Context.Service<
  WebhookRetentionStore,
  {
    /** Records that came to an end so many days ago, with their answers. */
    deleteRecords(days: number, limit: number): Batch
    /** Bodies made so many days ago; one still to be sent is made again then. */
    forgetPayloads(days: number, limit: number): Batch
    /** What deleted webhooks had queued. */
    skipOfDeleted(limit: number): Batch
    /** People that deleted webhooks were sent. */
    forgetOfDeleted(limit: number): Batch
    /** Whom their segments were still to be asked about. */
    forgetQuestionsOfDeleted(limit: number): Batch
    /** Deleted webhooks of which nothing is left. */
    deleteDeleted(limit: number): Batch
  }
>()("@footfall/server/webhooks/WebhookRetentionStore") {
  static readonly layer = Layer.effect(WebhookRetentionStore, make)
}
