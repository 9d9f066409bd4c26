// The statement that stores attempt outcomes in bulk and updates their webhooks: the counters, and whether to disable
// one (spec 2.20, 8.5).
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../../../platform/database/transaction.ts"
import { jitterShare } from "../../../platform/jobs/queue.ts"
import type { Attempt, Settlement } from "./outcome.ts"
import type { ClaimedDelivery } from "./store.ts"

/** A webhook is disabled after this long without a success and this many failed events. spec 8.5. */
const failingHoursMin = 72
const failedEventsMin = 20

/** The outcome of one attempt; `attempt` is null when none was made. */
export interface Settled {
  readonly delivery: Pick<
    ClaimedDelivery,
    "claim" | "format" | "id" | "isRedelivery" | "organizationId" | "url" | "webhookId"
  >
  readonly settlement: Settlement
  readonly attempt: Attempt | null
}

/** A webhook that an outcome disabled. */
export interface DisabledWebhook {
  readonly organizationId: string
  readonly webhookId: string
  readonly name: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

  // Rows are locked in the same order in every process, so batches cannot deadlock.
  const settle = (
    outcomes: ReadonlyArray<Settled>,
  ): Effect.Effect<ReadonlyArray<DisabledWebhook>, SqlError.SqlError> =>
    sql<DisabledWebhook>`
      with outcome as materialized (
        select * from jsonb_to_recordset(${json(outcomes.map(rowOf))}) as k (
          o uuid, id uuid, claim bigint, w uuid, again boolean, status text, failures int,
          wait float8, retry float8, tried boolean, success boolean, gone boolean, url text,
          rest float8, code int, message text, snippet text
        )
      ), recorded as (
        update webhook_delivery d set
          status = outcome.status,
          failures = outcome.failures,
          attempts = d.attempts - case when outcome.tried then 0 else 1 end,
          is_redelivery = false,
          leased_until = null,
          next_attempt_at = case when outcome.status = 'queued' then
            clock_timestamp() + make_interval(secs => greatest(
              outcome.retry,
              outcome.wait * (1 - ${jitterShare}::float8 + random() * 2 * ${jitterShare}::float8)
            )) end,
          completed_at = case when outcome.status <> 'queued' then clock_timestamp() end,
          status_code = case when outcome.tried then outcome.code else d.status_code end,
          error_message = outcome.message,
          mails = case when outcome.status = 'queued' then d.mails end,
          response_snippet = case when outcome.tried then outcome.snippet else d.response_snippet end,
          updated_at = clock_timestamp()
        from outcome
        where d.organization_id = outcome.o and d.id = outcome.id and d.claim = outcome.claim
          and d.leased_until is not null
        returning d.organization_id, d.webhook_id, outcome.again, outcome.tried, outcome.success,
          outcome.gone, outcome.url, outcome.rest, outcome.status, outcome.message
      ), counted as (
        select organization_id, webhook_id,
          count(*) filter (where success and not again) as succeeded,
          count(*) filter (where status = 'failed' and not again) as failed,
          bool_or(success) as has_success,
          bool_or(success and not again) as has_counted_success,
          bool_or(not success) as has_error,
          count(*) filter (where not success and not again) as failed_attempts,
          bool_or(not success and not again) as has_counted_error,
          array_agg(distinct url) filter (where gone) as gone_urls,
          max(rest) as rest_seconds,
          max(message) filter (where not success) as message
        from recorded
        where tried
        group by organization_id, webhook_id
      ), locked as materialized (
        select w.organization_id, w.id, w.status
        from webhook w
        where (w.organization_id, w.id) in (select organization_id, webhook_id from counted)
        order by w.organization_id, w.id
        for no key update
      ), changed as (
        update webhook w set
          succeeded = w.succeeded + c.succeeded,
          failed = w.failed + c.failed,
          last_delivered_at = case when c.has_success then clock_timestamp()
            else w.last_delivered_at end,
          last_error_at = case when c.has_error then clock_timestamp() else w.last_error_at end,
          last_error_message = case when c.has_error then c.message else w.last_error_message end,
          failed_attempts = case when c.has_success then 0
            else w.failed_attempts + c.failed_attempts end,
          consecutive_failures = case when c.has_counted_success then 0
            else w.consecutive_failures + c.failed end,
          failing_since = case
            when c.has_counted_success then null
            when c.has_counted_error then coalesce(w.failing_since, clock_timestamp())
            else w.failing_since end,
          rests_until = case when c.rest_seconds > 0
            then greatest(w.rests_until, clock_timestamp() + make_interval(secs => c.rest_seconds))
            else w.rests_until end,
          status = case
            -- A 410 from a former address says nothing about the current one.
            when w.status = 'active' and (coalesce(w.url = any (c.gone_urls), false) or (
              c.has_counted_error and not c.has_counted_success
              and w.consecutive_failures + c.failed >= ${failedEventsMin}
              and w.failing_since <= clock_timestamp() - make_interval(hours => ${failingHoursMin})
            )) then 'auto_disabled'
            else w.status end
        from counted c
        join locked on locked.organization_id = c.organization_id and locked.id = c.webhook_id
        where w.organization_id = c.organization_id and w.id = c.webhook_id
        returning w.organization_id, w.id, w.name, w.status, locked.status as former
      )
      select organization_id as "organizationId", id as "webhookId", name
      from changed
      where status = 'auto_disabled' and former = 'active'
      order by organization_id, id`

  return {
    /** Stores outcomes and updates their webhooks. Ignores an outcome whose claim another worker has taken over. */
    settle,

    /** Runs the effect in one transaction. */
    transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | SqlError.SqlError, R> =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
  }
})

const rowOf = ({ attempt, delivery, settlement }: Settled) => ({
  o: delivery.organizationId,
  id: delivery.id,
  claim: delivery.claim,
  w: delivery.webhookId,
  again: delivery.isRedelivery,
  status: settlement.status,
  failures: settlement.failures,
  wait: settlement.waitSeconds,
  retry: attempt?.retryAfterSeconds ?? 0,
  tried: attempt !== null,
  success: attempt?.isSuccess ?? false,
  gone: attempt?.isGone ?? false,
  url: delivery.url,
  // Chat services accept a few messages a second and rate-limit all of them together. spec 14.3.
  rest: delivery.format === "standard" ? 0 : (attempt?.retryAfterSeconds ?? 0),
  code: attempt?.statusCode ?? null,
  message: attempt?.errorMessage ?? null,
  snippet: attempt?.responseSnippet ?? null,
})

export class SettlementStore extends Context.Service<
  SettlementStore,
  Effect.Success<typeof make>
>()("@footfall/server/webhooks/SettlementStore") {
  static readonly layer = Layer.effect(SettlementStore, make)
}
