// SQL for imports of files: what they contained waits in staged tables until it is applied or dropped. A staged value is
// one that no earlier row of the import had; see `settle`.
import type { RowRejectionReason } from "@footfall/normal-form/reading"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { textArray } from "../../platform/database/text-array.ts"
import type { RuleType } from "../suppression/rule.ts"
import type { ListSubject } from "../lists/list.ts"
import type { ImportTarget } from "./changes-store.ts"
import type { Changes, ImportKindName, ImportMode } from "./plan.ts"
import { type FileFigures, typeOfSubject } from "./import-file.ts"

/** How long an import waits to be applied. */ // spec 5.16
const lifetime = "1 hour"
/** Imports of an organization that wait at the same time. The oldest one makes room. */ // spec 10.3
const waitingMax = 5
/** Staged values read at once. */
const keysAtOnce = 5_000
/** Rows deleted in one statement. */
const deletedAtOnce = 50_000
export interface StagedImport {
  readonly id: string
  readonly kind: ImportKindName
  /** The list that is changed; null for suppression rules. */
  readonly listId: string | null
  readonly mode: ImportMode
  /** Why the values are there, for rules. */
  readonly note: string | null
  readonly types: ReadonlyArray<RuleType> | null
  readonly files: ReadonlyArray<FileFigures>
  readonly plan: StoredPlan | null
  readonly expiresAt: string
}

/** What the list of an import contains; null for suppression rules. A list has the type of its values. */
export const subjectOf = ({
  listId,
  types,
}: Pick<StagedImport, "listId" | "types">): ListSubject | null =>
  listId === null ? null : types?.[0] === typeOfSubject.people ? "people" : "companies"

export const targetOf = (
  organizationId: string,
  found: Pick<StagedImport, "listId" | "types">,
): ImportTarget => {
  const subject = subjectOf(found)
  const list = subject === null ? null : { id: found.listId!, type: typeOfSubject[subject] }
  return { organizationId, list }
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
  readonly reason: RowRejectionReason | "erased"
  readonly message: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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

  return {
    allowTime,
    prepare,

    /** Begins an import. The organization's oldest one is dropped if too many wait. */
    create: (
      organizationId: string,
      id: string,
      {
        kind,
        listId,
        mode,
        note,
        types,
      }: Pick<StagedImport, "kind" | "listId" | "mode" | "note" | "types">,
    ) =>
      Effect.andThen(
        sql`
          insert into staged_import
            (id, organization_id, kind, list_id, mode, note, types, files, expires_at)
          values (${id}, ${organizationId}, ${kind}, ${listId}, ${mode}, ${note},
            ${types === null ? null : textArray(types)}::text::text[], '[]', now() + ${lifetime}::interval)`,
        sql`
          update staged_import set ended_at = now()
          where id in (
            select id from staged_import
            where organization_id = ${organizationId} and kind <> 'source' and ${isWaiting}
            order by created_at desc, id
            offset ${waitingMax})`,
      ),

    /** The import if it waits; undefined if it was applied or dropped, or is another organization's. */
    find: (organizationId: string, id: string, options: { readonly isLocked?: boolean } = {}) =>
      Effect.map(
        sql<StagedImport>`
          select id, kind, list_id as "listId", mode, note, types, files, plan, ${expiresAt} as "expiresAt"
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

    /** In a transaction: gives the keys of all staged values to `use`, some at a time. */
    eachKeys: <E>(id: string, use: (keys: ReadonlyArray<string>) => Effect.Effect<void, E>) =>
      Effect.gen(function* () {
        yield* sql`
          declare staged_keys no scroll cursor for
          select match_key as key from staged_rule where import_id = ${id}`
        for (;;) {
          const rows = yield* sql<{ readonly key: string }>`
            fetch ${sql.literal(String(keysAtOnce))} from staged_keys`
          if (rows.length > 0) yield* use(rows.map(({ key }) => key))
          if (rows.length < keysAtOnce) break
        }
        yield* sql`close staged_keys`
      }),

    /** Whether the organization has erased anyone. */
    hasErased: (organizationId: string) =>
      Effect.map(
        sql`select from tombstone where organization_id = ${organizationId} limit 1`,
        (found) => found.length > 0,
      ),

    /** Takes staged values out and counts them as rejected, as if their rows had been. */
    rejectErased: (id: string, keys: ReadonlyArray<string>) =>
      sql`
        with gone as (
          delete from staged_rule
          where import_id = ${id}
            and match_key in (select unnest(${textArray(keys)}::text::text[]) collate "C")
          returning import_id, file, line, type, value
        ), kept as (
          insert into staged_rejection (import_id, file, line, type, value, reason)
          select import_id, file, line, type, value, 'erased' from gone
        )
        update staged_import set files = (
          select jsonb_agg(
            case when erased.rows is null then figures else
              figures || jsonb_build_object(
                'rejected', (figures ->> 'rejected')::int + erased.rows,
                'rejectedByReason', figures -> 'rejectedByReason' || jsonb_build_object(
                  'erased', coalesce((figures -> 'rejectedByReason' ->> 'erased')::int, 0) + erased.rows),
                'rejectedByType', figures -> 'rejectedByType' || jsonb_build_object(
                  'email', coalesce((figures -> 'rejectedByType' ->> 'email')::int, 0) + erased.rows))
            end order by place)
          from jsonb_array_elements(files) with ordinality as one (figures, place)
          left join (select file, count(*)::int as rows from gone group by file) as erased
            on erased.file = place - 1
        )
        where id = ${id}`,

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

export class FileImportStore extends Context.Service<
  FileImportStore,
  Effect.Success<typeof make>
>()("@footfall/server/file-imports/FileImportStore") {
  static readonly layer = Layer.effect(FileImportStore, make)
}
