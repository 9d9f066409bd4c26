// SQL that deletes data past an organization's retention (spec 1.8). A session's age is that of its last event, an
// event's that of its receipt. Each statement handles one bounded batch. Those that affect people run in a transaction
// that holds the organization's turn, so no pass, import or erasure writes meanwhile.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { organizationTurns } from "../../platform/database/organization-turns.ts"
import { transaction } from "../../platform/database/transaction.ts"

/** For click id values of every organization; their names stay with the sessions. spec 1.8. */
const clickIdDays = 90

export interface KeptOrganization {
  readonly organizationId: string
  readonly retentionDays: number
}

/** Whose the sessions of a batch were. */
export interface ExpiredSessions {
  readonly sessions: number
  readonly visitorIds: ReadonlyArray<string>
  readonly anonymousIds: ReadonlyArray<string>
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Organizations that do not keep their data forever. */
  const organizations = sql<KeptOrganization>`
    select id as "organizationId", retention_days as "retentionDays"
    from organization
    where retention_days is not null
    order by id`

  /** Every organization, by id. */
  const allOrganizations = sql<{ readonly id: string }>`
    select id from organization order by id`.pipe(Effect.map((rows) => rows.map(({ id }) => id)))

  /** Deletes the values, not the names, from at most `limit` sessions that ended too long ago. */
  const emptySessionClickIds = (organizationId: string, limit: number): Result<number> =>
    sql`
      update session set
        click_ids = (
          select jsonb_object_agg(key, jsonb_build_array(null, value -> 1))
          from jsonb_each(click_ids)
        )
      where organization_id = ${organizationId}
        and id in (
          select id from session
          where organization_id = ${organizationId}
            and ended_at < now() - make_interval(days => ${clickIdDays})
            and click_ids @? '$.*[0] ? (@ != null)'
          order by ended_at, id
          limit ${limit}
        )
      returning id`.pipe(Effect.map((rows) => rows.length))

  /** Deletes them from at most `limit` events received too long ago. */
  const deleteEventClickIds = (organizationId: string, limit: number): Result<number> =>
    sql`
      with due as (
        select organization_id, received_on, pixel_id, id from event
        where organization_id = ${organizationId}
          and received_on < (now() at time zone 'utc')::date - ${clickIdDays}::int
          and payload ? 'c'
        limit ${limit}
      )
      update event e set payload = e.payload - 'c'
      from due d
      where e.organization_id = d.organization_id
        and e.received_on = d.received_on
        and e.pixel_id = d.pixel_id
        and e.id = d.id
      returning e.id`.pipe(Effect.map((rows) => rows.length))

  /** The next `limit` sessions that ended too long ago, oldest first. */
  const deleteSessions = (
    { organizationId, retentionDays }: KeptOrganization,
    limit: number,
  ): Result<ExpiredSessions> =>
    sql<ExpiredSessions>`
      with gone as (
        delete from session
        where organization_id = ${organizationId}
          and id in (
            select id from session
            where organization_id = ${organizationId}
              and ended_at < now() - make_interval(days => ${retentionDays})
            order by ended_at, id
            limit ${limit}
          )
        returning visitor_id, anonymous_id
      )
      select
        count(*)::int as sessions,
        coalesce(array_agg(distinct visitor_id::text) filter (where visitor_id is not null), '{}')
          as "visitorIds",
        coalesce(array_agg(distinct anonymous_id::text), '{}') as "anonymousIds"
      from gone`.pipe(Effect.map(([row]) => row!))

  const idsIn = (ids: ReadonlyArray<string>) =>
    sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`

  /**
   * For browsers: forgets whoever is identified in no remaining session; deletes the browser and its aliases if no
   * session remains.
   */
  const forgetBrowsers = (
    organizationId: string,
    anonymousIds: ReadonlyArray<string>,
  ): Result<void> =>
    sql`
      with known as (
        select b.anonymous_id, b.identifications, (
          select jsonb_agg(one order by place)
          from jsonb_array_elements(b.identifications) with ordinality as all_of (one, place)
          where one ->> 1 is null
            or exists (
              select from session s
              where s.organization_id = b.organization_id
                and s.anonymous_id = b.anonymous_id
                and s.visitor_id = (one ->> 1)::uuid
            )
        ) as kept, exists (
          select from session s
          where s.organization_id = b.organization_id and s.anonymous_id = b.anonymous_id
        ) as has_sessions
        from browser b
        where b.organization_id = ${organizationId} and b.anonymous_id in ${idsIn(anonymousIds)}
      ), unclaimed as (
        delete from user_id_claim c
        where c.organization_id = ${organizationId}
          and c.anonymous_id in ${idsIn(anonymousIds)}
          and not exists (
            select from session s
            where s.organization_id = c.organization_id and s.anonymous_id = c.anonymous_id
          )
      ), unjoined as (
        delete from browser_join j
        where j.organization_id = ${organizationId}
          and j.anonymous_id in ${idsIn(anonymousIds)}
          and not exists (
            select from session s
            where s.organization_id = j.organization_id and s.anonymous_id = j.anonymous_id
          )
      ), forgotten as (
        delete from browser b
        using known k
        where b.organization_id = ${organizationId}
          and b.anonymous_id = k.anonymous_id
          and (k.kept is null or not k.has_sessions)
      )
      update browser b set
        identifications = k.kept,
        visitor_id = (k.kept -> -1 ->> 1)::uuid
      from known k
      where b.organization_id = ${organizationId}
        and b.anonymous_id = k.anonymous_id
        and k.has_sessions
        and k.kept <> k.identifications`.pipe(Effect.asVoid)

  /** Deletes people without a remaining session, with their addresses and credits; returns their ids. */
  const forgetVisitors = Effect.fnUntraced(function* (
    organizationId: string,
    visitorIds: ReadonlyArray<string>,
  ) {
    const gone = yield* sql<{ readonly id: string }>`
      delete from visitor v
      where v.organization_id = ${organizationId}
        and v.id in ${idsIn(visitorIds)}
        and not exists (
          select from session s
          where s.organization_id = v.organization_id and s.visitor_id = v.id
        )
      returning v.id`
    const ids = gone.map(({ id }) => id)
    if (ids.length === 0) return ids
    yield* sql`
      delete from identity_link l
      using visitor_address a
      where a.organization_id = ${organizationId}
        and a.visitor_id in ${idsIn(ids)}
        and l.organization_id = a.organization_id
        and l.email_hash = a.email_hash
        and l.import_id is null`
    for (const table of ["visitor_address", "credit"]) {
      yield* sql`
        delete from ${sql(table)}
        where organization_id = ${organizationId}
          and visitor_id in ${idsIn(ids)}`
    }
    return ids
  })

  /** Deletes at most `limit` events received too long ago. Returns how many. */
  const deleteEvents = (
    { organizationId, retentionDays }: KeptOrganization,
    limit: number,
  ): Result<number> =>
    sql<{ readonly events: number }>`
      with due as (
        select organization_id, received_on, pixel_id, id from event
        where organization_id = ${organizationId}
          and received_on < (now() at time zone 'utc')::date - ${retentionDays}::int
        limit ${limit}
      ), gone as (
        delete from event e
        using due d
        where e.organization_id = d.organization_id
          and e.received_on = d.received_on
          and e.pixel_id = d.pixel_id
          and e.id = d.id
        returning 1
      )
      select count(*)::int as events from gone`.pipe(Effect.map(([row]) => row!.events))

  return {
    /** Runs the effect in one transaction. */
    transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | SqlError.SqlError, R> =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
    organizations,
    allOrganizations,
    emptySessionClickIds,
    deleteEventClickIds,

    /** Waits for the organization's turn, held until the transaction ends. */
    waitForTurn: organizationTurns(sql).wait,
    deleteSessions,
    forgetBrowsers,
    forgetVisitors,
    deleteEvents,
  }
})

export class RetentionStore extends Context.Service<RetentionStore, Effect.Success<typeof make>>()(
  "@footfall/server/identification/RetentionStore",
) {
  static readonly layer = Layer.effect(RetentionStore, make)
}
