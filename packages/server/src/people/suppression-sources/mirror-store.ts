// SQL that makes the rules of a source what the source has now (spec 5.21.6). `suppression_source_rule` holds what it had:
// so a rule goes only if no other source has it and no member, and no file, has added it.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../../platform/database/text-array.ts"
import { type RuleType, ruleKeys } from "../suppression/rule.ts"
import { countsOf, ruleIds } from "../suppression/store.ts"

/** Up to this many rows are looked up one by one; more are compared in one reading. */
const lookedUpMax = 20_000

/** What a source has now: a staged file, a list as these types, what it had before, or nothing. */
export type Wanted =
  | { readonly importId: string }
  | { readonly listId: string; readonly types: ReadonlyArray<RuleType> }
  | "as before"
  | "nothing"

export interface MirrorKey {
  readonly organizationId: string
  readonly sourceId: string
}

type Counted = { readonly type: RuleType; readonly rows: number }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = ruleIds(sql)

  const rowsOf = (wanted: Wanted, { sourceId }: MirrorKey) => {
    if (wanted === "nothing") {
      return sql`(
        select type, match_key, value, also_key from suppression_source_rule where false)`
    }
    if (wanted === "as before") {
      return sql`(
        select type, match_key, value, also_key from suppression_source_rule
        where source_id = ${sourceId})`
    }
    return "importId" in wanted
      ? sql`(
          select type, match_key, value, also_key from staged_rule
          where import_id = ${wanted.importId})`
      : sql`(
          select kind.type, key as match_key, value, null::text as also_key
          from list_member
          cross join unnest(${textArray(wanted.types)}::text::text[]) as kind (type)
          where list_id = ${wanted.listId})`
  }

  const isSame = sql`had.source_id = own.source_id and had.type = wanted.type
    and had.match_key = wanted.match_key`

  return {
    /** In a transaction: how Postgres compares. Its statistics are older than what has just arrived. */
    prepare: (rows: number) => sql`
      select set_config('statement_timeout', '600s', true), set_config('work_mem', '64MB', true),
        set_config('max_parallel_workers_per_gather', '0', true),
        set_config('enable_mergejoin', 'off', true),
        set_config(${rows > lookedUpMax ? "enable_nestloop" : "enable_hashjoin"}, 'off', true)`,

    /** How many rows a source has now, how many of them it had, and how many it had in all. */
    compared: (key: MirrorKey, wanted: Wanted) =>
      Effect.map(
        sql<{ readonly wanted: number; readonly common: number; readonly had: number }>`
          with own as (select ${key.sourceId}::uuid as source_id)
          select count(*)::int as wanted, count(had.match_key)::int as common, (
            select count(*)::int from suppression_source_rule where source_id = ${key.sourceId}
          ) as had
          from own cross join ${rowsOf(wanted, key)} as wanted
          left join suppression_source_rule as had on ${isSame}`,
        ([row]) => row!,
      ),

    /** Stores what the source has now and did not have. */
    note: Effect.fnUntraced(function* (key: MirrorKey, wanted: Wanted) {
      const { organizationId, sourceId } = key
      const international = yield* sql<{ readonly type: RuleType; readonly value: string }>`
        with noted as (
          insert into suppression_source_rule
            (organization_id, source_id, type, match_key, value, also_key)
          select ${organizationId}::uuid, ${sourceId}::uuid, type, match_key, value, also_key
          from ${rowsOf(wanted, key)} as wanted
          on conflict (source_id, type, match_key) do nothing
          returning type, value, also_key
        )
        select type, value from noted where also_key is null and position('xn--' in value) > 0`
      // A list has no other spelling of its values.
      const keyed = international.flatMap((rule) => {
        const { alsoKey, matchKey } = ruleKeys(rule)
        return alsoKey === null ? [] : [{ type: rule.type, matchKey, alsoKey }]
      })
      if (keyed.length === 0) return
      yield* sql`
        update suppression_source_rule as noted set also_key = keyed.also_key
        from unnest(
          ${textArray(keyed.map(({ type }) => type))}::text::text[],
          ${textArray(keyed.map(({ matchKey }) => matchKey))}::text::text[],
          ${textArray(keyed.map(({ alsoKey }) => alsoKey))}::text::text[]
        ) as keyed (type, match_key, also_key)
        where noted.source_id = ${sourceId} and noted.type = keyed.type
          and noted.match_key = keyed.match_key`
    }),

    /** Forgets what the source had and has no longer, with its rules. Returns their number by type. */
    forget: (key: MirrorKey, wanted: Wanted, at: string) =>
      Effect.map(
        sql<Counted>`
          with gone as (
            delete from suppression_source_rule as had
            where had.source_id = ${key.sourceId} and not exists (
              select from ${rowsOf(wanted, key)} as wanted
              where wanted.type = had.type and wanted.match_key = had.match_key)
            returning had.type, had.match_key
          ), other as (
            select gone.type, gone.match_key, min(had.source_id::text)::uuid as source_id
            from gone
            join suppression_source_rule as had on had.organization_id = ${key.organizationId}
              and had.type = gone.type and had.match_key = gone.match_key
              and had.source_id <> ${key.sourceId}
            group by gone.type, gone.match_key
          ), passed as (
            update suppression_rule as rule set origin_id = other.source_id
            from other
            where rule.organization_id = ${key.organizationId} and rule.type = other.type
              and rule.match_key = other.match_key and rule.origin_id = ${key.sourceId}
          ), removed as (
            update suppression_rule as rule set removed_at = ${at}::timestamptz
            from gone
            where rule.organization_id = ${key.organizationId} and rule.type = gone.type
              and rule.match_key = gone.match_key and rule.removed_at is null
              and rule.origin_id = ${key.sourceId} and not rule.is_held
              and not exists (
                select from other
                where other.type = gone.type and other.match_key = gone.match_key)
            returning rule.type
          )
          select type, count(*)::int as rows from removed group by type`,
        countsOf,
      ),

    /** Adds the source's rules that are not in force. Returns their number by type. */
    enforce: ({ organizationId, sourceId }: MirrorKey, at: string) =>
      Effect.map(
        sql<Counted>`
          with request as materialized (
            select ${ids.prefix(sql`${at}::timestamptz`)} as prefix, ${ids.base} as base
          ), stored as (
            insert into suppression_rule
              (organization_id, id, type, value, match_key, also_key, created_at, takes_part_at,
                origin_id, is_held)
            select ${organizationId}::uuid,
              ((select prefix from request)
                || to_hex((select base from request) + row_number() over ()))::uuid,
              type, value, match_key, also_key, ${at}::timestamptz, ${at}::timestamptz,
              ${sourceId}::uuid, false
            from suppression_source_rule as noted
            where source_id = ${sourceId} and not exists (
              select from suppression_rule as present
              where present.organization_id = ${organizationId} and present.type = noted.type
                and present.match_key = noted.match_key and present.removed_at is null)
            on conflict (organization_id, type, match_key) do update set
              id = excluded.id, value = excluded.value, created_at = excluded.created_at,
              removed_at = null, origin_id = excluded.origin_id, is_held = false
            where suppression_rule.removed_at is not null
            returning type
          )
          select type, count(*)::int as rows from stored group by type`,
        countsOf,
      ),

    /** Keeps the rules of a source that is deleted. */
    keep: ({ organizationId, sourceId }: MirrorKey) =>
      Effect.andThen(
        sql`
          update suppression_rule set is_held = true
          where organization_id = ${organizationId} and origin_id = ${sourceId}
            and removed_at is null`,
        sql`delete from suppression_source_rule where source_id = ${sourceId}`,
      ),

    /** Begins the staging of a source's file, which no plan of a member replaces. */
    stage: ({ organizationId }: MirrorKey, importId: string, types: ReadonlyArray<RuleType>) =>
      Effect.asVoid(sql`
        insert into staged_import (id, organization_id, kind, mode, types, files, expires_at)
        values (${importId}, ${organizationId}, 'source', 'replace',
          ${textArray(types)}::text::text[], '[]', now() + interval '1 hour')`),

    /** Keeps the staged file of a source for another hour, because a service may be read for longer. */
    hold: (importId: string) =>
      Effect.map(
        sql`
          update staged_import set expires_at = now() + interval '1 hour'
          where id = ${importId} and ended_at is null returning 1`,
        ({ length }) => length > 0,
      ),
  }
})

export class MirrorStore extends Context.Service<MirrorStore, Effect.Success<typeof make>>()(
  "@footfall/server/suppression-sources/MirrorStore",
) {
  static readonly layer = Layer.effect(MirrorStore, make)
}
