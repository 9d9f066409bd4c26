// SQL for owners and tags (spec 2.24).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import {
  type StatementTimedOut,
  withinLimit,
} from "../../../platform/database/statement-timeout.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import { markTables } from "../../visitors/marks-store.ts"
import type { KeyedTag } from "../../visitors/tag.ts"
import { subjects } from "../subject-store.ts"
import type { FoundSubject, Subject } from "../subject.ts"

export interface CountedTag {
  readonly tag: string
  readonly count: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const tableOf = (kind: Subject["kind"], mark: "owner" | "tag") =>
    sql.literal(`${markTables[kind].prefix}_${mark}`)
  const idOf = (kind: Subject["kind"]) => sql.literal(markTables[kind].id)
  const isOf = ({ id, kind, organizationId }: FoundSubject) =>
    sql`organization_id = ${organizationId} and ${idOf(kind)} = ${id}`
  const given = (tags: ReadonlyArray<KeyedTag>) =>
    sql`jsonb_to_recordset(${JSON.stringify(tags)}::text::jsonb) as given (key text, tag text)`
  const happened = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

  return {
    keep: subjects(sql).keep,
    transaction: transactionOf(sql),

    /** Waits for other changes that bring new tags. */
    lockTags: (organizationId: string): Effect.Effect<void> =>
      sql`select from organization where id = ${organizationId} for no key update`.pipe(
        Effect.asVoid,
        Effect.orDie,
      ),

    /** How many of the tags none of the organization's subjects has. */
    countNew: (
      { kind, organizationId }: FoundSubject,
      tags: ReadonlyArray<KeyedTag>,
    ): Effect.Effect<number> =>
      sql<{ readonly fresh: number }>`
        select count(*)::int as fresh from ${given(tags)}
        where not exists (
          select from ${tableOf(kind, "tag")} as known
          where known.organization_id = ${organizationId} and known.key = given.key collate "C"
        )`.pipe(
        Effect.map(([row]) => row!.fresh), // An aggregate returns one row.
        Effect.orDie,
      ),

    /** How many different tags the organization's subjects have. Reads one entry of the index for each. */
    countDifferent: ({ kind, organizationId }: FoundSubject): Effect.Effect<number> => {
      const next = (after: "" | "and key > walk.key") => sql`(
        select min(key) from ${tableOf(kind, "tag")}
        where organization_id = ${organizationId} ${sql.literal(after)})`
      return sql<{ readonly different: number }>`
        with recursive walk as (
          select ${next("")} as key
          union all
          select ${next("and key > walk.key")} from walk where walk.key is not null
        )
        select count(key)::int as different from walk`.pipe(
        Effect.map(([row]) => row!.different), // An aggregate returns one row.
        Effect.orDie,
      )
    },

    /** Replaces the subject's tags. Returns whether that changes anything. */
    setTags: Effect.fnUntraced(function* (subject: FoundSubject, tags: ReadonlyArray<KeyedTag>) {
      const table = tableOf(subject.kind, "tag")
      const removed = yield* sql`
        delete from ${table}
        where ${isOf(subject)} and key not in (select key collate "C" from ${given(tags)})
        returning 1`
      const written = yield* sql`
        insert into ${table} as stored (organization_id, ${idOf(subject.kind)}, key, tag)
        select ${subject.organizationId}::uuid,
          ${subject.id}::${sql.literal(subject.kind === "people" ? "uuid" : "text")}, key, tag
        from ${given(tags)}
        on conflict (organization_id, ${idOf(subject.kind)}, key) do update set tag = excluded.tag
        where stored.tag <> excluded.tag
        returning 1`
      return removed.length + written.length > 0
    }, Effect.orDie),

    /** Whether the user is a member. They can't be removed until the transaction ends. */
    isMember: (organizationId: string, userId: string): Effect.Effect<boolean> =>
      sql`
        select from member
        where organization_id = ${organizationId} and user_id = ${userId}
          and accepted_at is not null
        for key share`.pipe(happened, Effect.orDie),

    /** `userId`: null for no one. Returns whether that changes anything. */
    setOwner: (subject: FoundSubject, userId: string | null): Effect.Effect<boolean> => {
      const table = tableOf(subject.kind, "owner")
      const id = idOf(subject.kind)
      return (
        userId === null
          ? sql`delete from ${table} where ${isOf(subject)} returning 1`
          : sql`
              insert into ${table} as stored (organization_id, ${id}, user_id)
              values (${subject.organizationId}, ${subject.id}, ${userId})
              on conflict (organization_id, ${id}) do update set user_id = excluded.user_id
              where stored.user_id <> excluded.user_id
              returning 1`
      ).pipe(happened, Effect.orDie)
    },

    /** Those that most have first. Someone held back does not count. */
    tags: (
      organizationId: string,
      kind: Subject["kind"],
    ): Effect.Effect<ReadonlyArray<CountedTag>, StatementTimedOut> =>
      withinLimit(sql<CountedTag>`
        select min(tagged.tag) as tag, count(*)::int as count
        from ${tableOf(kind, "tag")} as tagged
        ${
          kind === "people"
            ? sql`join visitor on visitor.organization_id = tagged.organization_id
                and visitor.id = tagged.visitor_id and not visitor.held_back`
            : sql.literal("")
        }
        where tagged.organization_id = ${organizationId}
        group by tagged.key
        order by count(*) desc, tagged.key`),
  }
})

export class MarkStore extends Context.Service<MarkStore, Effect.Success<typeof make>>()(
  "@footfall/server/teamwork/MarkStore",
) {
  static readonly layer = Layer.effect(MarkStore, make)
}
