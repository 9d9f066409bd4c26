// SQL for rounds: which signals have to be read for visitors, how far the worker is, and which sources the rules of each
// organization read (spec 3.3). A round is one process's at a time: its row is locked for a turn.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { sharedOrganizationId } from "../../access/organization.ts"
import { transaction } from "../../platform/database/transaction.ts"
import { dataDateOf } from "../signals/store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** What was read last, in order of topic, score and `place`: how far within the people of both. */
export interface SignalCursor {
  readonly topicId: number
  readonly score: number
  readonly place: number
}

/** Before every signal. */
export const firstSignal: SignalCursor = { topicId: -1, score: 0, place: 0 }

/** The signals of one owner, origin and date, at one version. */
export interface Source {
  readonly id: number
  /** `sharedOrganizationId`: signals of the visitors of every organization. */
  readonly organizationId: string
  readonly origin: "import" | "pixel"
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Of the signals in ClickHouse. */
  readonly generation: string | null
}

export interface Round extends SignalCursor {
  readonly number: string
  /** A source as a whole, or the visitors who changed. */
  readonly kind: "source" | "visitors"
  readonly step: "people" | "signals" | "end"
  /** Absent while the visitors who changed get their numbers. */
  readonly source: Source | null
  /** Whose visitors all get their numbers again. */
  readonly organizationId: string | null
  readonly afterOrganization: string
  readonly afterVisitor: string
}

/** How long a source is left alone after it was read, as a multiple of the time it took, and at most. */
const restFactor = 3
const restMax = "10 minutes"
/** How often an organization's visitors get their numbers again because of new people and links. */
const linksWait = "10 minutes"
/** How often to look for sources although no signals have changed: a data date also ages. */
const settleWait = "10 minutes"

const nil = "00000000-0000-0000-0000-000000000000"

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const shared = sql`${sharedOrganizationId}::uuid`

  /** Undefined without one. */
  const round: Result<Round | undefined> = sql<Round>`
    select round.number::text as number, round.kind, round.step,
      round.organization_id as "organizationId",
      coalesce(round.after_organization, ${nil}::uuid) as "afterOrganization",
      coalesce(round.after_visitor, ${nil}::uuid) as "afterVisitor",
      coalesce(round.topic_id, -1) as "topicId", coalesce(round.score, 0)::integer as score,
      coalesce(round.place, 0) as place,
      case when source.id is not null then jsonb_build_object(
        'id', source.id, 'organizationId', source.organization_id, 'origin', source.origin,
        'date', source.date, 'generation', source.generation
      ) end as source
    from visitor_topic_round as round
    left join visitor_topic_source as source on source.id = round.source_id
    where round.kind is not null`.pipe(Effect.map(([row]) => row))

  /** Organizations with intent and with visitors, and their data dates. */
  const viewers = sql`
    select organization.id, ${dataDateOf(sql, sql`organization.id`)} as date
    from organization
    where organization.intent_enabled and exists (select from visitor where visitor.organization_id = organization.id)`

  /** Sets what the organizations' rules read, and returns the signals that have to be read for it. */
  const settle = Effect.gen(function* () {
    yield* sql`
      update visitor_topic_basis as basis set previous_date = null, previous_sources = '{}'
      where previous_date is not null and not exists (
        select from signal_date as day
        where day.organization_id in (basis.organization_id, ${shared})
          and day.date = basis.previous_date
      )`
    const missing = yield* sql<{
      readonly organizationId: string
      readonly origin: string
      readonly date: string
      readonly isDue: boolean
    }>`
      with viewer as materialized (${viewers}), needed as materialized (
        select viewer.id, viewer.date as viewer_date, day.organization_id as owner, day.origin,
          day.date, day.updated_at,
          latest.id as source_id, latest.version,
          latest.ended_at is null or now() > latest.ended_at
            + least(${restFactor} * (latest.ended_at - latest.begun_at), ${restMax}::interval) as is_due
        from viewer
        left join signal_date as day
          on day.organization_id in (viewer.id, ${shared}) and day.date = viewer.date
        left join lateral (
          select source.* from visitor_topic_source as source
          where source.organization_id = day.organization_id and source.date = day.date
            and source.origin = day.origin and source.is_whole and not source.is_gone
          order by source.id desc
          limit 1
        ) as latest on true
      ), settled as (
        insert into visitor_topic_basis as basis (organization_id, date, sources, people_version)
        select id, min(viewer_date),
          coalesce(array_agg(source_id order by source_id) filter (where source_id is not null), '{}'),
          ${peopleVersion(sql`id`)}
        from needed
        group by id
        having bool_and(source_id is not null or owner is null)
        on conflict (organization_id) do update set date = excluded.date,
          sources = excluded.sources,
          previous_date = case when basis.date <> excluded.date then basis.date
            else basis.previous_date end,
          previous_sources = case when basis.date <> excluded.date then basis.sources
            else basis.previous_sources end
        where basis.sources <> excluded.sources
      ), ended as (
        delete from visitor_topic_basis as basis
        where basis.organization_id not in (select id from viewer)
      )
      select owner as "organizationId", origin, date, bool_or(is_due) as "isDue"
      from needed
      where owner is not null and version is distinct from updated_at
      group by owner, origin, date
      order by random()`
    yield* sql`
      update visitor_topic_source as source set is_gone = true
      where not source.is_gone
        and source.id not in (
          select unnest(sources || previous_sources) from visitor_topic_basis
        )
        and source.id is distinct from (select source_id from visitor_topic_round)
        and (not source.is_whole or exists (
          select from visitor_topic_source as later
          where later.organization_id = source.organization_id and later.date = source.date
            and later.origin = source.origin and later.is_whole and later.id > source.id
        ) or not exists (
          select from (${viewers}) as viewer
          where viewer.date = source.date and source.organization_id in (viewer.id, ${shared})
        ))`
    return missing
  })

  const peopleVersion = (organizationId: Statement.Fragment) => sql`(
    select coalesce(
      string_agg(version.organization_id || ' ' || version.version, ' ' order by version.organization_id), ''
    )
    from people_version as version
    where version.organization_id in (${organizationId}, ${shared})
  )`

  /** Returns its id; undefined if the date is gone. */
  const beginSource = Effect.fnUntraced(function* (day: {
    readonly organizationId: string
    readonly origin: string
    readonly date: string
  }) {
    const [source] = yield* sql<{ readonly id: number }>`
      insert into visitor_topic_source (organization_id, origin, date, version, generation)
      select organization_id, origin, date, updated_at, generation
      from signal_date
      where organization_id = ${day.organizationId} and origin = ${day.origin}
        and date = ${day.date}::date
      returning id`
    if (source === undefined) return false
    yield* sql`
      update visitor_topic_round set number = number + 1, kind = 'source', step = 'people',
        source_id = ${source.id}, organization_id = null, after_organization = null,
        after_visitor = null`
    return true
  })

  const beginVisitors = (organizationId: string | null) =>
    sql`
      update visitor_topic_round set number = number + 1, kind = 'visitors', step = 'people',
        source_id = null, organization_id = ${organizationId}::uuid, after_organization = null,
        after_visitor = null, signals_at = null`.pipe(Effect.asVoid)

  /** An organization whose imported people or links have changed. */
  const relinked = sql<{ readonly organizationId: string }>`
    update visitor_topic_basis as basis
    set linked_at = now(), people_version = ${peopleVersion(sql`basis.organization_id`)}
    where basis.organization_id = (
      select due.organization_id from visitor_topic_basis as due
      where due.linked_at < now() - ${linksWait}::interval
        and due.people_version <> ${peopleVersion(sql`due.organization_id`)}
      order by due.linked_at
      limit 1
    )
    returning basis.organization_id as "organizationId"`.pipe(
    Effect.map(([row]) => row?.organizationId),
  )

  return {
    transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | SqlError.SqlError, R> =>
      Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),

    round,

    /** Whether no process has found every visitor's topics for more than an hour, although there are signals. */
    isLate: sql<{ readonly isLate: boolean }>`
      select whole_at < now() - interval '1 hour' and exists (select from signal_date)
        and exists (select from visitor) as "isLate"
      from visitor_topic_round`.pipe(Effect.map(([row]) => row?.isLate === true)),

    /** Takes the turn until the transaction ends. False if another process has it. */
    take: sql`select from visitor_topic_round for update skip locked`.pipe(
      Effect.map((rows) => rows.length > 0),
    ),

    /**
     * Begins the next round: visitors who changed after a source, and sources after visitors, so that neither waits for
     * long. `version`: of all signals, read before. Returns whether there is one.
     */
    begin: Effect.fnUntraced(function* (version: string) {
      const [state] = yield* sql<{
        readonly wasVisitors: boolean
        readonly hasStale: boolean
        readonly mayBeMissing: boolean
      }>`
        select round.was_visitors as "wasVisitors",
          now() >= round.rests_until and (
            exists (select from visitor_topic_stale)
            or exists (select from visitor_number where since is not null)
          ) as "hasStale",
          round.whole_version <> ${version} or round.whole_at < now() - ${settleWait}::interval
            as "mayBeMissing"
        from visitor_topic_round as round
        where round.kind is null`
      if (state === undefined) return true
      const ofVisitors = Effect.gen(function* () {
        if (state.hasStale) return yield* Effect.as(beginVisitors(null), true)
        const organizationId = yield* relinked
        if (organizationId === undefined) return false
        return yield* Effect.as(beginVisitors(organizationId), true)
      })
      const ofSource = Effect.gen(function* () {
        if (!state.mayBeMissing) return false
        const missing = yield* settle
        if (missing.length === 0) {
          yield* sql`update visitor_topic_round set whole_version = ${version}, whole_at = now()`
        }
        const due = missing.find(({ isDue }) => isDue)
        return due === undefined ? false : yield* beginSource(due)
      })
      const [first, second] = state.wasVisitors ? [ofSource, ofVisitors] : [ofVisitors, ofSource]
      return (yield* first) || (yield* second)
    }),

    /** Whose id is remembered may be erased meanwhile, so it is forgotten with the last of the visitors. */
    movePeople: ({
      afterOrganization,
      afterVisitor,
    }: Pick<Round, "afterOrganization" | "afterVisitor">) =>
      sql`
        update visitor_topic_round
        set after_organization = ${afterOrganization}::uuid, after_visitor = ${afterVisitor}::uuid`.pipe(
        Effect.asVoid,
      ),

    moveSignals: ({ place, score, topicId }: SignalCursor) =>
      sql`
        update visitor_topic_round
        set step = 'signals', after_organization = null, after_visitor = null,
          topic_id = ${topicId}, score = ${score}, place = ${place},
          signals_at = coalesce(signals_at, clock_timestamp())`.pipe(Effect.asVoid),

    /** Takes the next source that lacks a visitor's number; false if there is none. */
    nextSource: (after: number): Result<boolean> =>
      sql`
        with next as (
          select min(source.id) as id
          from visitor_topic_source as source
          where source.is_whole and not source.is_gone and source.id > ${after}
            and exists (
              select from visitor_topic_basis as basis where source.id = any (basis.sources)
            )
            and exists (
              select from visitor_number as number
              where number.since > source.id
                and source.organization_id in (number.organization_id, ${shared})
            )
        )
        update visitor_topic_round as round
        set step = 'signals', source_id = next.id, after_organization = null,
          after_visitor = null, topic_id = null, score = null, place = null,
          signals_at = coalesce(round.signals_at, clock_timestamp())
        from next
        where next.id is not null
        returning 1`.pipe(Effect.map((rows) => rows.length > 0)),

    toEnd: Effect.asVoid(sql`
      update visitor_topic_round set step = 'end', source_id = null, after_organization = null,
        after_visitor = null`),

    /** Notes that no number lacks signals anymore. Returns how many there were, up to the limit. */
    forgetSince: (limit: number): Result<number> =>
      sql`
        update visitor_number as number set since = null
        from (
          select organization_id, visitor_id, person from visitor_number
          where since is not null
          order by since, organization_id, visitor_id, person
          limit ${limit}
        ) as picked
        where (number.organization_id, number.visitor_id, number.person)
          = (picked.organization_id, picked.visitor_id, picked.person)
        returning 1`.pipe(Effect.map((rows) => rows.length)),

    /** Ends a round of visitors. The next one waits, so that signals are read for a part of the time only. */
    endVisitors: Effect.asVoid(sql`
      update visitor_topic_round set kind = null, step = null, source_id = null,
        was_visitors = true,
        rests_until = now() + coalesce(
          least(${restFactor} * (clock_timestamp() - signals_at), ${restMax}::interval), '0'
        )`),

    /** Every visitor among the source's signals has their rows: rules read it once the others of its date are whole. */
    publish: (id: number): Result<void> =>
      sql`
        update visitor_topic_source set is_whole = true, ended_at = clock_timestamp()
        where id = ${id}`.pipe(
        Effect.andThen(sql`
          update visitor_topic_round set kind = null, step = null, source_id = null,
            was_visitors = false`),
        Effect.andThen(settle),
        Effect.asVoid,
      ),

    /** Gives the round up. What it had to do is found again. */
    abandon: Effect.asVoid(sql`
      update visitor_topic_round set
        was_visitors = kind = 'visitors',
        rests_until = case when kind = 'visitors' then now() + interval '1 minute' else rests_until end,
        kind = null, step = null, source_id = null, after_organization = null,
        after_visitor = null`),

    /** Whether the signals are where they were when the source was begun. */
    isThere: ({ date, generation, organizationId, origin }: Source): Result<boolean> =>
      sql`
        select from signal_date
        where organization_id = ${organizationId} and origin = ${origin} and date = ${date}::date
          and generation is not distinct from ${generation}::uuid`.pipe(
        Effect.map((rows) => rows.length > 0),
      ),

    /** Deletes rows of a source that no rule reads anymore. Returns how many, up to the limit; 0 without such a source. */
    clean: (limit: number): Result<number> =>
      Effect.gen(function* () {
        const [source] = yield* sql<{ readonly id: number }>`
          select id from visitor_topic_source where is_gone order by id limit 1
          for update skip locked`
        if (source === undefined) return 0
        const rows = yield* sql`
          delete from visitor_topic
          where ctid = any (array(
            select ctid from visitor_topic where source_id = ${source.id}
            order by source_id, topic_id, organization_id, visitor_id
            limit ${limit}
          ))
          returning 1`
        if (rows.length < limit)
          yield* sql`delete from visitor_topic_source where id = ${source.id}`
        return Math.max(rows.length, 1)
      }),
  }
})

export class VisitorTopicStore extends Context.Service<
  VisitorTopicStore,
  Effect.Success<typeof make>
>()("@footfall/server/visitor-topics/VisitorTopicStore") {
  static readonly layer = Layer.effect(VisitorTopicStore, make)
}
