// Notes about people and companies (spec 2.24). Each change is one transaction with its audit entry, which has no text.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../../access/audit/audit.ts"
import type { Caller } from "../../../access/caller.ts"
import { isAtLeast } from "../../../access/role.ts"
import { KeyedLists, type ListPosition } from "../../../platform/lists/keyed-lists.ts"
import { type Subject, SubjectNotFound } from "../subject.ts"
import { type NoteAuthor, type NoteRow, NoteStore } from "./store.ts"

/** Maximum notes of a person or a company. */ // spec 10.3
export const notesMax = 200

export class NoteNotFound extends Schema.TaggedError<NoteNotFound>()("NoteNotFound", {}) {}

/** The person or company has the most notes it may have. */
export class TooManyNotes extends Schema.TaggedError<TooManyNotes>()("TooManyNotes", {}) {}

/** A member changes another's note. */
export class NotTheAuthor extends Schema.TaggedError<NotTheAuthor>()("NotTheAuthor", {}) {}

const make = Effect.gen(function* () {
  const store = yield* NoteStore
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  const kept = Effect.fnUntraced(function* (organizationId: string, subject: Subject) {
    return (yield* store.keep(organizationId, subject)) ?? (yield* new SubjectNotFound())
  })

  /** Its author may, an admin, and an API key. */
  const changeable = Effect.fnUntraced(function* (
    caller: Caller,
    subject: Subject,
    noteId: string,
  ) {
    const found = yield* kept(caller.organizationId, subject)
    const note = yield* store.findForChange(found, noteId)
    if (note === undefined) return yield* new NoteNotFound()
    return mayChange(caller, note) ? { found, note } : yield* new NotTheAuthor()
  })

  return {
    /** Newest first. Errors: SubjectNotFound; CursorRefused for another list's cursor. */
    list: Effect.fn("Notes.list")(function* (
      organizationId: string,
      subject: Subject,
      position: ListPosition,
      limit: number,
    ) {
      const found = yield* store.find(organizationId, subject)
      if (found === undefined) return yield* new SubjectNotFound()
      return yield* lists.page<NoteRow>(
        {
          organizationId,
          route: `GET notes of ${found.kind}`,
          filters: [found.id],
          position,
          limit,
        },
        {
          rows: (start, rowsMax) => store.list(found, start, rowsMax),
          count: () => Effect.succeed(null),
          keyOf: ({ createdKey, id }) => [createdKey, id],
        },
      )
    }),

    /** Errors: SubjectNotFound, TooManyNotes. */
    create: Effect.fn("Notes.create")(function* (caller: Caller, subject: Subject, text: string) {
      const id = yield* random.uuidV4()
      const creating = Effect.gen(function* () {
        const found = yield* kept(caller.organizationId, subject)
        if ((yield* store.countForInsert(found)) >= notesMax) return yield* new TooManyNotes()
        yield* audit.record(caller, "note.created", id)
        return yield* store.insert(found, { id, text, author: authorOf(caller) })
      })
      return yield* store.transaction(creating)
    }),

    /** Errors: SubjectNotFound, NoteNotFound, NotTheAuthor. */
    update: Effect.fn("Notes.update")(function* (
      caller: Caller,
      subject: Subject,
      noteId: string,
      text: string,
    ) {
      const updating = Effect.gen(function* () {
        const { found, note } = yield* changeable(caller, subject, noteId)
        if (note.text === text) return note
        yield* audit.record(caller, "note.updated", note.id)
        return yield* store.setText(found, note.id, text)
      })
      return yield* store.transaction(updating)
    }),

    /** Errors: SubjectNotFound, NoteNotFound, also on the second call, NotTheAuthor. */
    delete: Effect.fn("Notes.delete")(function* (caller: Caller, subject: Subject, noteId: string) {
      const deleting = Effect.gen(function* () {
        const { found, note } = yield* changeable(caller, subject, noteId)
        yield* store.delete(found, note.id)
        yield* audit.record(caller, "note.deleted", note.id)
      })
      yield* store.transaction(deleting)
    }),
  }
})

const authorOf = ({ actor }: Caller): NoteAuthor => ({
  kind: actor.type === "user" ? "member" : "key",
  id: actor.id,
})

const mayChange = (caller: Caller, { author }: NoteRow): boolean =>
  caller.actor.type === "api_key" ||
  isAtLeast(caller.role, "admin") ||
  (author.kind === "member" && author.id === caller.actor.id)

export class Notes extends Context.Service<Notes, Effect.Success<typeof make>>()(
  "@footfall/server/teamwork/Notes",
) {
  static readonly layer = Layer.effect(Notes, make)
}
