// The statements of the audit log. Entries are only ever added.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

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

// One change of state, as the audit log keeps it: ids, never values.
/** `operator`: a command of this server. `system`: a worker. */
export type Actor =
  | { readonly type: "api_key" | "user"; readonly id: string }
  | { readonly type: "operator" | "system" }

/** Who changes something, and of which organization: a Caller is one. */
export interface Author {
  readonly organizationId: string
  readonly actor: Actor
}

/** Resource and past participle: `pixel.created`, `visitor.erased`. */
export type Action = `${string}.${string}`

export interface AuditEntry extends Author {
  readonly action: Action
  /** Id of what was changed; null where the organization itself is meant. */
  readonly targetId: string | null
}
