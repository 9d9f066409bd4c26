// SQL for lists and their members. A write locks the list's row, which contains its size, so a list of a million values
// is never counted. Members are in the order of their values.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { keptRows, type RowKey } from "../../platform/database/kept-rows.ts"
import type { ListStart } from "../../platform/database/lists.ts"
import { organizationTurns } from "../../platform/database/organization-turns.ts"
import { textArray } from "../../platform/database/text-array.ts"
import { transactionOf } from "../../platform/database/transaction.ts"
import { storedText } from "../suppression/rule.ts"
import type { ListSubject, Member } from "./list.ts"

export interface ListRow {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly subject: ListSubject
  readonly size: number
  /** Changes with every write to its members. */
  readonly version: string
  /** ISO 8601, as in responses. */
  readonly createdAt: string
  readonly updatedAt: string
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

export interface MemberRow {
  readonly value: string
  readonly addedAt: string
}

interface Counted {
  readonly rows: number
}

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** Finds the list named `$list` in any JSON with rules. */
export const testsList = '$.** ? ((@.op == "in_list" || @.op == "not_in_list") && @.value == $list)'

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, subject, size, version::text,
    ${isoTime("created_at")} as "createdAt", ${isoTime("updated_at")} as "updatedAt",
    created_at::text as "createdKey"`)
  const { findForChange: _, ...rows } = keptRows<ListRow>(sql, { columns, from: "list" })

  const keysOf = (members: ReadonlyArray<Member>) =>
    sql`unnest(${textArray(members.map(({ key }) => key))}::text::text[])`

  return {
    ...rows,

    insert: (list: Pick<ListRow, "organizationId" | "id" | "name" | "subject">) =>
      sql<ListRow>`
        insert into list (organization_id, id, name, subject)
        values (${list.organizationId}, ${list.id}, ${list.name}, ${list.subject})
        returning ${columns}`.pipe(
        Effect.map((inserted) => inserted[0]!),
        Effect.orDie,
      ),

    /** Waits for other writers of the organization's lists, and returns their number. */
    countForInsert: (organizationId: string): Effect.Effect<number> =>
      sql`select from organization where id = ${organizationId} for no key update`.pipe(
        Effect.andThen(
          sql<{
            readonly total: number
          }>`select count(*)::int as total from list where organization_id = ${organizationId}`,
        ),
        Effect.map((counts) => counts[0]!.total),
        Effect.orDie,
      ),

    rename: ({ id, organizationId }: RowKey, name: string): Effect.Effect<ListRow> =>
      sql<ListRow>`
        update list set name = ${name}, updated_at = now()
        where organization_id = ${organizationId} and id = ${id}
        returning ${columns}`.pipe(
        Effect.map((updated) => updated[0]!),
        Effect.orDie,
      ),

    /**
     * Locks a list until the transaction ends, and allows as much time as writing 25,000 members needs. Only a deletion
     * keeps rules from reading that the list exists.
     */
    lock: (
      { id, organizationId }: RowKey,
      what: "deletion" | "change",
    ): Effect.Effect<ListRow | undefined> =>
      sql`select set_config('statement_timeout', '60s', true)`.pipe(
        Effect.andThen(
          sql<ListRow>`
            select ${columns} from list
            where organization_id = ${organizationId} and id = ${id}
            for ${sql.literal(what === "deletion" ? "update" : "no key update")}`,
        ),
        Effect.map((found) => found[0]),
        Effect.orDie,
      ),

    /** The ids of the segments whose rule tests the list. */
    segmentsUsing: ({ id, organizationId }: RowKey): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        select id from segment
        where organization_id = ${organizationId}
          and jsonb_path_exists(rule_ast, ${testsList}::jsonpath,
            jsonb_build_object('list', ${id}::text))
        order by id`.pipe(
        Effect.map((found) => found.map((segment) => segment.id)),
        Effect.orDie,
      ),

    /** The ids of the suppression sources that mirror the list. */
    sourcesUsing: ({ id, organizationId }: RowKey): Effect.Effect<ReadonlyArray<string>> =>
      sql<{ readonly id: string }>`
        select id from suppression_source
        where organization_id = ${organizationId} and list_id = ${id} order by id`.pipe(
        Effect.map((found) => found.map((source) => source.id)),
        Effect.orDie,
      ),

    /** Whether the organization's score tests the list. */
    isScoreUsing: ({ id, organizationId }: RowKey): Effect.Effect<boolean> =>
      sql`
        select from score_state as state
        join score_config as config on config.organization_id = state.organization_id
          and config.revision = state.revision
        where state.organization_id = ${organizationId}
          and jsonb_path_exists(config.config, ${testsList}::jsonpath,
            jsonb_build_object('list', ${id}::text))`.pipe(
        Effect.map((found) => found.length > 0),
        Effect.orDie,
      ),

    /** The subjects of the given lists that exist. They can't be deleted until the transaction ends. */
    subjects: (
      organizationId: string,
      ids: ReadonlyArray<string>,
    ): Effect.Effect<ReadonlyMap<string, ListSubject>> =>
      sql<Pick<ListRow, "id" | "subject">>`
        select id, subject from list
        where organization_id = ${organizationId} and ${sql.in("id", ids)}
        for key share`.pipe(
        Effect.map((found) => new Map(found.map(({ id, subject }) => [id, subject]))),
        Effect.orDie,
      ),

    /** Keeps members that a file has added in a locked list, even if its import is undone. */
    holdMembers: ({ id }: RowKey, members: ReadonlyArray<Member>): Result<void> =>
      Effect.asVoid(sql`
        update list_member set origin_id = null
        where list_id = ${id} and origin_id is not null
          and key in (select ${keysOf(members)} collate "C")`),

    /** Adds members of a locked list that are not in it, and returns their number. */
    addMembers: ({ id, organizationId }: RowKey, members: ReadonlyArray<Member>): Result<number> =>
      Effect.map(
        sql<Counted>`
        with submitted as (
          select key, coalesce(value, key) as value
          from unnest(
            ${textArray(members.map(({ key }) => key))}::text::text[],
            ${textArray(members.map(({ key, value }) => (value === key ? null : value)))}::text::text[]
          ) as member (key, value)
        ), added as (
          insert into list_member (organization_id, list_id, key, value)
          select ${organizationId}::uuid, ${id}::uuid, key, value from submitted
          order by key collate "C"
          on conflict (list_id, key) do nothing
          returning 1
        )
        select count(*)::int as rows from added`,
        ([row]) => row!.rows, // An aggregate returns one row.
      ),

    /** Removes members of a locked list: those named, or all others. Returns their number. */
    removeMembers: (
      { id }: RowKey,
      which: "named" | "others",
      members: ReadonlyArray<Member>,
    ): Result<number> =>
      Effect.map(
        sql<Counted>`
        with removed as (
          delete from list_member
          where list_id = ${id}
            and ${which === "named" ? sql.literal("") : sql.literal("not")}
              (key in (select ${keysOf(members)} collate "C"))
          returning 1
        )
        select count(*)::int as rows from removed`,
        ([row]) => row!.rows,
      ),

    /** Sets the size of a locked list whose members have changed. */
    resize: ({ id, organizationId }: RowKey, size: number): Result<void> =>
      Effect.asVoid(sql`
        update list set size = ${size}, version = version + 1, updated_at = now()
        where organization_id = ${organizationId} and id = ${id}`),

    /** By value. `text`: part of a value, in lower case. */
    members: (
      { id, organizationId }: RowKey,
      { start, text }: { readonly text: string | undefined; readonly start: ListStart },
      limit: number,
    ): Effect.Effect<ReadonlyArray<MemberRow>> => {
      const containing =
        text === undefined ? sql.literal("") : sql`and position(${storedText(text)} in value) > 0`
      const after = "after" in start ? sql`and value > ${start.after[0]}` : sql.literal("")
      return sql<MemberRow>`
        select value, ${sql.literal(isoTime("added_at"))} as "addedAt" from list_member
        where organization_id = ${organizationId} and list_id = ${id} ${after} ${containing}
        order by value
        limit ${limit}`.pipe(Effect.orDie)
    },

    /** Removes someone from every list. `hashes`: of all of their addresses. */
    erase: (organizationId: string, hashes: ReadonlyArray<string>): Result<void> =>
      Effect.asVoid(sql`
        with gone as (
          delete from list_member
          where organization_id = ${organizationId} and ${sql.in("key", hashes)}
            and list_id in (
              select id from list
              where organization_id = ${organizationId} and id in (
                select list_id from list_member
                where organization_id = ${organizationId} and ${sql.in("key", hashes)}
              )
              order by id
              for update
            )
          returning list_id
        )
        update list set size = size - gone.members, version = version + 1, updated_at = now()
        from (select list_id, count(*)::int as members from gone group by list_id) as gone
        where list.organization_id = ${organizationId} and list.id = gone.list_id`),

    /** Whether a list names an address. */
    knows: (organizationId: string, emailHash: string): Result<boolean> =>
      Effect.map(
        sql`
          select from list_member
          where organization_id = ${organizationId} and key = ${emailHash} limit 1`,
        (found) => found.length > 0,
      ),

    /** Waits for the organization's turn, held until the transaction ends. */
    waitForTurn: (organizationId: string): Effect.Effect<void> =>
      Effect.orDie(organizationTurns(sql).wait(organizationId)),

    transaction: transactionOf(sql),
  }
})

export class ListStore extends Context.Service<ListStore, Effect.Success<typeof make>>()(
  "@footfall/server/lists/ListStore",
) {
  static readonly layer = Layer.effect(ListStore, make)
}
