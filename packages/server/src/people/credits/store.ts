// SQL that charges credits, holds people back without them and releases them (spec 2.5, 4.6). Callers hold the
// organizations' turns, so a month's usage is exactly the number of people charged in it. The month is that of the
// organization's time zone by the database's clock. Suppressed people are not charged.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { organizationTurns } from "../../platform/database/organization-turns.ts"
import { transaction } from "../../platform/database/transaction.ts"
import type { VisitorKey } from "../suppression/cycle/store.ts"

/** Two visitors that turned out to be one person. No pair's survivor is another pair's loser. */
export interface MergedVisitors {
  readonly organizationId: string
  readonly survivorId: string
  readonly loserId: string
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const turns = organizationTurns(sql)
  /** The current month of an organization. */
  const monthOf = (organizationId: Statement.Fragment) => sql`(
    select date_trunc('month', now() at time zone zoned.time_zone)::date
    from organization as zoned where zoned.id = ${organizationId}
  )`
  const ofRow = (column: string) => monthOf(sql`${sql.literal(column)}`)

  /** One credit per row (organization, visitor, month), and the counts of their months. */
  const charging = (rows: Statement.Fragment) => sql`
    charged as (
      insert into credit (organization_id, visitor_id, month) ${rows}
      returning organization_id, month
    ), counted as (
      insert into credit_month (organization_id, month, used)
      select organization_id, month, count(*) from charged group by organization_id, month
      on conflict (organization_id, month) do update set
        used = credit_month.used + excluded.used
    )`

  // People already held back get free credits first.
  const charge = Effect.fnUntraced(function* (identified: ReadonlyArray<VisitorKey>) {
    if (identified.length === 0) return
    yield* sql`
      with due as (
        select v.organization_id, v.id, k.place
        from rows from (
          jsonb_to_recordset(${JSON.stringify(identified)}::text::jsonb)
            as ("organizationId" uuid, "visitorId" uuid)
        ) with ordinality as k ("organizationId", "visitorId", place)
        join visitor v on v.organization_id = k."organizationId" and v.id = k."visitorId"
        where not v.suppressed
          and not v.held_back
          and not exists (
            select from credit c where c.organization_id = v.organization_id and c.visitor_id = v.id
          )
      ), free as (
        select
          o.id as organization_id,
          case when o.credit_limit is not null then o.free - (
            select count(*) from (
              select from visitor v
              where v.organization_id = o.id and v.held_back and not v.suppressed
              limit o.free
            ) as waiting
          ) end as credits
        from (
          select o.id, o.credit_limit, greatest(0, o.credit_limit - coalesce(m.used, 0)) as free
          from organization o
          left join credit_month m on m.organization_id = o.id and m.month = ${ofRow("o.id")}
          where o.id in (select organization_id from due)
        ) as o
      ), decided as (
        select
          d.organization_id, d.id, d.place, f.credits is null or f.credits >= row_number() over (
            partition by d.organization_id order by d.place
          ) as is_charged
        from due d
        join free f on f.organization_id = d.organization_id
      ), ${charging(sql`select organization_id, id, ${ofRow("organization_id")} from decided where is_charged`)},
      held as (
        select organization_id, id, nextval('held_back_place') as place
        from (select * from decided where not is_charged order by organization_id, place) as in_order
      ), hidden as (
        update visitor_pixel p set held_back = true
        from held h
        where p.organization_id = h.organization_id and p.visitor_id = h.id
      )
      update visitor v set held_back = true, held_back_place = h.place
      from held h
      where v.organization_id = h.organization_id and v.id = h.id`
  })

  const releasable = sql<{ readonly id: string }>`
    select o.id
    from organization o
    left join credit_month m on m.organization_id = o.id and m.month = ${ofRow("o.id")}
    where exists (
      select from visitor v
      where v.organization_id = o.id
        and v.held_back
        and (v.suppressed or o.credit_limit is null or o.credit_limit > coalesce(m.used, 0))
    )
    order by o.id`.pipe(Effect.map((rows) => rows.map(({ id }) => id)))

  const release = (
    organizationId: string,
    limit: number,
    andThen: (visitorIds: ReadonlyArray<string>) => Result<unknown> = () => Effect.void,
  ) =>
    Effect.andThen(
      turns.wait(organizationId),
      sql<{ readonly id: string; readonly isCharged: boolean }>`
        with due as (
          (
            select id, false as is_charged from visitor
            where organization_id = ${organizationId} and held_back and suppressed
            order by held_back_place, id
            limit ${limit}
          )
          union all
          (
            select id, true from visitor
            where organization_id = ${organizationId} and held_back and not suppressed
            order by held_back_place, id
            limit (
              select case
                when o.credit_limit is null then ${limit}::int
                else least(${limit}::int, greatest(0, o.credit_limit - coalesce(m.used, 0)))
              end
              from organization o
              left join credit_month m on m.organization_id = o.id and m.month = ${ofRow("o.id")}
              where o.id = ${organizationId}
            )
          )
        ), ${charging(sql`select ${organizationId}::uuid, id, ${monthOf(sql`${organizationId}::uuid`)} from due where is_charged`)},
        shown as (
          update visitor_pixel p set held_back = false
          from due d
          where p.organization_id = ${organizationId} and p.visitor_id = d.id
        ), released as (
          update visitor v set held_back = false, held_back_place = null, updated_at = now()
          from due d
          where v.organization_id = ${organizationId} and v.id = d.id
          returning v.id
        )
        select released.id, due.is_charged as "isCharged"
        from released
        join due on due.id = released.id
        order by released.id`,
    ).pipe(
      Effect.tap((people) =>
        andThen(people.filter(({ isCharged }) => isCharged).map(({ id }) => id)),
      ),
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.map((people) => people.length),
    )

  const merge = Effect.fnUntraced(function* (merged: ReadonlyArray<MergedVisitors>) {
    if (merged.length === 0) return
    const pairs = sql`
      jsonb_to_recordset(${JSON.stringify(merged)}::text::jsonb)
        as k ("organizationId" uuid, "survivorId" uuid, "loserId" uuid)`
    yield* sql`
      with given_up as (
        delete from credit c
        using ${pairs}
        where c.organization_id = k."organizationId" and c.visitor_id = k."loserId"
        returning c.organization_id, k."survivorId" as visitor_id, c.month
      )
      insert into credit (organization_id, visitor_id, month)
      select organization_id, visitor_id, min(month)
      from given_up
      group by organization_id, visitor_id
      on conflict (organization_id, visitor_id) do nothing`
    yield* sql`
      with person as (
        select
          k."organizationId" as organization_id, k."survivorId" as survivor_id,
          s.held_back and bool_and(l.held_back) as held_back,
          least(s.held_back_place, min(l.held_back_place)) as place,
          array_agg(k."loserId") || k."survivorId" as ids
        from ${pairs}
        join visitor s on s.organization_id = k."organizationId" and s.id = k."survivorId"
        join visitor l on l.organization_id = k."organizationId" and l.id = k."loserId"
        group by k."organizationId", k."survivorId", s.held_back, s.held_back_place
      ), settled as (
        update visitor_pixel p set held_back = person.held_back
        from person
        where p.organization_id = person.organization_id
          and p.visitor_id = any (person.ids)
          and p.held_back <> person.held_back
      )
      update visitor v set
        held_back = person.held_back,
        held_back_place = case when person.held_back then person.place end
      from person
      where v.organization_id = person.organization_id
        and v.id = person.survivor_id
        and v.held_back`
  })

  return CreditStore.of({ charge, releasable, release, merge })
})

export class CreditStore extends Context.Service<
  CreditStore,
  {
    /**
     * Charges one credit for each person who was never charged and is not suppressed, in the given order, and holds
     * back those without a credit. Runs in the pass's transaction, after the people are marked and before
     * `visitor_pixel` is summed up.
     */
    charge(identified: ReadonlyArray<VisitorKey>): Result<void>
    /** Organizations with people held back who no longer need to be. */
    readonly releasable: Result<ReadonlyArray<string>>
    /**
     * Releases at most `limit` people held back, one credit each, longest wait first; and at most `limit` who are
     * suppressed by now, for free.
     *
     * *Guarantee*: atomic, in the organization's turn.
     *
     * `andThen`: follow-up work for those who used a credit, in the same transaction.
     *
     * @returns how many people were released
     */
    release(
      organizationId: string,
      limit: number,
      andThen?: (visitorIds: ReadonlyArray<string>) => Result<unknown>,
    ): Result<number>
    /**
     * Merges the credits of merged people: no one is charged twice, nothing is refunded, and the person is only held
     * back if both were. Runs in the transaction of the merge, which holds the turn, before the loser's rows of
     * `visitor` and `visitor_pixel` are deleted.
     */
    merge(merged: ReadonlyArray<MergedVisitors>): Result<void>
  }
>()("@footfall/server/identification/CreditStore") {
  static readonly layer = Layer.effect(CreditStore, make)
}
