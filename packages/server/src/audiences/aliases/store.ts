// The statements that keep the aliases of numbers.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { StatementTimedOut } from "../../visitors/store.ts"
import { transaction } from "../../database/transaction.ts"
import { fragmentOf } from "../fragment-store.ts"
import { aliases } from "./compile.ts"

/** Of an organization with many visitors, or of everybody, it takes longer than a request may. */
const madeWithin = "60s"

export class AliasStore extends Context.Service<
  AliasStore,
  {
    /** Whether the aliases of the organization are made of this, and no longer than so long ago. */
    isMadeOf(organizationId: string, basis: string, secondsMax: number): Effect.Effect<boolean>
    /** The newest number of a person. */
    readonly newestNumber: Effect.Effect<number>
    /**
     * Makes them anew, unless somebody else has meanwhile.
     *
     * *Guarantee*: atomic; one at a time for an organization.
     */
    make(
      organizationId: string,
      basis: string,
      secondsMax: number,
    ): Effect.Effect<void, SqlError.SqlError | StatementTimedOut>
  }
>()("@footfall/server/audiences/AliasStore") {
  static readonly layer = Layer.effect(
    AliasStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const isMadeOf = (organizationId: string, basis: string, secondsMax: number) =>
        sql<{ readonly isMade: boolean }>`
          select exists (
            select from signal_alias_map
            where organization_id = ${organizationId} and basis = ${basis}
              and made_at > clock_timestamp() - make_interval(secs => ${secondsMax}::float8)
          ) as "isMade"`.pipe(Effect.map(([row]) => row!.isMade)) // One row always.

      const newestNumber = sql<{ readonly id: number }>`
        select coalesce(max(id), 0) as id from signal_person`.pipe(Effect.map(([row]) => row!.id))

      const make = Effect.fnUntraced(function* (
        organizationId: string,
        basis: string,
        secondsMax: number,
      ) {
        yield* sql`
          select set_config('statement_timeout', ${madeWithin}, true),
            set_config('lock_timeout', ${madeWithin}, true),
            set_config('work_mem', '64MB', true)`
        yield* sql`
          insert into signal_alias_map (organization_id, bits, basis, made_at)
          values (${organizationId}::uuid, '', '', '-infinity')
          on conflict (organization_id) do nothing`
        yield* sql`
          select from signal_alias_map where organization_id = ${organizationId} for update`
        if (yield* isMadeOf(organizationId, basis, secondsMax)) return
        yield* sql`delete from signal_alias where organization_id = ${organizationId}`
        yield* sql`
          insert into signal_alias (organization_id, person, leads_to)
          select ${organizationId}::uuid, person, leads_to
          from (${fragmentOf(aliases(organizationId))}) as alias
          order by person`.unprepared
        yield* sql`
          update signal_alias_map
          set basis = ${basis}, made_at = clock_timestamp(), bits = coalesce((
            select string_agg(
              set_byte('\\x00'::bytea, 0, coalesce(byte.value, 0)), ''::bytea order by place.number
            )
            from generate_series(
              0, (select max(person) >> 3 from signal_alias where organization_id = ${organizationId})
            ) as place (number)
            left join (
              select person >> 3 as number, bit_or(1 << (person & 7)) as value
              from signal_alias
              where organization_id = ${organizationId}
              group by 1
            ) as byte on byte.number = place.number
          ), '')
          where organization_id = ${organizationId}`
      })

      return AliasStore.of({
        isMadeOf: (...asked) => Effect.orDie(isMadeOf(...asked)),
        newestNumber: Effect.orDie(newestNumber),
        make: (...asked) =>
          transaction(make(...asked)).pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.catchReason("SqlError", "StatementTimeoutError", () => new StatementTimedOut()),
          ),
      })
    }),
  )
}
