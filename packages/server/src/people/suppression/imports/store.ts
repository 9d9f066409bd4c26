// SQL for imports of rules: what files contained waits in staged tables until it is applied or dropped. A staged rule
// is one that no earlier row of the import had; see `settle`.
import type { RowRejectionReason } from "@footfall/normal-form/reading"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { textArray } from "../../../platform/database/text-array.ts"
import type { RuleCounts, RuleType } from "../rule.ts"
import { countsOf, ruleIds } from "../store.ts"
import type { Changes, ImportKindName, ImportMode } from "./plan.ts"
import type { FileFigures } from "./rule-file.ts"

/** How long an import waits to be applied. */ // spec 5.16
const lifetime = "1 hour"
/** Imports of an organization that wait at the same time. The oldest one makes room. */ // spec 10.3
const waitingMax = 5
/** Rows deleted in one statement. */
const deletedAtOnce = 50_000
/** Rules that a plan names. */
const sampleMax = 10

export interface StagedImport {
  readonly id: string
  readonly kind: ImportKindName
  readonly mode: ImportMode
  readonly types: ReadonlyArray<RuleType> | null
  readonly files: ReadonlyArray<FileFigures>
  readonly plan: StoredPlan | null
  readonly expiresAt: string
}

/** What a plan promised. */
export interface StoredPlan {
  readonly rules: number
  readonly listVersion: string
  readonly changes: Changes
}

export interface RejectedRow {
  readonly file: number
  readonly line: number
  readonly type: string
  readonly value: string
  readonly reason: RowRejectionReason
  readonly message: string | null
}

type Counted = { readonly type: RuleType; readonly rows: number }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = ruleIds(sql)
  const expiresAt = sql.literal(isoTime("expires_at"))
  const isWaiting = sql`ended_at is null and expires_at > now()`

  /** In a transaction: enough time for millions of rows. */
  const allowTime = sql`select set_config('statement_timeout', '600s', true)`

  /**
   * In a transaction, before staged rules are compared: also enough memory, and only hash joins, because the statistics
   * are older than the file and perhaps than the list. A nested loop may read all rules for each rule; a merge sorts them
   * all. Parallel workers would share a hash table in memory that a container may not have.
   */
  const prepare = Effect.andThen(
    allowTime,
    sql`
      select set_config('work_mem', '64MB', true), set_config('enable_sort', 'off', true),
        set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true),
        set_config('max_parallel_workers_per_gather', '0', true)`,
  )

  /** In a subquery: Postgres would compare one rule after the other to find the first ones in the order of an index. */
  const comparedFirst = sql.literal("offset 0")

  const counted = (rows: ReadonlyArray<Counted>): RuleCounts => countsOf(rows)

  return {
    allowTime,
    prepare,

    /** Begins an import. The organization's oldest one is dropped if too many wait. */
    create: (
      organizationId: string,
      id: string,
      { kind, mode, types }: Pick<StagedImport, "kind" | "mode" | "types">,
    ) =>
      Effect.andThen(
        sql`
          insert into staged_import (id, organization_id, kind, mode, types, files, expires_at)
          values (${id}, ${organizationId}, ${kind}, ${mode},
            ${types === null ? null : textArray(types)}::text::text[], '[]', now() + ${lifetime}::interval)`,
        sql`
          update staged_import set ended_at = now()
          where id in (
            select id from staged_import
            where organization_id = ${organizationId} and ${isWaiting}
            order by created_at desc, id
            offset ${waitingMax})`,
      ),

    /** The import if it waits; undefined if it was applied or dropped, or is another organization's. */
    find: (organizationId: string, id: string, options: { readonly isLocked?: boolean } = {}) =>
      Effect.map(
        sql<StagedImport>`
          select id, kind, mode, types, files, plan, ${expiresAt} as "expiresAt"
          from staged_import
          where id = ${id} and organization_id = ${organizationId} and ${isWaiting}
          ${options.isLocked === true ? sql`for update` : sql.literal("")}`,
        ([found]) => found,
      ),

    /** Whether the import waits. It neither ends nor is swept before the transaction does. */
    hold: (id: string) =>
      Effect.map(
        sql`select from staged_import where id = ${id} and ${isWaiting} for share`,
        ({ length }) => length > 0,
      ),

    /** Stores what a file contained. Returns false if another file took its place meanwhile. */
    addFile: (id: string, file: number, figures: FileFigures) =>
      Effect.map(
        sql`
          update staged_import
          set files = files || ${JSON.stringify([figures])}::text::jsonb, plan = null
          where id = ${id} and ${isWaiting} and jsonb_array_length(files) = ${file}
          returning id`,
        ({ length }) => length > 0,
      ),

    /** Deletes the rows of files that were not read to their end: those from this place on. */
    forgetFiles: (id: string, from: number) =>
      Effect.forEach(
        ["staged_rule", "staged_rejection"],
        (table) =>
          sql`delete from ${sql.literal(table)} where import_id = ${id} and file >= ${from}`,
        { discard: true },
      ),

    putPlan: (id: string, plan: StoredPlan) =>
      sql`update staged_import set plan = ${JSON.stringify(plan)}::text::jsonb where id = ${id}`,

    /**
     * Ends an import of which the file in this place is the only one, or in which a file of another process has that
     * place or a later one, because its rows can't be told apart. Returns whether it did.
     */
    endBeyond: (id: string, file: number) =>
      Effect.map(
        sql`
          update staged_import set ended_at = now()
          where id = ${id} and ${isWaiting}
            and (${file} = 0 or jsonb_array_length(files) > ${file})
          returning id`,
        ({ length }) => length > 0,
      ),

    end: (id: string) => sql`update staged_import set ended_at = now() where id = ${id}`,

    /** Forgets rules that an earlier row of the import had. */
    settle: (id: string) =>
      sql`
        delete from staged_rule as rule using (
          select type, match_key, min((file::bigint << 32) + line) as first
          from staged_rule where import_id = ${id}
          group by type, match_key
          having count(*) > 1
        ) as repeated
        where rule.import_id = ${id} and rule.type = repeated.type
          and rule.match_key = repeated.match_key
          and (rule.file::bigint << 32) + rule.line > repeated.first`,

    /** The number of staged rules. */
    count: (id: string) =>
      Effect.map(
        sql<{ readonly rows: number }>`
          select count(*)::int as rows from staged_rule where import_id = ${id}`,
        ([row]) => row!.rows,
      ),

    /** The staged rules by type, and how many of them are stored. */
    compared: (organizationId: string, id: string) =>
      Effect.map(
        sql<Counted & { readonly stored: number }>`
          select rule.type, count(*)::int as rows, count(present.id)::int as stored
          from staged_rule as rule
          left join suppression_rule as present on present.organization_id = ${organizationId}
            and present.type = rule.type and present.match_key = rule.match_key
            and present.removed_at is null
          where rule.import_id = ${id}
          group by rule.type`,
        (rows) => ({
          inFile: counted(rows),
          stored: counted(rows.map(({ stored, type }) => ({ type, rows: stored }))),
        }),
      ),

    /** Stored rules of these types that are not staged, by type. */
    missing: (organizationId: string, id: string, types: ReadonlyArray<RuleType>) =>
      Effect.map(
        sql<Counted>`
          select present.type, count(*)::int as rows
          from suppression_rule as present
          where present.organization_id = ${organizationId} and present.removed_at is null
            and ${sql.in("type", types)}
            and not exists (
              select from staged_rule as rule
              where rule.import_id = ${id} and rule.type = present.type
                and rule.match_key = present.match_key)
          group by present.type`,
        counted,
      ),

    /** Some of the rules that would be added, in the order of the files. */
    someNew: (organizationId: string, id: string) =>
      sql<{ readonly type: RuleType; readonly value: string }>`
        select type, value
        from (
          select rule.file, rule.line, rule.type, rule.value
          from staged_rule as rule
          left join suppression_rule as present on present.organization_id = ${organizationId}
            and present.type = rule.type and present.match_key = rule.match_key
            and present.removed_at is null
          where rule.import_id = ${id} and present.id is null
          ${comparedFirst}
        ) as new
        order by file, line
        limit ${sql.literal(String(sampleMax))}`,

    /** Some of the rules that would be removed, newest first. `isStaged`: those in the files, or the others. */
    someRemoved: (
      organizationId: string,
      id: string,
      types: ReadonlyArray<RuleType>,
      isStaged: boolean,
    ) =>
      sql<{ readonly type: RuleType; readonly value: string }>`
        select type, value
        from (
          select present.id, present.type, present.value
          from suppression_rule as present
          where present.organization_id = ${organizationId} and present.removed_at is null
            and ${sql.in("type", types)}
            and ${sql.literal(isStaged ? "" : "not")} exists (
              select from staged_rule as rule
              where rule.import_id = ${id} and rule.type = present.type
                and rule.match_key = present.match_key)
          ${comparedFirst}
        ) as removed
        order by id desc
        limit ${sql.literal(String(sampleMax))}`,

    /**
     * Adds the staged rules that are not in force. Sorted by key, because the index fills fastest in order. Ids follow
     * the files and their lines.
     */
    insert: (organizationId: string, id: string, at: string) =>
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
              (organization_id, id, type, value, match_key, also_key, created_at, takes_part_at)
            select ${organizationId}::uuid,
              ((select prefix from request)
                || to_hex((select base from request) + (file::bigint << 32) + line))::uuid,
              type, value, match_key, also_key, ${at}::timestamptz, ${at}::timestamptz
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
                  : sql.literal("")
              }
            order by type, match_key
            ${
              isAny
                ? sql`on conflict (organization_id, type, match_key) do update set
                    id = excluded.id, value = excluded.value, created_at = excluded.created_at,
                    removed_at = null
                  where suppression_rule.removed_at is not null`
                : sql.literal("")
            }
            returning type
          )
          select type, count(*)::int as rows from stored group by type`
        return counted(rows)
      }),

    /** Removes stored rules of these types. `isStaged`: those in the files, or the others. */
    remove: (
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
              and ${sql.in("type", types)}
              and ${sql.literal(isStaged ? "" : "not")} exists (
                select from staged_rule as rule
                where rule.import_id = ${id} and rule.type = present.type
                  and rule.match_key = present.match_key)
            returning type
          )
          select type, count(*)::int as rows from removed group by type`,
        counted,
      ),

    /** Rejected rows after a place, in the order of the files, or of one file. */
    rejected: (
      id: string,
      after: { readonly file: number; readonly line: number },
      limit: number,
      file?: number,
    ) =>
      sql<RejectedRow>`
        select file, line, type, value, reason, message from staged_rejection
        where import_id = ${id} and (file, line) > (${after.file}, ${after.line})
          ${file === undefined ? sql.literal("") : sql`and file = ${file}`}
        order by file, line
        limit ${limit}`,

    /** Deletes rows of imports that have ended or whose time is over. Returns whether there may be more. */
    sweep: Effect.gen(function* () {
      // Waits for files that are being copied (`hold`), so no row is left behind.
      yield* sql`
        update staged_import set ended_at = now() where ended_at is null and expires_at <= now()`
      const ended = yield* sql<{ readonly id: string }>`
        select id from staged_import where ended_at is not null limit 100`
      for (const { id } of ended) {
        let isEmpty = true
        for (const table of ["staged_rule", "staged_rejection"]) {
          const [deleted] = yield* sql<{ readonly rows: number }>`
            with gone as (
              delete from ${sql.literal(table)} where ctid = any (array(
                select ctid from ${sql.literal(table)} where import_id = ${id}
                limit ${sql.literal(String(deletedAtOnce))}))
              returning 1
            )
            select count(*)::int as rows from gone`
          if (deleted!.rows === deletedAtOnce) isEmpty = false
        }
        if (!isEmpty) return true
        yield* sql`delete from staged_import where id = ${id}`
      }
      return ended.length === 100
    }),
  }
})

export class RuleImportStore extends Context.Service<
  RuleImportStore,
  Effect.Success<typeof make>
>()("@footfall/server/suppression/RuleImportStore") {
  static readonly layer = Layer.effect(RuleImportStore, make)
}
