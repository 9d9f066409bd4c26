// SQL of the sync cycle (spec 2.6). Rules in force are those that existed when the cycle began and were not removed
// before it. From then on, everyone who is written is marked by the new rules. Everyone else whose mark changes is
// found without a turn and marked in many small turns. Pending marks are stored, so a kill loses none.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { marksMilestone } from "../../../platform/database/milestones.ts"
import { organizationTurns } from "../../../platform/database/organization-turns.ts"
import { textArray } from "../../../platform/database/text-array.ts"
import { transaction } from "../../../platform/database/transaction.ts"
import { isCompanySuppressed } from "../company-rules-store.ts"
import { visitorKeys } from "../matching/visitor-keys-store.ts"
import { ruleTypes } from "../rule.ts"
import { ruleIds } from "../store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface VisitorKey {
  readonly organizationId: string
  readonly visitorId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keys = visitorKeys(sql)
  const ids = ruleIds(sql)
  const turns = organizationTurns(sql)

  /** Whether a rule in force matches visitor `v`, whose organization has `list`, if any. */
  const isSuppressed = sql`exists (
    select from ${keys.ownListed} as own
    join suppression_rule_key as rule on ${keys.isRule}
    where rule.takes_part_at < list.cycle_at
      and (rule.removed_at is null or rule.removed_at >= list.cycle_at)
  )`

  /** Whether a rule in force matches company `c`. */
  const isCompany = sql.literal(
    isCompanySuppressed({
      organizationId: "c.organization_id",
      domain: "c.domain",
      industry: "c.industry",
    }),
  )

  // A subquery hides how many ids there are, so Postgres plans the statement once, for ten. Without it, Postgres
  // plans every time, which takes longer than marking one person.
  const uuids = (ids: ReadonlyArray<string>) => sql`(select ${`{${ids.join(",")}}`}::text)::uuid[]`

  /** Marks these people by the rules in force. Runs in the caller's transaction. */
  const mark = Effect.fnUntraced(function* (visitors: ReadonlyArray<VisitorKey>) {
    if (visitors.length === 0) return
    yield* sql`
          with requested as materialized (
            select organization_id, id from unnest(
              ${uuids(visitors.map(({ organizationId }) => organizationId))},
              ${uuids(visitors.map(({ visitorId }) => visitorId))}
            ) as requested (organization_id, id)
          ), list as materialized (
            ${keys.lists(sql`select organization_id from requested`)}
          ), marked as (
            update visitor set suppressed = decided.suppressed
            from (
              select v.organization_id, v.id, ${isSuppressed} as suppressed
              from requested
              join visitor as v on v.organization_id = requested.organization_id and v.id = requested.id
              left join list on list.organization_id = v.organization_id
            ) as decided
            where visitor.organization_id = decided.organization_id
              and visitor.id = decided.id
              and visitor.suppressed <> decided.suppressed
            returning visitor.organization_id
          )
          select note_milestone(organization_id, ${marksMilestone})
          from (select distinct organization_id from marked) as changed`
  })

  /** Marks these companies of the organization by the rules in force. Runs in the caller's transaction. */
  const markCompanies = (organizationId: string, domains: ReadonlyArray<string>) => sql`
    with marked as (
      update company as c set suppressed = not c.suppressed
      where c.organization_id = ${organizationId}
        and c.domain = any ((select ${textArray(domains)}::text)::text[])
        and c.suppressed <> ${isCompany}
      returning c.organization_id
    )
    select note_milestone(organization_id, ${marksMilestone})
    from (select distinct organization_id from marked) as changed`

  const isDue = (cycleSeconds: number) => sql`changed_at >= cycle_at
    and cycle_at <= clock_timestamp() - make_interval(secs => ${cycleSeconds})`

  // Writers of the list hold its row and do not wait for the turn.
  const begin = (organizationId: string, cycleSeconds: number) =>
    Effect.andThen(
      turns.wait(organizationId),
      sql`
        update suppression_list as list
        set
          cycle_at = greatest(
            date_trunc('milliseconds', clock_timestamp()),
            list.changed_at + interval '1 millisecond'
          ),
          marks_from = coalesce(list.marks_from, list.cycle_at)
        from (
          select organization_id from suppression_list
          where organization_id = ${organizationId} and ${isDue(cycleSeconds)}
          for update skip locked
        ) as before
        where list.organization_id = before.organization_id`,
    )

  const organizationsWhere = (isSelected: Fragment): Result<ReadonlyArray<string>> =>
    Effect.map(
      sql<{ readonly id: string }>`
        select organization_id as id from suppression_list as list
        where ${isSelected}
        order by cycle_at, organization_id`,
      (rows) => rows.map(({ id }) => id),
    )

  /** Organizations with rule changes that are due. */
  const due = (cycleSeconds: number) => organizationsWhere(isDue(cycleSeconds))

  /** Organizations whose affected people and companies have not been searched yet. */
  const toSearch = organizationsWhere(sql`marks_from is not null`)

  /** Organizations with people or companies that are found but not marked yet. */
  const unmarked = organizationsWhere(sql`exists (
    select from suppression_mark as mark
    where mark.organization_id = list.organization_id
  ) or exists (
    select from suppression_company_mark as mark
    where mark.organization_id = list.organization_id
  )`)

  const find = Effect.fnUntraced(function* (organizationId: string) {
    // Replacing a list of a million rules makes this slower than a request may be.
    yield* sql`
      select
        set_config('statement_timeout', '10min', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`
    const [list] = yield* sql<{ readonly from: string; readonly now: string }>`
      select marks_from::text as "from", cycle_at::text as now from suppression_list
      where organization_id = ${organizationId}
        and marks_from is not null
        and pg_try_advisory_xact_lock(
          ${advisoryLocks.suppressionMarks}, hashtext(${organizationId})
        )`
    if (list === undefined) return
    const { from, now } = list
    yield* sql`
      with changed as materialized (
        select type, match_key from suppression_rule_key
        where organization_id = ${organizationId} and ${sql.in("type", ruleTypes)}
          and id >= ${ids.floor(sql`${from}::timestamptz`)}
          and removed_at is null
        union all
        select type, match_key from suppression_rule_key
        where organization_id = ${organizationId} and removed_at >= ${from}::timestamptz
      ), touched as (
        select distinct id from (${keys.having(organizationId, sql.literal("changed"))}) as holder
      ), list as materialized (
        ${keys.lists(sql`select ${organizationId}::uuid`)}
      ), touched_company as (
        select holder.domain
        from changed as key join company as holder
          on holder.organization_id = ${organizationId} and holder.domain = key.match_key
        where key.type = 'company_domain'
        union
        select holder.domain
        from changed as key join company as holder
          on holder.organization_id = ${organizationId} and holder.industry = key.match_key
        where key.type = 'industry'
      ), noted_company as (
        insert into suppression_company_mark (organization_id, domain)
        select c.organization_id, c.domain
        from touched_company
        join company as c on c.organization_id = ${organizationId}
          and c.domain = touched_company.domain
        where c.suppressed <> ${isCompany}
        on conflict (organization_id, domain) do nothing
      )
      insert into suppression_mark (organization_id, visitor_id)
      select v.organization_id, v.id
      from touched
      join visitor as v on v.organization_id = ${organizationId} and v.id = touched.id
      cross join list
      where v.suppressed <> ${isSuppressed}
      on conflict (organization_id, visitor_id) do nothing`
    yield* sql`
      delete from suppression_rule
      where organization_id = ${organizationId} and removed_at < ${now}::timestamptz`
    // If another cycle began in the meantime, search again from the same moment.
    yield* sql`
      update suppression_list set marks_from = null
      where organization_id = ${organizationId} and cycle_at = ${now}::timestamptz`
  })

  const markSome = Effect.fnUntraced(function* (
    organizationId: string,
    limit: number,
    hasTurn: Effect.Effect<void> = Effect.void,
  ) {
    const [free] = yield* sql`
      select where pg_try_advisory_xact_lock(
        ${advisoryLocks.suppressionMarking}, hashtext(${organizationId})
      )`
    if (free === undefined) return 0
    yield* turns.wait(organizationId)
    yield* hasTurn
    const found = yield* sql<{ readonly visitorId: string }>`
      delete from suppression_mark
      where organization_id = ${organizationId}
        and visitor_id in (
          select visitor_id from suppression_mark
          where organization_id = ${organizationId}
          order by visitor_id
          limit ${limit}
        )
      returning visitor_id as "visitorId"`
    yield* mark(found.map(({ visitorId }) => ({ organizationId, visitorId })))
    const companies = yield* sql<{ readonly domain: string }>`
      delete from suppression_company_mark
      where organization_id = ${organizationId}
        and domain in (
          select domain from suppression_company_mark
          where organization_id = ${organizationId}
          order by domain
          limit ${limit - found.length}
        )
      returning domain`
    if (companies.length > 0) {
      yield* markCompanies(
        organizationId,
        companies.map(({ domain }) => domain),
      )
    }
    return found.length + companies.length
  })

  const transactional = <A>(effect: Result<A>) =>
    transaction(effect).pipe(Effect.provideService(SqlClient.SqlClient, sql))

  return {
    mark,
    due,

    /**
     * Begins the organization's next cycle, in which its changes take effect, if it is still due and no one is
     * changing its rules right now.
     */
    begin: (organizationId: string, cycleSeconds: number): Result<void> =>
      Effect.asVoid(transactional(begin(organizationId, cycleSeconds))),
    toSearch,
    unmarked,

    /**
     * Finds the people and companies that the changes affect and then deletes removed rules, unless this is done or another
     * process is doing it. Needs no turn. Guarantee: atomic.
     */
    find: (organizationId: string): Result<void> => transactional(find(organizationId)),

    /**
     * Marks at most `limit` of the people and companies found, in one turn, and runs `hasTurn` when it starts. Returns
     * how many were marked; also 0 if another process is marking for the organization.
     */
    markSome: (
      ...requested: [organizationId: string, limit: number, hasTurn?: Effect.Effect<void>]
    ): Result<number> => transactional(markSome(...requested)),
  }
})

export class CycleStore extends Context.Service<CycleStore, Effect.Success<typeof make>>()(
  "@footfall/server/suppression/CycleStore",
) {
  static readonly layer = Layer.effect(CycleStore, make)
}
