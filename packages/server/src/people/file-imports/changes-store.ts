// SQL that compares staged values with what they are for, the suppression rules or a list, and applies them. A staged
// value is one that no earlier row of the import had.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { RuleCounts, RuleType } from "../suppression/rule.ts"
import { countsOf, ruleIds } from "../suppression/store.ts"

/** Values that a plan names. */
const sampleMax = 10

/** What an import changes. */
export interface ImportTarget {
  readonly organizationId: string
  /** Null for suppression rules. */
  readonly list: { readonly id: string; readonly type: RuleType } | null
}

type Counted = { readonly type: RuleType; readonly rows: number }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = ruleIds(sql)
  const nothing = sql.literal("")

  /** What is stored, as rows with type, match_key, value and an order. Postgres reads the table as without it. */
  const storedIn = ({ list, organizationId }: ImportTarget) =>
    list === null
      ? sql`(
          select type, match_key, value, id::text as place
          from suppression_rule
          where organization_id = ${organizationId} and removed_at is null)`
      : sql`(
          select ${list.type}::text as type, key as match_key, value, value as place
          from list_member where list_id = ${list.id})`

  const isSame = sql`present.type = rule.type and present.match_key = rule.match_key`

  const isStagedRule = (id: string, isStaged: boolean) => sql`
    ${sql.literal(isStaged ? "" : "not")} exists (
      select from staged_rule as rule
      where rule.import_id = ${id} and ${isSame})`

  /** What a source has stays when a file replaces the rules. */
  const isFree = (
    { list, organizationId }: Pick<ImportTarget, "list" | "organizationId">,
    isStaged: boolean,
  ) =>
    list !== null || isStaged
      ? nothing
      : sql`and not exists (
          select from suppression_source_rule as own
          where own.organization_id = ${organizationId} and own.type = present.type
            and own.match_key = present.match_key)`

  /** In a subquery: Postgres would compare one value after the other to find the first ones in the order of an index. */
  const comparedFirst = sql.literal("offset 0")

  const counted = (rows: ReadonlyArray<Counted>): RuleCounts => countsOf(rows)

  /** Those of a list, as rules are counted. */
  const countedOf = (type: RuleType) => (rows: ReadonlyArray<Omit<Counted, "type">>) =>
    counted(rows.map((row) => ({ ...row, type })))

  return {
    /** The staged values by type, and how many of them are stored. */
    compared: (target: ImportTarget, id: string) =>
      Effect.map(
        sql<Counted & { readonly stored: number }>`
          select rule.type, count(*)::int as rows, count(present.match_key)::int as stored
          from staged_rule as rule
          left join ${storedIn(target)} as present on ${isSame}
          where rule.import_id = ${id}
          group by rule.type`,
        (rows) => ({
          inFile: counted(rows),
          stored: counted(rows.map(({ stored, type }) => ({ type, rows: stored }))),
        }),
      ),

    /** Stored values of these types that are not staged, by type. */
    missing: (target: ImportTarget, id: string, types: ReadonlyArray<RuleType>) =>
      Effect.map(
        sql<Counted>`
          select present.type, count(*)::int as rows
          from ${storedIn(target)} as present
          where ${sql.in("type", types)} and ${isStagedRule(id, false)} ${isFree(target, false)}
          group by present.type`,
        counted,
      ),

    /** Some of the values that would be added, in the order of the files. */
    someNew: (target: ImportTarget, id: string) =>
      sql<{ readonly type: RuleType; readonly value: string }>`
        select type, value
        from (
          select rule.file, rule.line, rule.type, rule.value
          from staged_rule as rule
          left join ${storedIn(target)} as present on ${isSame}
          where rule.import_id = ${id} and present.match_key is null
          ${comparedFirst}
        ) as new
        order by file, line
        limit ${sql.literal(String(sampleMax))}`,

    /** Some of the values that would be removed: rules newest first. `isStaged`: those in the files, or the others. */
    someRemoved: (
      target: ImportTarget,
      id: string,
      types: ReadonlyArray<RuleType>,
      isStaged: boolean,
    ) =>
      sql<{ readonly type: RuleType; readonly value: string }>`
        select type, value
        from (
          select present.place, present.type, present.value
          from ${storedIn(target)} as present
          where ${sql.in("type", types)} and ${isStagedRule(id, isStaged)} ${isFree(target, isStaged)}
          ${comparedFirst}
        ) as removed
        order by place ${sql.literal(target.list === null ? "desc" : "asc")}
        limit ${sql.literal(String(sampleMax))}`,

    /**
     * Adds the staged rules that are not in force. Sorted by key, because the index fills fastest in order. Ids follow
     * the files and their lines.
     */
    insertRules: (organizationId: string, id: string, at: string, originId: string = id) =>
      Effect.gen(function* () {
        const [{ isAny } = { isAny: true }] = yield* sql<{ readonly isAny: boolean }>`
          select exists (
            select from suppression_rule where organization_id = ${organizationId}
          ) as "isAny"`
        const rows = yield* sql<Counted>`
          with request as materialized (
            select ${ids.prefix(sql`${at}::timestamptz`)} as prefix, ${ids.base} as base
          ), stored as (
            insert into suppression_rule
              (organization_id, id, type, value, match_key, also_key, created_at, takes_part_at,
                origin_id, is_held)
            select ${organizationId}::uuid,
              ((select prefix from request)
                || to_hex((select base from request) + (file::bigint << 32) + line))::uuid,
              type, value, match_key, also_key, ${at}::timestamptz, ${at}::timestamptz,
              ${originId}::uuid, false
            from staged_rule
            where import_id = ${id}
              ${
                isAny
                  ? sql`and not exists (
                      select from suppression_rule as present
                      where present.organization_id = ${organizationId}
                        and present.type = staged_rule.type
                        and present.match_key = staged_rule.match_key
                        and present.removed_at is null)`
                  : nothing
              }
            order by type, match_key
            ${
              isAny
                ? sql`on conflict (organization_id, type, match_key) do update set
                    id = excluded.id, value = excluded.value, created_at = excluded.created_at,
                    removed_at = null, origin_id = excluded.origin_id, is_held = false
                  where suppression_rule.removed_at is not null`
                : nothing
            }
            returning type
          )
          select type, count(*)::int as rows from stored group by type`
        return counted(rows)
      }),

    /** Keeps rules in force that the files have too, even if the import that added them is undone. */
    holdRules: (organizationId: string, id: string) =>
      sql`
        update suppression_rule as present set is_held = true
        where present.organization_id = ${organizationId} and present.removed_at is null
          and not present.is_held and ${isStagedRule(id, true)}
          and exists (
            select from data_origin
            where organization_id = ${organizationId} and kind in ('import', 'source'))`,

    /** Removes stored rules of these types, and keeps them for undoing. `isStaged`: those in the files, or the others. */
    removeRules: (
      organizationId: string,
      id: string,
      types: ReadonlyArray<RuleType>,
      isStaged: boolean,
      at: string,
    ) =>
      Effect.map(
        sql<Counted>`
          with removed as (
            update suppression_rule as present set removed_at = ${at}::timestamptz
            where present.organization_id = ${organizationId} and present.removed_at is null
              and ${sql.in("type", types)} and ${isStagedRule(id, isStaged)}
              ${isFree({ list: null, organizationId }, isStaged)}
            returning type, value, match_key, also_key, origin_id, is_held
          ), kept as (
            insert into import_removal
              (organization_id, import_id, type, value, match_key, also_key, origin_id, is_held)
            select ${organizationId}::uuid, ${id}::uuid, type, value, match_key, also_key, origin_id,
              is_held
            from removed
          )
          select type, count(*)::int as rows from removed group by type`,
        counted,
      ),

    /** Keeps values of a locked list that the files have too, even if the import that added them is undone. */
    holdMembers: (list: NonNullable<ImportTarget["list"]>, id: string) =>
      sql`
        update list_member as present set origin_id = null
        where present.list_id = ${list.id} and present.origin_id is not null
          and exists (
            select from staged_rule as rule
            where rule.import_id = ${id} and rule.match_key = present.key)`,

    /** Adds the staged values that a locked list lacks. */
    insertMembers: (
      { organizationId }: ImportTarget,
      list: NonNullable<ImportTarget["list"]>,
      id: string,
    ) =>
      Effect.map(
        sql<Omit<Counted, "type">>`
          with stored as (
            insert into list_member (organization_id, list_id, key, value, origin_id)
            select ${organizationId}::uuid, ${list.id}::uuid, match_key, value, ${id}::uuid
            from staged_rule where import_id = ${id}
            order by match_key
            on conflict (list_id, key) do nothing
            returning 1
          )
          select count(*)::int as rows from stored`,
        countedOf(list.type),
      ),

    /** Removes values of a locked list, and keeps them for undoing. `isStaged`: those in the files, or the others. */
    removeMembers: (
      { organizationId }: ImportTarget,
      list: NonNullable<ImportTarget["list"]>,
      id: string,
      isStaged: boolean,
    ) =>
      Effect.map(
        sql<Omit<Counted, "type">>`
          with removed as (
            delete from list_member as present
            where present.list_id = ${list.id}
              and ${sql.literal(isStaged ? "" : "not")} exists (
                select from staged_rule as rule
                where rule.import_id = ${id} and rule.match_key = present.key)
            returning key, value, origin_id
          ), kept as (
            insert into import_removal
              (organization_id, import_id, type, value, match_key, origin_id, is_held)
            select ${organizationId}::uuid, ${id}::uuid, ${list.type}, value, key, origin_id,
              origin_id is null
            from removed
          )
          select count(*)::int as rows from removed`,
        countedOf(list.type),
      ),
  }
})

/** Compares and changes what imports are for. */
export class ImportChangesStore extends Context.Service<
  ImportChangesStore,
  Effect.Success<typeof make>
>()("@footfall/server/file-imports/ImportChangesStore") {
  static readonly layer = Layer.effect(ImportChangesStore, make)
}
