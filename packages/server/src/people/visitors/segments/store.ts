// SQL for segments.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { keptRows, type RowKey } from "../../../platform/database/kept-rows.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import type { RuleSubject } from "../query/predicate.ts"
import type { RuleAst } from "../query/rule.ts"

/** A stored segment. Its rule was parsed before it was stored. */
export interface SegmentRow {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** What its rule selects; never changes. */
  readonly subject: RuleSubject
  readonly ruleAst: RuleAst
  readonly createdBy: string | null
  /** ISO 8601, as in responses. */
  readonly createdAt: string
  readonly updatedAt: string
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

/** The fields of a segment that a request can change. */
export type SegmentContent = Pick<SegmentRow, "name" | "description" | "ruleAst">

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient

  const columns = sql.literal(`
    organization_id as "organizationId", id, name, description, subject, rule_ast as "ruleAst",
    created_by as "createdBy", ${isoTime("created_at")} as "createdAt",
    ${isoTime("updated_at")} as "updatedAt", created_at::text as "createdKey"`)

  return {
    ...keptRows<SegmentRow>(sql, { columns, from: "segment" }),

    insert: (
      segment: SegmentContent & Pick<SegmentRow, "organizationId" | "id" | "createdBy" | "subject">,
    ): Effect.Effect<SegmentRow> =>
      sql<SegmentRow>`
        insert into segment (organization_id, id, name, description, subject, rule_ast, created_by)
        values (${segment.organizationId}, ${segment.id}, ${segment.name}, ${segment.description},
          ${segment.subject}, ${pg.json(segment.ruleAst)}, ${segment.createdBy})
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
        Effect.orDie,
      ),

    /** Updates a segment locked in the same transaction. */
    update: (
      { id, organizationId }: RowKey,
      { description, name, ruleAst }: SegmentContent,
    ): Effect.Effect<SegmentRow> =>
      sql<SegmentRow>`
        update segment
        set name = ${name}, description = ${description}, rule_ast = ${pg.json(ruleAst)},
          updated_at = now()
        where organization_id = ${organizationId} and id = ${id}
        returning ${columns}
      `.pipe(
        Effect.map((rows) => rows[0]!),
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
