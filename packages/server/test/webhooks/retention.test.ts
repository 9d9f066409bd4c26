// How long data about webhooks is kept: WEBHOOK_LOG_DAYS, WEBHOOK_PAYLOAD_DAYS, and what deleted webhooks leave behind
// (spec 1.2, 1.8, 5.6).
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { WebhookRetentionStore } from "../../src/activation/webhooks/retention/store.ts"
import {
  WebhookDays,
  WebhookRetention,
} from "../../src/activation/webhooks/retention/webhook-retention.ts"
import { PageViewStore } from "../../src/activation/webhooks/triggers/page-view-store.ts"
import { SessionEndStore } from "../../src/activation/webhooks/triggers/session-end-store.ts"
import { TestDatabase } from "../support/database.ts"

const testLayer = WebhookRetention.layer.pipe(
  Layer.provide([WebhookRetentionStore.layer, SessionEndStore.layer, PageViewStore.layer]),
  Layer.provide(Layer.succeed(WebhookDays, { log: 20, payload: 3 })),
  Layer.provideMerge(TestDatabase.layer),
)

const apply = Effect.flatMap(WebhookRetention, (retention) => retention.apply)

/** `deleted`: how many hours ago. */
const makeWebhook = Effect.fnUntraced(function* (deleted: number | null = null) {
  const sql = yield* SqlClient.SqlClient
  const webhook = { organizationId: randomUUID(), id: randomUUID() }
  yield* sql`
    insert into organization (id, name, slug)
    values (${webhook.organizationId}, 'Tidewater', ${webhook.organizationId})`
  yield* sql`
    insert into webhook (organization_id, id, name, url, trigger, status, timeout_ms, secret,
      deleted_at)
    values (${webhook.organizationId}, ${webhook.id}, 'CRM', 'https://a.example', 'first_match',
      'active', 1000, '', now() - make_interval(hours => ${deleted}::int))`
  return webhook
})
type Webhook = Effect.Success<ReturnType<typeof makeWebhook>>

/** Ages are in days. Null: it has not happened. */
const deliver = Effect.fnUntraced(function* (
  webhook: Webhook,
  name: string,
  { completed, made }: { readonly completed: number | null; readonly made: number | null },
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id, status,
      visitor_hash, payload, payload_at, next_attempt_at, completed_at, created_at)
    values (${webhook.organizationId}, gen_random_uuid(), ${webhook.id}, 'visitor.identified',
      'first_match', gen_random_uuid(), ${completed === null ? "queued" : "succeeded"}, ${name},
      ${made === null ? null : "{}"}, now() - ${made}::float8 * interval '1 day', now(),
      now() - ${completed}::float8 * interval '1 day', now() - interval '400 days')`
})

const left = Effect.fnUntraced(function* ({ id }: Webhook) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{
    readonly name: string
    readonly status: string
    readonly payload: string | null
    readonly isMade: boolean
  }>`
    select visitor_hash as name, status, payload, payload_at is not null as "isMade"
    from webhook_delivery where webhook_id = ${id} order by visitor_hash`
})

const isThere = Effect.fnUntraced(function* ({ id }: Webhook) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select from webhook where id = ${id}`).length === 1
})

layer(testLayer, { excludeTestServices: true })("webhook retention", (it) => {
  it.effect(
    "records are deleted a number of days after they ended, whenever they were queued",
    () =>
      Effect.gen(function* () {
        const webhook = yield* makeWebhook()
        yield* deliver(webhook, "kept", { completed: 19.99, made: null })
        yield* deliver(webhook, "old", { completed: 20.01, made: null })
        yield* deliver(webhook, "queued", { completed: null, made: null })

        yield* apply

        assert.deepStrictEqual(
          (yield* left(webhook)).map(({ name }) => name),
          ["kept", "queued"],
        )
      }),
  )

  it.effect(
    "bodies are deleted a number of days after they were built, and their records stay",
    () =>
      Effect.gen(function* () {
        const webhook = yield* makeWebhook()
        yield* deliver(webhook, "kept", { completed: 1, made: 2.99 })
        yield* deliver(webhook, "old", { completed: 1, made: 3.01 })
        // Still to be sent: its payload is built again.
        yield* deliver(webhook, "queued", { completed: null, made: 3.01 })

        yield* apply

        assert.deepStrictEqual(yield* left(webhook), [
          { name: "kept", status: "succeeded", payload: "{}", isMade: true },
          { name: "old", status: "succeeded", payload: null, isMade: false },
          { name: "queued", status: "queued", payload: null, isMade: false },
        ])
      }),
  )

  it.effect(
    "a deleted webhook's queue is skipped, and its records are kept as long as any others",
    () =>
      Effect.gen(function* () {
        const webhook = yield* makeWebhook(2)
        yield* deliver(webhook, "queued", { completed: null, made: 1 })
        yield* deliver(webhook, "sent", { completed: 1, made: 1 })

        yield* apply

        assert.deepStrictEqual(yield* left(webhook), [
          { name: "queued", status: "skipped", payload: null, isMade: false },
          { name: "sent", status: "succeeded", payload: "{}", isMade: true },
        ])
        assert.isTrue(yield* isThere(webhook))
      }),
  )

  it.effect("a deleted webhook's row is deleted an hour later, once it has no data left", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = [yield* makeWebhook(2), yield* makeWebhook(0), yield* makeWebhook()]
      for (const { id, organizationId } of all) {
        yield* sql`
          insert into webhook_visitor (organization_id, webhook_id, visitor_id, told_at)
          select ${organizationId}, ${id}, gen_random_uuid(), now()
          from generate_series(1, 5100)`
      }

      yield* apply

      assert.deepStrictEqual(yield* Effect.forEach(all, isThere), [false, true, true])
      const remembered = yield* sql`
        select count(*)::int as people from webhook_visitor group by webhook_id`
      // The rows of the other webhook, which still exists.
      assert.deepStrictEqual(remembered, [{ people: 5_100 }])
    }),
  )

  it.effect("ends of sessions are remembered for three days after they were sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ages = [null, 2.99, 3.01]
      for (const age of ages) {
        yield* sql`
          insert into webhook_session (organization_id, session_id, ends_at, told_at)
          values (gen_random_uuid(), gen_random_uuid(), now() - interval '9 days',
            now() - ${age}::float8 * interval '1 day')`
      }

      yield* apply

      const rows = yield* sql`
        select told_at is null as waits from webhook_session order by told_at nulls first`
      assert.deepStrictEqual(rows, [{ waits: true }, { waits: false }])
    }),
  )
})
