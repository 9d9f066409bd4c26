// SQL that stores the aliases of numbers.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../../../platform/database/transaction.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import { StatementTimedOut } from "../../../platform/database/statement-timeout.ts"
import { fragmentOf } from "../../../platform/database/sql-text.ts"
import { aliases } from "./compile.ts"

/** For an organization with many visitors, or for the shared aliases, this takes longer than a request is allowed. */
const madeWithin = "60s"
/** Maximum age of an organization's own aliases. Addresses from visits take effect within this time. */
const ownSecondsMax = 60

export class AliasStore extends Context.Service<
  AliasStore,
  {
    /** The owners whose aliases must be computed before the organization counts people, in this order. */
    outOfDate(organizationId: string): Effect.Effect<ReadonlyArray<string>>
    /**
     * Computes one owner's aliases, unless another process has done so in the meantime.
     *
     * *Guarantee*: atomic; one at a time per owner. Changes during the run make them outdated again.
     */
    make(owner: string): Effect.Effect<void, SqlError.SqlError | StatementTimedOut>
  }
>()("@footfall/server/audiences/AliasStore") {
  static readonly layer = Layer.effect(
    AliasStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /**
       * Shared aliases become outdated only through changes. An organization's own aliases also do when the shared ones
       * they build on change, and with time.
       */
      const outOfDate = (organizationId: string) =>
        sql<{ readonly owner: string }>`
          select candidate.owner
          from (values (${sharedOrganizationId}::uuid, 0), (${organizationId}::uuid, 1))
            as candidate (owner, place)
          left join signal_alias_map as map on map.organization_id = candidate.owner
          left join signal_alias_map as shared
            on shared.organization_id = ${sharedOrganizationId} and candidate.place = 1
          where (candidate.place = 0 or candidate.owner <> ${sharedOrganizationId})
            and (
              coalesce(map.made_at, '-infinity') = '-infinity'
              or map.beside is distinct from shared.made_at
              or (
                candidate.place = 1
                and map.made_at < clock_timestamp() - make_interval(secs => ${ownSecondsMax}::float8)
              )
              or exists (
                select from signal_alias_change as change
                where change.organization_id in (candidate.owner, ${sharedOrganizationId})
              )
            )
          order by candidate.place`.pipe(Effect.map((rows) => rows.map(({ owner }) => owner)))

      /** Runs before anything is read: later changes stay visible and make this result outdated. */
      const begin = (owner: string) => sql`
        with compared as (
          update signal_alias_map set beside = (
            select shared.made_at from signal_alias_map as shared
            where shared.organization_id = ${sharedOrganizationId}
              and shared.organization_id <> ${owner}
          )
          where organization_id = ${owner}
        )
        delete from signal_alias_change
        where organization_id = ${owner}
          or (
            changed_at < now() - interval '1 day'
            and organization_id not in (select organization_id from signal_alias_map)
          )`

      const putAliases = (owner: string) =>
        sql`
          with computed as materialized (${fragmentOf(aliases(owner))}), removed as (
            delete from signal_alias as alias
            where alias.organization_id = ${owner}
              and not exists (select from computed where computed.person = alias.person)
          )
          insert into signal_alias (organization_id, person, leads_to)
          select ${owner}::uuid, computed.person, computed.leads_to
          from computed
          where not exists (
            select from signal_alias as alias
            where alias.organization_id = ${owner} and alias.person = computed.person
              and alias.leads_to = computed.leads_to
          )
          order by computed.person
          on conflict (organization_id, person) do update set leads_to = excluded.leads_to`
          .unprepared

      const putMap = (owner: string) => sql`
        update signal_alias_map
        set made_at = clock_timestamp(),
          bits = coalesce((
            select string_agg(
              set_byte('\\x00'::bytea, 0, coalesce(byte.value, 0)), ''::bytea order by place.number
            )
            from generate_series(
              0, (select max(person) >> 3 from signal_alias where organization_id = ${owner})
            ) as place (number)
            left join (
              select person >> 3 as number, bit_or(1 << (person & 7)) as value
              from signal_alias
              where organization_id = ${owner}
              group by 1
            ) as byte on byte.number = place.number
          ), '')
        where organization_id = ${owner}`

      // Most shared addresses are needed, so whole tables are read instead of one index probe each, which takes
      // four times as long.
      const planned = (owner: string) => sql`
        select set_config('statement_timeout', ${madeWithin}, true),
          set_config('lock_timeout', ${madeWithin}, true),
          set_config('work_mem', '64MB', true),
          set_config('enable_nestloop', ${owner === sharedOrganizationId ? "off" : "on"}, true)`

      const make = Effect.fnUntraced(function* (owner: string) {
        yield* planned(owner)
        yield* sql`
          insert into signal_alias_map (organization_id, bits, made_at)
          values (${owner}::uuid, '', '-infinity')
          on conflict (organization_id) do nothing`
        yield* sql`select from signal_alias_map where organization_id = ${owner} for update`
        if (!(yield* outOfDate(owner)).includes(owner)) return
        yield* begin(owner)
        yield* putAliases(owner)
        yield* putMap(owner)
      })

      return AliasStore.of({
        outOfDate: (organizationId) => Effect.orDie(outOfDate(organizationId)),
        make: (owner) =>
          transaction(make(owner)).pipe(
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.catchReason("SqlError", "StatementTimeoutError", () => new StatementTimedOut()),
          ),
      })
    }),
  )
}
