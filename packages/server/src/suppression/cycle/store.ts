// The statements of the sync cycle (decisions.md 2.6). Rules in force are those that took part before
// the cycle began and were not removed before it. Whoever is compared with them, a batch of the
// identification pass or the people a change touches, is compared in one statement; it looks each of
// their few keys up in the one index of the rules.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { organizationTurns } from "../../database/organization-turns.ts"
import { transaction } from "../../database/transaction.ts"
import { visitorKeys } from "../matching/visitor-keys-store.ts"
import { ruleTypes } from "../rule.ts"
import { ruleIds } from "../rule-ids-store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface VisitorKey {
  readonly organizationId: string
  readonly visitorId: string
}

export class CycleStore extends Context.Service<
  CycleStore,
  {
    /** Sets the marks of these people by the rules in force. Joins the caller's transaction. */
    mark(visitors: ReadonlyArray<VisitorKey>): Result<void>
    /** Organizations whose rules were changed in a cycle that is over. */
    due(cycleSeconds: number): Result<ReadonlyArray<string>>
    /**
     * Begins the next cycle of an organization, when it is still due: its changes come into force, the
     * marks of the people they match follow, and removed rules go.
     *
     * *Guarantee*: atomic, in the turn of identification: nobody is marked by the rules of before.
     */
    begin(organizationId: string, cycleSeconds: number): Result<void>
  }
>()("@footfall/server/suppression/CycleStore") {
  static readonly layer = Layer.effect(
    CycleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = visitorKeys(sql)
      const ids = ruleIds(sql)
      const turns = organizationTurns(sql)

      /** Whether a rule in force matches the visitor `v`. */
      const isSuppressed = sql`exists (
        select from suppression_list as list
        cross join ${keys.own} as own
        join suppression_rule_key as rule on ${keys.isRule}
        where list.organization_id = v.organization_id
          and rule.takes_part_at < list.cycle_at
          and (rule.removed_at is null or rule.removed_at >= list.cycle_at)
      )`

      const mark = Effect.fnUntraced(function* (visitors: ReadonlyArray<VisitorKey>) {
        if (visitors.length === 0) return
        yield* sql`
              update visitor set suppressed = decided.suppressed
              from (
                select v.organization_id, v.id, ${isSuppressed} as suppressed
                from jsonb_to_recordset(${JSON.stringify(visitors)}::text::jsonb)
                  as asked ("organizationId" uuid, "visitorId" uuid)
                join visitor as v
                  on v.organization_id = asked."organizationId" and v.id = asked."visitorId"
              ) as decided
              where visitor.organization_id = decided.organization_id
                and visitor.id = decided.id
                and visitor.suppressed <> decided.suppressed`
      })

      const isDue = (cycleSeconds: number) => sql`changed_at >= cycle_at
        and cycle_at <= clock_timestamp() - make_interval(secs => ${cycleSeconds})`

      const due = (cycleSeconds: number) =>
        Effect.map(
          sql<{ readonly id: string }>`
            select organization_id as id from suppression_list
            where ${isDue(cycleSeconds)}
            order by cycle_at, organization_id`,
          (rows) => rows.map(({ id }) => id),
        )

      /** The moments the cycle before began and this one does: after every change so far. */
      const turn = Effect.fnUntraced(function* (organizationId: string, cycleSeconds: number) {
        // After a list of a million rules was replaced a cycle takes longer than a request may.
        yield* sql`set local statement_timeout = '10min'`
        yield* turns.wait(organizationId)
        const [row] = yield* sql<{ readonly before: string; readonly now: string }>`
          update suppression_list as list
          set cycle_at = greatest(
            date_trunc('milliseconds', clock_timestamp()),
            list.changed_at + interval '1 millisecond'
          )
          from (
            select organization_id, cycle_at from suppression_list
            where organization_id = ${organizationId} and ${isDue(cycleSeconds)}
            for update
          ) as before
          where list.organization_id = before.organization_id
          returning before.cycle_at::text as before, list.cycle_at::text as now`
        return row
      })

      const begin = Effect.fnUntraced(function* (organizationId: string, cycleSeconds: number) {
        const begun = yield* turn(organizationId, cycleSeconds)
        if (begun === undefined) return
        const { before, now } = begun
        yield* sql`
          with changed as materialized (
            select type, match_key from suppression_rule_key
            where organization_id = ${organizationId} and ${sql.in("type", ruleTypes)}
              and id >= ${ids.floor(sql`${before}::timestamptz`)}
              and removed_at is null
            union all
            select type, match_key from suppression_rule_key
            where organization_id = ${organizationId} and removed_at >= ${before}::timestamptz
          ), touched as (
            select distinct id from (${keys.having(organizationId, sql.literal("changed"))}) as holder
          )
          update visitor set suppressed = decided.suppressed
          from (
            select v.organization_id, v.id, ${isSuppressed} as suppressed
            from touched
            join visitor as v on v.organization_id = ${organizationId} and v.id = touched.id
          ) as decided
          where visitor.organization_id = decided.organization_id
            and visitor.id = decided.id
            and visitor.suppressed <> decided.suppressed`
        yield* sql`
          delete from suppression_rule
          where organization_id = ${organizationId} and removed_at < ${now}::timestamptz`
      })

      return CycleStore.of({
        mark,
        due,
        begin: (organizationId, cycleSeconds) =>
          transaction(begin(organizationId, cycleSeconds)).pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
          ),
      })
    }),
  )
}
