// SQL for notes (spec 2.24).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { type ListStart, pageNewestFirst } from "../../../platform/database/lists.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import { markTables } from "../../visitors/marks-store.ts"
import { subjects } from "../subject-store.ts"
import type { FoundSubject } from "../subject.ts"

/** Who wrote a note: a member, or an API key. */
export interface NoteAuthor {
  readonly kind: "member" | "key"
  readonly id: string
}

export interface NoteRow {
  readonly id: string
  readonly text: string
  readonly author: NoteAuthor & {
    /** Null for a former member. */
    readonly name: string | null
  }
  readonly createdAt: string
  readonly updatedAt: string
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const tableOf = ({ kind }: FoundSubject) => sql.literal(`${markTables[kind].prefix}_note`)
  const idOf = ({ kind }: FoundSubject) => sql.literal(markTables[kind].id)
  const isOf = (subject: FoundSubject) =>
    sql`note.organization_id = ${subject.organizationId} and note.${idOf(subject)} = ${subject.id}`

  const columns = sql.literal(`
    note.id, note.text,
    jsonb_build_object(
      'kind', note.author_kind,
      'id', note.author_id,
      'name', case note.author_kind
        when 'key' then (
          select api_key.name from api_key
          where api_key.organization_id = note.organization_id and api_key.id = note.author_id
        )
        else (
          select coalesce(account.name, account.email)
          from member
          join user_account as account on account.id = member.user_id
          where member.organization_id = note.organization_id
            and member.user_id = note.author_id and member.accepted_at is not null
        )
      end
    ) as author,
    ${isoTime("note.created_at")} as "createdAt", ${isoTime("note.updated_at")} as "updatedAt",
    note.created_at::text as "createdKey"`)

  const one = (rows: Effect.Effect<ReadonlyArray<NoteRow>, unknown>) =>
    Effect.orDie(Effect.map(rows, ([row]) => row))

  return {
    ...subjects(sql),
    transaction: transactionOf(sql),

    /** Newest first. */
    list: (
      subject: FoundSubject,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<NoteRow>> =>
      Effect.orDie(sql<NoteRow>`
        select ${columns} from ${tableOf(subject)} as note
        where ${isOf(subject)}
          ${pageNewestFirst(sql, start, limit, ["note.created_at", "note.id"])}`),

    /** Waits for other notes of the organization, and returns how many the subject has. */
    countForInsert: (subject: FoundSubject): Effect.Effect<number> =>
      sql`select from organization where id = ${subject.organizationId} for no key update`.pipe(
        Effect.andThen(sql<{ readonly notes: number }>`
          select count(*)::int as notes from ${tableOf(subject)} as note where ${isOf(subject)}`),
        Effect.map(([row]) => row!.notes), // An aggregate returns one row.
        Effect.orDie,
      ),

    insert: (
      subject: FoundSubject,
      note: { readonly id: string; readonly text: string; readonly author: NoteAuthor },
    ): Effect.Effect<NoteRow> =>
      one(sql<NoteRow>`
        with note as (
          insert into ${tableOf(subject)}
            (organization_id, id, ${idOf(subject)}, text, author_kind, author_id)
          values (${subject.organizationId}, ${note.id}, ${subject.id}, ${note.text},
            ${note.author.kind}, ${note.author.id})
          returning *
        )
        select ${columns} from note`).pipe(Effect.map((row) => row!)),

    /** Locks the note until the transaction ends. */
    findForChange: (subject: FoundSubject, noteId: string): Effect.Effect<NoteRow | undefined> =>
      one(sql<NoteRow>`
        select ${columns} from ${tableOf(subject)} as note
        where ${isOf(subject)} and note.id = ${noteId}
        for update of note`),

    setText: (subject: FoundSubject, noteId: string, text: string): Effect.Effect<NoteRow> =>
      one(sql<NoteRow>`
        with note as (
          update ${tableOf(subject)} as note set text = ${text}, updated_at = clock_timestamp()
          where ${isOf(subject)} and note.id = ${noteId}
          returning *
        )
        select ${columns} from note`).pipe(Effect.map((row) => row!)),

    delete: (subject: FoundSubject, noteId: string): Effect.Effect<void> =>
      sql`delete from ${tableOf(subject)} as note where ${isOf(subject)} and note.id = ${noteId}`.pipe(
        Effect.asVoid,
        Effect.orDie,
      ),
  }
})

export class NoteStore extends Context.Service<NoteStore, Effect.Success<typeof make>>()(
  "@footfall/server/teamwork/NoteStore",
) {
  static readonly layer = Layer.effect(NoteStore, make)
}
