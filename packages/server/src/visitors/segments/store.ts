// Every statement about segments.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../database/iso-time.ts"
import { newestFirst } from "../../database/newest-first.ts"
import { transactionOf } from "../../database/transaction.ts"
import type { RuleAst } from "../query/rule.ts"

/** A stored segment. The rule was read before it was stored, so it is not read again. */
export interface SegmentRow {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly ruleAst: RuleAst
  readonly createdBy: string | null
  /** ISO 8601, as answers have it. */
  readonly createdAt: string
  readonly updatedAt: string
  /** `createdAt` to the microsecond: the sort key. */
  readonly createdKey: string
}

/** What a request can change of a segment. */
export type SegmentContent = Pick<SegmentRow, "name" | "description" | "ruleAst">

export interface SegmentKey {
  readonly organizationId: string
  readonly segmentId: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const nothing = sql.literal("")

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, description, rule_ast as "ruleAst",
    created_by as "createdBy", ${isoTime("created_at")} as "createdAt",
    ${isoTime("updated_at")} as "updatedAt", created_at::text as "createdKey"`)

  const find = ({ organizationId, segmentId }: SegmentKey, lock: typeof nothing) =>
    sql<SegmentRow>`
      select ${columns}
      from segment
      where organization_id = ${organizationId} and id = ${segmentId}
      ${lock}
    `.pipe(
      Effect.map((rows) => rows[0]),
      Effect.orDie,
    )

  return {
    /** Newest first. */
    list: (organizationId: string) =>
      newestFirst<SegmentRow>(sql, {
        columns,
        from: "segment",
        where: sql`organization_id = ${organizationId}`,
      }),

    /** Undefined for an unknown id, a deleted one and one of another organization. */
    find: (key: SegmentKey): Effect.Effect<SegmentRow | undefined> => find(key, nothing),

    /** The same, kept as it is until the caller's transaction ends. */
    findForChange: (key: SegmentKey): Effect.Effect<SegmentRow | undefined> =>
      find(key, sql.literal("for update")),

    insert: (
      segment: SegmentContent & Pick<SegmentRow, "organizationId" | "id" | "createdBy">,
    ): Effect.Effect<SegmentRow> =>
      sql<SegmentRow>`
        insert into segment (organization_id, id, name, description, rule_ast, created_by)
        values (${segment.organizationId}, ${segment.id}, ${segment.name}, ${segment.description},
          ${pg.json(segment.ruleAst)}, ${segment.createdBy})
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** Writes the content of a segment that was found for change in this transaction. */
    update: (
      { organizationId, segmentId }: SegmentKey,
      { description, name, ruleAst }: SegmentContent,
    ): Effect.Effect<SegmentRow> =>
      sql<SegmentRow>`
        update segment
        set name = ${name}, description = ${description}, rule_ast = ${pg.json(ruleAst)},
          updated_at = now()
        where organization_id = ${organizationId} and id = ${segmentId}
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** False when there is none. */
    delete: ({ organizationId, segmentId }: SegmentKey): Effect.Effect<boolean> =>
      sql`
        delete from segment
        where organization_id = ${organizationId} and id = ${segmentId}
        returning id
      `.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),

    /** Runs the effect in one transaction; a failure of the database itself is a defect. */
    transaction: transactionOf(sql),
  }
})

export class SegmentStore extends Context.Service<SegmentStore, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/SegmentStore",
) {
  static readonly layer = Layer.effect(SegmentStore, make)
}
