// SQL that finds the numbers of visitors in signals: of their own addresses and of all that lead to them, as audiences do.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sharedOrganizationId } from "../../access/organization.ts"
import { fragmentOf, SqlText, sqlText } from "../../platform/database/sql-text.ts"
import { members, owners, type Viewer } from "../audiences/aliases/leads.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface PickedVisitors {
  readonly organizationId: string
  /** Ascending, without repeats. */
  readonly ids: ReadonlyArray<string>
}

export interface VisitorAddresses {
  readonly visitorId: string
  /** SHA-256 in hex. */
  readonly own: ReadonlyArray<string>
  /** Addresses that are no visitor's and lead to these. */
  readonly others: ReadonlyArray<string>
}

interface Place {
  readonly afterOrganization: string
  readonly afterVisitor: string
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const idsIn = (ids: ReadonlyArray<string>) => sql`${`{${ids.join(",")}}`}::uuid[]`

  /** Those of the first organization, because a turn is for one. */
  const picked = (
    rows: ReadonlyArray<{ readonly organizationId: string; readonly id: string }>,
  ) => {
    const [first] = rows
    if (first === undefined) return
    const { organizationId } = first
    const own = rows.filter((row) => row.organizationId === organizationId)
    return { organizationId, ids: own.map(({ id }) => id) } satisfies PickedVisitors
  }

  return {
    /** The next visitors of an organization, or of any. */
    next: (
      owner: string,
      { afterOrganization, afterVisitor }: Place,
      limit: number,
    ): Result<PickedVisitors | undefined> =>
      sql<{ readonly organizationId: string; readonly id: string }>`
        select organization_id as "organizationId", id from visitor
        where (organization_id, id) > (${afterOrganization}::uuid, ${afterVisitor}::uuid)
          ${owner === sharedOrganizationId ? sql`` : sql`and organization_id = ${owner}::uuid`}
        order by organization_id, id
        limit ${limit}`.pipe(Effect.map(picked)),

    /** The next visitors who changed. */
    nextStale: (
      { afterOrganization, afterVisitor }: Place,
      limit: number,
    ): Result<PickedVisitors | undefined> =>
      sql<{ readonly organizationId: string; readonly id: string }>`
        select distinct organization_id as "organizationId", visitor_id as id
        from visitor_topic_stale
        where (organization_id, visitor_id) > (${afterOrganization}::uuid, ${afterVisitor}::uuid)
        order by organization_id, visitor_id
        limit ${limit}`.pipe(Effect.map(picked)),

    /**
     * Keeps those who still exist, and their notes are done. Whoever another transaction is changing stays noted for a
     * later turn.
     */
    lock: ({ ids, organizationId }: PickedVisitors): Result<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        with locked as materialized (
          select id from visitor
          where organization_id = ${organizationId}::uuid and id = any (${idsIn(ids)})
          for key share skip locked
        ), present as materialized (
          select id from visitor
          where organization_id = ${organizationId}::uuid and id = any (${idsIn(ids)})
        ), done as (
          delete from visitor_topic_stale as stale
          where stale.organization_id = ${organizationId}::uuid
            and stale.visitor_id = any (${idsIn(ids)})
            and (
              stale.visitor_id in (select id from locked)
              or stale.visitor_id not in (select id from present)
            )
        ), noted as (
          insert into visitor_topic_stale (organization_id, visitor_id)
          select ${organizationId}::uuid, id from present
          where id not in (select id from locked)
            and not exists (
              select from visitor_topic_stale as stale
              where stale.organization_id = ${organizationId}::uuid and stale.visitor_id = present.id
            )
        )
        select id from locked`.pipe(Effect.map((rows) => rows.map(({ id }) => id))),

    /** `erased`: addresses that lead nowhere. */
    addresses: (
      { ids, organizationId }: PickedVisitors,
      erased: ReadonlyArray<string>,
    ): Result<ReadonlyArray<VisitorAddresses>> => {
      const viewer: Viewer = { organizationId, hasVisitors: true, hasPeople: true, erased }
      const root = SqlText.of("v.email_hash")
      const visitorId = SqlText.of("v.id")
      return sql<VisitorAddresses>`${fragmentOf(sqlText`
        select v.id as "visitorId", own.hashes as own, case
          when exists (
            select from person_address as follower
            where follower.organization_id = ${owners(viewer)}
              and follower.person_hash = any (own.hashes)
          ) then array(
            select kin.hash from unnest(${members(viewer, { root, visitorId })}) as kin (hash)
            where kin.hash <> all (own.hashes)
          )
          else '{}'
        end as others
        from visitor as v
        cross join lateral (
          select array_agg(address.email_hash) || v.email_hash as hashes from visitor_address as address
          where address.organization_id = v.organization_id and address.visitor_id = v.id
        ) as own
        where v.organization_id = ${organizationId}::uuid and v.id = any (${ids}::text[]::uuid[])`)}`
    },

    /**
     * Writes the numbers of these visitors. New ones lack the signals of all sources so far. Who has lost a number has no
     * topics until the signals of the others are read again.
     */
    writeNumbers: (
      organizationId: string,
      visitors: ReadonlyArray<{
        readonly visitorId: string
        readonly hashes: ReadonlyArray<string>
      }>,
    ): Result<void> =>
      Effect.asVoid(sql`
        with asked as materialized (
          select one."visitorId" as visitor_id, decode(address.hash, 'hex') as email_hash
          from jsonb_to_recordset(${JSON.stringify(visitors)}::text::jsonb)
            as one ("visitorId" uuid, hashes jsonb)
          cross join lateral jsonb_array_elements_text(one.hashes) as address (hash)
        ), wanted as materialized (
          select distinct asked.visitor_id, number.id as person
          from asked
          cross join lateral (
            select id from signal_person where email_hash = asked.email_hash limit 1
          ) as number
        ), known as materialized (
          select visitor_id, person from visitor_number
          where organization_id = ${organizationId}::uuid
            and visitor_id = any (${idsIn(visitors.map(({ visitorId }) => visitorId))})
        ), lost as (
          delete from visitor_number as own
          using (select visitor_id, person from known except select visitor_id, person from wanted)
            as gone
          where own.organization_id = ${organizationId}::uuid
            and own.visitor_id = gone.visitor_id and own.person = gone.person
          returning own.visitor_id
        ), without as (
          delete from visitor_topic as topic
          where topic.organization_id = ${organizationId}::uuid
            and topic.visitor_id = any (array(select visitor_id from lost))
        ), source as materialized (
          select case
            when exists (select from visitor_topic_source where is_whole) then (
              select max(id) from visitor_topic_source
            ) + (round.kind = 'visitors')::integer
          end as id
          from visitor_topic_round as round
        )
        insert into visitor_number as own (organization_id, visitor_id, person, since)
        select ${organizationId}::uuid, wanted.visitor_id, wanted.person, source.id
        from wanted
        cross join source
        where wanted.visitor_id in (select visitor_id from lost)
          or (wanted.visitor_id, wanted.person) not in (select visitor_id, person from known)
        on conflict (organization_id, visitor_id, person) do update set since = excluded.since`),
  }
})

export class VisitorNumberStore extends Context.Service<
  VisitorNumberStore,
  Effect.Success<typeof make>
>()("@footfall/server/visitor-topics/VisitorNumberStore") {
  static readonly layer = Layer.effect(VisitorNumberStore, make)
}
