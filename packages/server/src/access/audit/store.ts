// SQL for the audit log. Entries are only added, and only admins read them.
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { ListStart } from "../../platform/database/lists.ts"

/** An entry as the log shows it. */
export interface ShownEntry {
  readonly id: string
  readonly at: DateTime.Utc
  readonly actor: {
    readonly type: Actor["type"]
    readonly id: string | null
    /** A member's address or a key's name. */
    readonly name: string | null
  }
  readonly action: string
  readonly targetId: string | null
  readonly requestId: string | null
}

export interface AuditFilter {
  /** Id of a user or key, `operator` or `system`. */
  readonly actor: string | undefined
  /** An action, or the resource it starts with. */
  readonly action: string | undefined
  readonly from: Date | undefined
  /** Exclusive. */
  readonly to: Date | undefined
}

const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** Newest first. Former members have no name. */
  page: (
    organizationId: string,
    { action, actor, from, to }: AuditFilter,
    start: ListStart,
    limit: number,
  ): Effect.Effect<ReadonlyArray<ShownEntry>> =>
    sql<Omit<ShownEntry, "actor" | "at"> & ActorRow & { readonly at: Date }>`
      select entry.id::text as id, at, action, target_id as "targetId",
        request_id as "requestId", actor_type as "actorType", actor_id as "actorId",
        coalesce(user_account.email, api_key.name) as "actorName"
      from audit_entry as entry
      left join member on actor_type = 'user' and member.organization_id = ${organizationId}
        and member.user_id = actor_id
      left join user_account on user_account.id = member.user_id
      left join api_key on actor_type = 'api_key' and api_key.organization_id = ${organizationId}
        and api_key.id = actor_id
      where entry.organization_id = ${organizationId}
        and ${"after" in start ? sql`entry.id < ${start.after[0]}::bigint` : sql`true`}
        and ${actor === undefined ? sql`true` : sql`${actor} in (actor_type, actor_id::text)`}
        and ${
          action === undefined
            ? sql`true`
            : sql`(action = ${action} or starts_with(action, ${`${action}.`}))`
        }
        and ${from === undefined ? sql`true` : sql`at >= ${from}`}
        and ${to === undefined ? sql`true` : sql`at < ${to}`}
      order by entry.id desc
      limit ${limit}::bigint offset ${"offset" in start ? start.offset : 0}::bigint
    `.pipe(
      Effect.map((rows) =>
        rows.map(({ actorId, actorName, actorType, at, ...entry }) => ({
          ...entry,
          at: DateTime.fromDateUnsafe(at),
          actor: { type: actorType, id: actorId, name: actorName },
        })),
      ),
      Effect.orDie,
    ),

  insert: ({
    action,
    actor,
    organizationId,
    requestId,
    targetId,
  }: AuditEntry & { readonly requestId: string | null }): Effect.Effect<void> => {
    const actorId = "id" in actor ? actor.id : null
    return sql`
        insert into audit_entry
          (organization_id, actor_type, actor_id, action, target_id, request_id)
        values (${organizationId}, ${actor.type}, ${actorId}, ${action}, ${targetId},
          ${requestId})`.pipe(Effect.asVoid, Effect.orDie)
  },
}))

export class AuditStore extends Context.Service<AuditStore, Effect.Success<typeof make>>()(
  "@footfall/server/access/AuditStore",
) {
  static readonly layer = Layer.effect(AuditStore, make)
}

interface ActorRow {
  readonly actorType: Actor["type"]
  readonly actorId: string | null
  readonly actorName: string | null
}

// One change in the audit log: ids, never values.
/** `operator`: a command of this server. `system`: a worker. */
export type Actor =
  | { readonly type: "api_key" | "user"; readonly id: string }
  | { readonly type: "operator" | "system" }

/** Who makes a change, and for which organization. A Caller is one. */
export interface Author {
  readonly organizationId: string
  readonly actor: Actor
}

/** Resource and past participle: `pixel.created`, `visitor.erased`. */
export type Action = `${string}.${string}`

export interface AuditEntry extends Author {
  readonly action: Action
  /** Id of what was changed; null for the organization itself. */
  readonly targetId: string | null
}
