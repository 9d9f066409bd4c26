// SQL for where rules and members of lists come from (spec 2.6.15): a member's request, a file, or a source. A file's row is
// also the record of its import, which can be undone for 7 days.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { Actor, Author } from "../../access/audit/store.ts"
import { isoTime } from "../../platform/database/iso-time.ts"
import { newestFirst } from "../../platform/database/lists.ts"

/** How long an import can be undone. */ // spec 5.16.10
export const undoLifetime = "7 days"

export interface Origin {
  readonly id: string
  readonly kind: "member" | "import" | "source"
  /** Of the file or the source. */
  readonly name: string | null
  /** A member's address or a key's name; null for one that is gone. */
  readonly member: string | null
}

/** SQL of the origin of a row that has `origin_id`, as JSON, and of its note. */
export const originOf = (row: string): string => `
  (select json_build_object('id', o.id, 'kind', o.kind, 'name', o.name, 'member', ${memberOf("o")})
   from data_origin as o
   where o.organization_id = ${row}.organization_id and o.id = ${row}.origin_id)`

export const noteOf = (row: string): string => `
  (select o.note from data_origin as o
   where o.organization_id = ${row}.organization_id and o.id = ${row}.origin_id)`

const memberOf = (origin: string): string => `
  case ${origin}.actor_type
    when 'user' then (
      select account.email from member
      join user_account as account on account.id = member.user_id
      where member.organization_id = ${origin}.organization_id
        and member.user_id = ${origin}.actor_id)
    when 'api_key' then (
      select api_key.name from api_key
      where api_key.organization_id = ${origin}.organization_id and api_key.id = ${origin}.actor_id)
  end`

export interface AppliedRow {
  readonly organizationId: string
  readonly id: string
  readonly kind: string
  readonly listId: string | null
  readonly name: string
  readonly note: string | null
  readonly member: string | null
  readonly mode: string
  readonly added: number
  readonly removed: number
  /** ISO 8601, as in responses. */
  readonly appliedAt: string
  /** Null if it was undone, or is too old. */
  readonly undoableUntil: string | null
  readonly undoneAt: string | null
  readonly createdKey: string
}

export interface NewImport extends Pick<
  AppliedRow,
  "id" | "kind" | "listId" | "name" | "note" | "mode" | "added" | "removed"
> {
  readonly author: Author
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const lifetime = sql.literal(`interval '${undoLifetime}'`)
  const columns = sql.literal(`
    organization_id as "organizationId", id, target as kind, list_id as "listId", name, note,
    ${memberOf("data_origin")} as member, mode, added, removed,
    ${isoTime("created_at")} as "appliedAt",
    case when is_undoable and created_at > now() - interval '${undoLifetime}'
      then ${isoTime(`created_at + interval '${undoLifetime}'`)} end as "undoableUntil",
    ${isoTime("undone_at")} as "undoneAt", created_at::text as "createdKey"`)

  const actorOf = (actor: Actor) => ({
    type: actor.type,
    id: "id" in actor ? actor.id : null,
  })

  return {
    /** The origin of what a member writes with this note. Runs in the caller's transaction. */
    ofMember: Effect.fnUntraced(function* ({ actor, organizationId }: Author, note: string | null) {
      const id = yield* random.uuidV4()
      const by = actorOf(actor)
      const [row] = yield* sql<{ readonly id: string }>`
        insert into data_origin (organization_id, id, kind, note, actor_type, actor_id)
        values (${organizationId}, ${id}, 'member', ${note}, ${by.type}, ${by.id})
        on conflict (organization_id, actor_type, actor_id, md5(note)) where kind = 'member'
          do update set kind = data_origin.kind
        returning id`
      return row!.id
    }),

    /** Records an import that was applied. */
    addImport: ({ author, ...made }: NewImport) => {
      const by = actorOf(author.actor)
      return Effect.asVoid(sql`
        insert into data_origin
          (organization_id, id, kind, name, note, actor_type, actor_id, target, list_id, mode, added,
            removed, is_undoable)
        values (${author.organizationId}, ${made.id}, 'import', ${made.name}, ${made.note},
          ${by.type}, ${by.id}, ${made.kind}, ${made.listId}, ${made.mode}, ${made.added},
          ${made.removed}, true)`)
    },

    /** Imports of a kind that were applied, newest first. */
    imports: (organizationId: string, kind: string) =>
      newestFirst<AppliedRow>(sql, {
        columns,
        from: "data_origin",
        where: sql`organization_id = ${organizationId} and kind = 'import' and target = ${kind}`,
      }),

    /** Locks an import that was applied. Undefined for an unknown id, another kind, or another organization's. */
    lockImport: (organizationId: string, kind: string, id: string) =>
      Effect.map(
        sql<AppliedRow>`
          select ${columns} from data_origin
          where organization_id = ${organizationId} and id = ${id} and kind = 'import'
            and target = ${kind}
          for update`,
        ([found]) => found,
      ),

    /** Ends what can be undone, with what was kept for it. */
    undone: (organizationId: string, id: string) =>
      Effect.andThen(
        sql`delete from import_removal where organization_id = ${organizationId} and import_id = ${id}`,
        sql`
          update data_origin set undone_at = now(), is_undoable = false
          where organization_id = ${organizationId} and id = ${id}`,
      ),

    /** Deletes some of what was kept for imports that are too old to be undone. Returns whether there may be more. */
    sweep: Effect.gen(function* () {
      const [old] = yield* sql<{ readonly organizationId: string; readonly id: string }>`
        select organization_id as "organizationId", id from data_origin
        where is_undoable and created_at <= now() - ${lifetime}
        order by created_at
        limit 1`
      if (old === undefined) return false
      const [deleted] = yield* sql<{ readonly rows: number }>`
        with gone as (
          delete from import_removal where ctid = any (array(
            select ctid from import_removal where import_id = ${old.id}
            limit ${sql.literal(String(deletedAtOnce))}))
          returning 1
        )
        select count(*)::int as rows from gone`
      if (deleted!.rows < deletedAtOnce) {
        yield* sql`
          update data_origin set is_undoable = false
          where organization_id = ${old.organizationId} and id = ${old.id}`
      }
      return true
    }),

    /** Forgets that imports removed someone, by the hashes of their addresses. */
    erase: (organizationId: string, hashes: ReadonlyArray<string>) =>
      Effect.asVoid(sql`
        delete from import_removal
        where organization_id = ${organizationId} and ${sql.in("match_key", hashes)}`),
  }
})

/** Rows deleted in one statement. */
const deletedAtOnce = 50_000

export class OriginStore extends Context.Service<OriginStore, Effect.Success<typeof make>>()(
  "@footfall/server/suppression/OriginStore",
) {
  static readonly layer = Layer.effect(OriginStore, make)
}
