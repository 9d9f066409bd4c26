// SQL that looks up and assigns the numbers of people in an import. It finds people by hash in a lateral subquery:
// a plain join would make the planner, which does not know how many people there are, read all of them in every
// step.
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { advisoryLocks } from "../../../platform/database/advisory-locks.ts"
import { mentionDaysMax } from "../store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface NumbersStore {
  /** Waits for others who assign numbers to people, and blocks new ones until the transaction ends. */
  readonly lockNumbers: Result<void>
  /**
   * Returns the numbers of these hashes, 32 bytes each; 0 for a hash without one, which stays so under
   * `lockNumbers`. Records that the organization names those with a number.
   */
  numbersOf(organizationId: string, hashes: Buffer): Result<Int32Array>
  /** Assigns numbers to these ascending hashes, which have none. Requires `lockNumbers`. */
  giveNumbers(organizationId: string, hashes: Buffer): Result<Int32Array>
}

const hashBytes = 32

export const numbersStore = (sql: SqlClient.SqlClient): NumbersStore => {
  const hashesOf = (hashes: Buffer) => sql`(
    select n, substr(${hashes}::bytea, n * ${hashBytes}::int + 1, ${hashBytes}::int) as email_hash
    from generate_series(0, ${hashes.length / hashBytes - 1}::int) as n
  )`

  // People who are being removed right now are not recorded and have no number.
  const numbersOf = (organizationId: string, hashes: Buffer) =>
    sql<{ readonly numbers: Buffer }>`
      with known as materialized (
        select s.n, p.id, p.is_named
        from ${hashesOf(hashes)} as s
        left join lateral (
          select
            id,
            ${organizationId}::uuid = any (organization_ids)
              and named_on >= current_date - ${mentionDaysMax}::int as is_named
          from signal_person
          where email_hash = s.email_hash
          limit 1
        ) as p on true
      ), named as (
        update signal_person p set
          organization_ids = case
            when ${organizationId}::uuid = any (p.organization_ids) then p.organization_ids
            else p.organization_ids || ${organizationId}::uuid
          end,
          named_on = current_date
        where p.id in (select id from known where not is_named)
        returning p.id
      )
      select string_agg(
        int4send(case when k.is_named then k.id else coalesce(named.id, 0) end), '' order by k.n
      ) as numbers
      from known k
      left join named on named.id = k.id`.pipe(
      Effect.map(([row]) => integersOf(row!.numbers, 0, 4)), // an aggregate returns one row
    )

  // The lock makes "on conflict" unnecessary, which would cost half as much again.
  const giveNumbers = (organizationId: string, hashes: Buffer) =>
    sql<{ readonly numbers: Buffer }>`
      with given as (
        insert into signal_person (email_hash, organization_ids)
        select email_hash, array[${organizationId}::uuid]
        from ${hashesOf(hashes)} as s
        order by n
        returning id, email_hash
      )
      select string_agg(int4send(id), '' order by email_hash) as numbers from given`.pipe(
      Effect.map(([row]) => integersOf(row!.numbers, 0, 4)), // an aggregate returns one row
    )

  return {
    lockNumbers: Effect.asVoid(sql`select pg_advisory_xact_lock(${advisoryLocks.signalPeople})`),
    numbersOf,
    giveNumbers,
  }
}

/** 32-bit numbers as sent by Postgres, one every `step` bytes starting at `first`. */
export const integersOf = (bytes: Buffer, first: number, step: number): Int32Array => {
  const numbers = new Int32Array(Math.max(0, Math.ceil((bytes.length - first) / step)))
  for (let place = 0; place < numbers.length; place++) {
    numbers[place] = bytes.readInt32BE(first + place * step)
  }
  return numbers
}
