// The statements of the audit log. Entries are only ever added.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AuditEntry } from "./audit-entry.ts"

export class AuditStore extends Context.Service<
  AuditStore,
  {
    insert(entry: AuditEntry & { readonly requestId: string | null }): Effect.Effect<void>
  }
>()("@footfall/server/access/AuditStore") {
  static readonly layer = Layer.effect(
    AuditStore,
    Effect.map(SqlClient.SqlClient, (sql) =>
      AuditStore.of({
        insert: ({ action, actor, organizationId, requestId, targetId }) => {
          const actorId = "id" in actor ? actor.id : null
          return sql`
            insert into audit_entry
              (organization_id, actor_type, actor_id, action, target_id, request_id)
            values (${organizationId}, ${actor.type}, ${actorId}, ${action}, ${targetId},
              ${requestId})`.pipe(Effect.asVoid, Effect.orDie)
        },
      }),
    ),
  )
}
