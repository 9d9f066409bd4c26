// SQL that undoes an import (spec 5.16.10): it takes back what only the import added, and returns what it removed.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { RuleType } from "../suppression/rule.ts"
import { countsOf, ruleIds } from "../suppression/store.ts"

type Counted = { readonly type: RuleType; readonly rows: number }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = ruleIds(sql)
  const rowsOf = Effect.map(([row]: ReadonlyArray<{ readonly rows: number }>) => row!.rows)

  return {
    /** Leaves rules that a source has to the source. */
    passToSources: (organizationId: string, importId: string) =>
      sql`
        update suppression_rule as rule set origin_id = own.source_id
        from suppression_source_rule as own
        where rule.organization_id = ${organizationId} and rule.origin_id = ${importId}
          and not rule.is_held
          and own.organization_id = rule.organization_id and own.type = rule.type
          and own.match_key = rule.match_key`,

    /** Removes the rules that only the import has added. Returns their number by type. */
    retractRules: (organizationId: string, importId: string, at: string) =>
      Effect.map(
        sql<Counted>`
          with removed as (
            update suppression_rule set removed_at = ${at}::timestamptz
            where organization_id = ${organizationId} and removed_at is null
              and origin_id = ${importId} and not is_held
            returning type
          )
          select type, count(*)::int as rows from removed group by type`,
        countsOf,
      ),

    /** Puts rules back that the import has removed. Returns their number by type. */
    returnRules: (organizationId: string, importId: string, at: string) =>
      Effect.map(
        sql<Counted>`
          with request as materialized (
            select ${ids.prefix(sql`${at}::timestamptz`)} as prefix, ${ids.base} as base
          ), returned as (
            insert into suppression_rule
              (organization_id, id, type, value, match_key, also_key, created_at, takes_part_at,
                origin_id, is_held)
            select ${organizationId}::uuid,
              ((select prefix from request)
                || to_hex((select base from request) + row_number() over ()))::uuid,
              type, value, match_key, also_key, ${at}::timestamptz, ${at}::timestamptz, origin_id,
              is_held
            from import_removal
            where organization_id = ${organizationId} and import_id = ${importId}
            on conflict (organization_id, type, match_key) do update set
              id = excluded.id, value = excluded.value, created_at = excluded.created_at,
              removed_at = null, origin_id = excluded.origin_id, is_held = excluded.is_held
            where suppression_rule.removed_at is not null
            returning type
          )
          select type, count(*)::int as rows from returned group by type`,
        countsOf,
      ),

    /** Removes the values of a locked list that only the import has added. Returns their number. */
    retractMembers: (listId: string, importId: string) =>
      rowsOf(sql<{ readonly rows: number }>`
        with removed as (
          delete from list_member where list_id = ${listId} and origin_id = ${importId}
          returning 1
        )
        select count(*)::int as rows from removed`),

    /** Puts values back that the import has removed from a locked list. Returns their number. */
    returnMembers: (organizationId: string, listId: string, importId: string) =>
      rowsOf(sql<{ readonly rows: number }>`
        with returned as (
          insert into list_member (organization_id, list_id, key, value, origin_id)
          select ${organizationId}::uuid, ${listId}::uuid, match_key, value, origin_id
          from import_removal
          where organization_id = ${organizationId} and import_id = ${importId}
          on conflict (list_id, key) do nothing
          returning 1
        )
        select count(*)::int as rows from returned`),
  }
})

export class ImportUndoStore extends Context.Service<
  ImportUndoStore,
  Effect.Success<typeof make>
>()("@footfall/server/file-imports/ImportUndoStore") {
  static readonly layer = Layer.effect(ImportUndoStore, make)
}
