// The statements of the worker of deliveries. Each that writes is fenced and persistent (persistence-store.ts).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../database/iso-time.ts"
import { TargetStore } from "../../destinations/targets/store.ts"
import type { Claim } from "../../jobs/queue.ts"
import type { SqlText } from "../../database/sql-text.ts"
import type { PlanQuestion } from "../planning/plan.ts"
import { PlanStore } from "../planning/store.ts"
import { acknowledging } from "./acknowledgement-store.ts"
import { readingContacts } from "./contacts-store.ts"
import { loading, progressColumns, progressOf, type StoredProgress } from "./delivery-work-store.ts"
import type { Acknowledged, Acknowledgement } from "./delivery-work.ts"
import { endings } from "./ending-store.ts"
import { persistence, type Written } from "./persistence-store.ts"
import { deliveryJobs } from "./queue-store.ts"

type EventTimes = { readonly [Key in "eventAt" | "nextEventAt"]: string }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const plans = yield* PlanStore
  const targets = yield* TargetStore
  const writing = persistence(sql)
  const { inTransaction, orLost, persistently } = writing
  const jobs = deliveryJobs(sql)
  const { held } = jobs
  const acknowledgementOf = acknowledging(sql, targets)
  const now = sql.literal("date_trunc('milliseconds', clock_timestamp())")
  const acknowledgedColumns = sql.literal(progressColumns)

  const plan = (claim: Claim, question: PlanQuestion, hash: SqlText) =>
    inTransaction(
      Effect.gen(function* () {
        const planned = yield* plans.plan(question, hash)
        yield* orLost(sql`
          update delivery set source_count = ${planned.sourceCount},
            batch_count = ${planned.batchCount},
            removed_since_baseline = ${planned.removedSinceBaseline},
            updated_at = clock_timestamp()
          where ${held(claim)} and batch_count is null
          returning 1`)
        return planned
      }),
    ).pipe(
      // A commit whose answer was lost: the second time there is a plan.
      Effect.catchTag("ClaimLost", () => planned(claim)),
    )

  const planned = (claim: Claim) =>
    persistently(
      orLost(sql<{
        readonly batchCount: number
        readonly removedSinceBaseline: number
        readonly sourceCount: number
      }>`
        select source_count as "sourceCount", batch_count as "batchCount",
          removed_since_baseline as "removedSinceBaseline"
        from delivery where ${held(claim)} and batch_count is not null`),
    )

  const begin = (claim: Claim, startedAttempts: number): Written<EventTimes> =>
    persistently(
      orLost(sql<EventTimes>`
        update delivery set started_sent_at = coalesce(started_sent_at, ${now}),
          started_attempts = ${startedAttempts}, event_at = coalesce(event_at, ${now}),
          next_event_at = coalesce(next_event_at, ${now}), updated_at = clock_timestamp()
        where ${held(claim)}
        returning ${sql.literal(isoTime("event_at"))} as "eventAt",
          ${sql.literal(isoTime("next_event_at"))} as "nextEventAt"`),
    )

  /** The organization is active or on trial. */
  const mayDeliver = ({ organizationId }: PlanQuestion): Effect.Effect<boolean> =>
    persistently(
      sql`select from organization where id = ${organizationId} and status in ('active', 'trial')`,
    ).pipe(Effect.map((rows) => rows.length === 1))

  const acknowledge = (
    claim: Claim,
    question: PlanQuestion,
    settled: Acknowledgement,
  ): Written<Acknowledged> =>
    Effect.suspend(() => {
      const clauses = { held: held(claim), returned: acknowledgedColumns }
      const statement = acknowledgementOf(question, settled, clauses)
      return persistently(orLost(sql<StoredProgress>`${statement}`))
    }).pipe(
      Effect.map(progressOf),
      Effect.catchTag("ClaimLost", () => acknowledged(claim, settled)),
    )

  /** A commit whose answer was lost: the second time it is there, under the same claim. */
  const acknowledged = (claim: Claim, settled: Acknowledgement) =>
    persistently(
      orLost(sql<StoredProgress>`
        select ${acknowledgedColumns} from delivery
        where ${held(claim)} and acknowledgements = ${settled.acknowledgements} + 1`),
    ).pipe(Effect.map(progressOf))

  return {
    jobs,
    /** Fails with ClaimLost when it is someone else's now; so does everything that follows. */
    load: loading(sql, writing),
    /** Selects the contacts, once. `hash`: SQL of the content hash. */
    plan,
    /** The endpoint has taken the started event, or is not sent any: the times of the first events. */
    begin,
    mayDeliver,
    /** What of a batch is not settled yet, as it is now. */
    batch: readingContacts(sql, writing),
    /** Writes down what became of contacts: counters, failures, what was sent last, the destination. */
    acknowledge,
    ...endings(sql, writing, jobs, targets),
    /** Reads of other rooms, tried again likewise. */
    persistently,
  }
})

export class DeliveryWorkStore extends Context.Service<
  DeliveryWorkStore,
  Effect.Success<typeof make>
>()("@footfall/server/deliveries/DeliveryWorkStore") {
  static readonly layer = Layer.effect(DeliveryWorkStore, make)
}
