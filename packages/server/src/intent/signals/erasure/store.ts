// SQL that removes people from an organization's signals. Runs in the transaction of an erasure, under the lock of the
// signals' writers.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { KeptKind } from "../../../people/erasure/kept-store.ts"
import type { ErasedPerson } from "../../../people/erasure/later-erasure.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface StagedPiece {
  readonly id: bigint
  readonly signals: number
  readonly entries: Buffer
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const array = (numbers: ReadonlyArray<number>) => sql`${`{${numbers.join(",")}}`}::int[]`

  /** Removes them from the blocks and from every figure that counted them. */
  const eraseSignals = Effect.fnUntraced(function* (
    organizationId: string,
    numbers: ReadonlyArray<number>,
  ) {
    yield* sql`
      with hit as materialized (
        select
          s.origin, s.date, s.topic_id, s.score,
          (select count(*) from unnest(s.people) as p where p = any (${array(numbers)}))::int
            as count,
          array(
            select p from unnest(s.people) as p where p <> all (${array(numbers)}) order by p
          ) as rest
        from signal s
        where s.organization_id = ${organizationId} and s.people && ${array(numbers)}
      ), lessened as (
        update signal s set people = h.rest
        from hit h
        where s.organization_id = ${organizationId}
          and (s.origin, s.date, s.topic_id, s.score) = (h.origin, h.date, h.topic_id, h.score)
          and h.rest <> '{}'
      ), emptied as (
        delete from signal s
        using hit h
        where s.organization_id = ${organizationId}
          and (s.origin, s.date, s.topic_id, s.score) = (h.origin, h.date, h.topic_id, h.score)
          and h.rest = '{}'
      ), dates as (
        update signal_date d set signals = d.signals - h.count
        from (select origin, date, sum(count)::int as count from hit group by origin, date) as h
        where d.organization_id = ${organizationId}
          and (d.origin, d.date) = (h.origin, h.date)
      )
      update topic_day t set
        unique_audience = t.unique_audience - h.count,
        total_signals = t.total_signals - h.count,
        score_sum = t.score_sum - h.score_sum,
        high_audience = t.high_audience - h.high,
        medium_audience = t.medium_audience - (h.count - h.high - h.low),
        low_audience = t.low_audience - h.low
      from (
        select
          topic_id, date, sum(count)::int as count, sum(count * score) as score_sum,
          coalesce(sum(count) filter (where score >= 90), 0)::int as high,
          coalesce(sum(count) filter (where score < 70), 0)::int as low
        from hit
        group by topic_id, date
      ) as h
      where ${organizationId} = ${sharedOrganizationId}
        and (t.topic_id, t.date) = (h.topic_id, h.date)`
    yield* sql`
      delete from signal_date where organization_id = ${organizationId} and signals = 0`
    if (organizationId === sharedOrganizationId) {
      yield* sql`delete from topic_day where unique_audience = 0`
    }
  })

  /** Concurrent counts see the other people unchanged until all aliases are recomputed. */
  const eraseAliases = Effect.fnUntraced(function* (
    organizationId: string,
    emailHashes: ReadonlyArray<string>,
  ) {
    const gone = yield* sql<{ readonly person: number }>`
      with erased as materialized (
        select p.id
        from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb) as h
        join signal_person p on p.email_hash = decode(h, 'hex')
      )
      delete from signal_alias
      where organization_id = ${organizationId}
        and (person in (select id from erased) or leads_to in (select id from erased))
      returning person`
    for (const { person } of gone) {
      yield* sql`
        update signal_alias_map set bits = set_bit(bits, ${person}, 0)
        where organization_id = ${organizationId} and octet_length(bits) * 8 > ${person}`
    }
    yield* sql`insert into signal_alias_change (organization_id) values (${organizationId})`
  })

  return {
    /**
     * Waits for other writers of signals or aliases that an erasure may change, and blocks new ones until the
     * transaction ends.
     */
    lock: (organizationId: string): Result<void> => {
      // Only the operator can erase people from shared signals.
      const owners = sql`
        select ${organizationId}::text as id
        union all
        select ${sharedOrganizationId}::text
        from organization where id = ${organizationId} and is_operator`
      return Effect.andThen(
        sql`select pg_advisory_xact_lock(${advisoryLocks.signals}, hashtext(id)) from (${owners}) as owner`,
        sql`
          select from signal_alias_map
          where organization_id in (select id::uuid from (${owners}) as owner)
          order by organization_id desc
          for update`,
      ).pipe(Effect.asVoid)
    },

    /** The person's signals in Postgres: a topic, a day and a score. */
    kept: ({ addresses, organizationId }: ErasedPerson): ReadonlyArray<KeptKind> => [
      {
        kind: "signals",
        rows: sql`
          select to_jsonb(s) - 'people' as row
          from signal s
          where s.organization_id = ${organizationId} and s.people && array(
            select p.id
            from jsonb_array_elements_text(
              ${JSON.stringify(addresses.map(({ emailHash }) => emailHash))}::text::jsonb) as h
            join signal_person p on p.email_hash = decode(h, 'hex')
            where ${organizationId}::uuid = any (p.organization_ids)
          )`,
      },
    ],

    /** Returns the numbers of those hashes that the organization's signals name. */
    numbersOf: (
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ): Result<ReadonlyArray<number>> =>
      sql<{ readonly id: number }>`
        select p.id
        from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb) as h
        join signal_person p on p.email_hash = decode(h, 'hex')
        where ${organizationId}::uuid = any (p.organization_ids)`.pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
      ),

    /** Deletes the links between these numbers and others. */
    eraseAliases,
    eraseSignals,
    stagedIds: (organizationId: string): Result<ReadonlyArray<bigint>> =>
      sql<{ readonly id: bigint }>`
        select id from signal_staged where organization_id = ${organizationId}`.pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
      ),
    staged: (organizationId: string, id: bigint): Result<Buffer | undefined> =>
      sql<{ readonly entries: Buffer }>`
        select entries from signal_staged
        where organization_id = ${organizationId} and id = ${id}`.pipe(
        Effect.map(([row]) => row?.entries),
      ),
    restage: (organizationId: string, { entries, id, signals }: StagedPiece): Result<void> =>
      Effect.asVoid(sql`
        update signal_staged set entries = ${entries}, signals = ${signals}
        where organization_id = ${organizationId} and id = ${id}`),

    /** Removes the numbers from the organization; their hashes are deleted with the last reference. */
    eraseNumbers: (organizationId: string, numbers: ReadonlyArray<number>): Result<void> =>
      Effect.andThen(
        sql`
          update signal_person set
            organization_ids = array_remove(organization_ids, ${organizationId}::uuid)
          where id = any (${array(numbers)})`,
        sql`
          delete from signal_person
          where id = any (${array(numbers)}) and organization_ids = '{}'`,
      ).pipe(Effect.asVoid),
  }
})

export class SignalErasureStore extends Context.Service<
  SignalErasureStore,
  Effect.Success<typeof make>
>()("@footfall/server/topics/SignalErasureStore") {
  static readonly layer = Layer.effect(SignalErasureStore, make)
}
