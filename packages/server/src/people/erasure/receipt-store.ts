// SQL of receipts. An erasure writes its receipt in its own transaction; destinations report into it later
// (activation/deliveries/erasures/store.ts).
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isoTime } from "../../platform/database/iso-time.ts"
import { type ListedRow, newestFirst } from "../../platform/database/lists.ts"
import type { ErasureReceipt, KindCount } from "./receipt.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

export interface ReceiptRow extends ErasureReceipt, ListedRow {
  readonly id: string
}

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const columns = sql.literal(`
    erasure.id, ${isoTime("erasure.created_at")} as "requestedAt",
    ${isoTime("erasure.completed_at")} as "completedAt", erasure.kinds,
    coalesce((
      select jsonb_agg(jsonb_build_object('destinationId', told.destination_id,
        'name', told.name, 'outcome', told.outcome, 'at', ${isoTime("told.at")})
        order by told.name, told.destination_id)
      from erasure_destination as told
      where told.organization_id = erasure.organization_id and told.erasure_id = erasure.id
    ), '[]') as destinations,
    erasure.created_at::text as "createdKey"`)

  const find = (organizationId: string, erasureId: string): Result<ReceiptRow | undefined> =>
    Effect.map(
      sql<ReceiptRow>`
        select ${columns} from erasure
        where organization_id = ${organizationId} and id = ${erasureId}`,
      ([row]) => row,
    )

  return {
    /** Before the person is deleted. Runs in the erasure's transaction, as `finish` does. */
    begin: (
      organizationId: string,
      erasureId: string,
      kinds: ReadonlyArray<KindCount>,
    ): Result<void> =>
      Effect.asVoid(sql`
        insert into erasure (organization_id, id, kinds)
        values (${organizationId}, ${erasureId}, ${JSON.stringify(kinds)}::text::jsonb)`),

    /** After the destinations were queued. */
    finish: (organizationId: string, erasureId: string): Result<ReceiptRow> =>
      Effect.gen(function* () {
        yield* sql`
          update erasure set pending = told.pending,
            completed_at = case when told.pending = 0 then clock_timestamp() end
          from (
            select count(*)::int as pending from erasure_destination
            where organization_id = ${organizationId} and erasure_id = ${erasureId}
              and outcome = 'pending'
          ) as told
          where organization_id = ${organizationId} and id = ${erasureId}`
        return (yield* find(organizationId, erasureId))!
      }),

    find: (organizationId: string, erasureId: string): Effect.Effect<ReceiptRow | undefined> =>
      Effect.orDie(find(organizationId, erasureId)),

    list: (organizationId: string) =>
      newestFirst<ReceiptRow>(sql, {
        columns,
        from: "erasure",
        where: sql`organization_id = ${organizationId}`,
      }),
  }
})

export class ReceiptStore extends Context.Service<ReceiptStore, Effect.Success<typeof make>>()(
  "@footfall/server/erasure/ReceiptStore",
) {
  static readonly layer = Layer.effect(ReceiptStore, make)
}
