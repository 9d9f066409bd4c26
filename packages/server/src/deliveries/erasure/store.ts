// The statements that take a person out of what is kept of deliveries (spec 5.1): failures, and what
// was last sent. Batches hold places in results and no one's address.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseError } from "../../database/database-error.ts"

export class DeliveryErasureStore extends Context.Service<
  DeliveryErasureStore,
  {
    /** By SHA-256 of their addresses. Joins the caller's transaction. */
    erase(
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/deliveries/DeliveryErasureStore") {
  static readonly layer = Layer.effect(
    DeliveryErasureStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      DeliveryErasureStore.of({
        erase: Effect.fnUntraced(function* (organizationId, emailHashes) {
          const hashes = sql`array(
            select decode(hash, 'hex')
            from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb) as hash
          )`
          for (const [table, parent] of [
            ["destination_contact", "destination"],
            ["delivery_failure", "delivery"],
          ] as const) {
            // By the primary key, whose second column is of a few parents.
            yield* sql`
              delete from ${sql(table)} as kept
              where kept.organization_id = ${organizationId}
                and kept.hashed_email = any (${hashes})
                and kept.${sql(`${parent}_id`)} in (
                  select id from ${sql(parent)} where organization_id = ${organizationId}
                )`
          }
        }),
      }),
    ),
  )
}
