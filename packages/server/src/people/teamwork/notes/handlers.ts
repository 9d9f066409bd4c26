// Maps requests and responses to the Notes service; decides nothing.
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { cursorRefused, hintIfEmpty, pageSizeDefault } from "../../../platform/http/lists.ts"
import { companyOf, personOf, type Subject } from "../subject.ts"
import { CompanyNotesApi, VisitorNotesApi } from "./api.ts"
import { Notes, notesMax } from "./notes.ts"
import type { NoteRow } from "./store.ts"

/** The same for people and companies: `subjectOf` reads the path. */
const handlersOf = <Params>(subjectOf: (params: Params) => Subject) =>
  Effect.map(Notes, (notes) => ({
    list: Effect.fnUntraced(
      function* ({
        params,
        query,
      }: {
        readonly params: Params
        readonly query: { readonly limit?: number; readonly cursor?: string }
      }) {
        const { organizationId } = yield* Caller
        const { cursor, limit = pageSizeDefault } = query
        const position = cursor === undefined ? { offset: 0 } : { cursor }
        const page = yield* notes.list(organizationId, subjectOf(params), position, limit)
        const { hasMore, nextCursor, rows } = page
        return yield* success(rows.map(noteOf), {
          limit,
          hasMore,
          nextCursor,
          ...hintIfEmpty(rows, "notes"),
        })
      },
      Effect.catchTags({ CursorRefused: cursorRefused, SubjectNotFound: () => notFound }),
    ),
    create: Effect.fnUntraced(
      function* ({
        params,
        payload,
      }: {
        readonly params: Params
        readonly payload: { readonly text: string }
      }) {
        const note = yield* notes.create(yield* Caller, subjectOf(params), payload.text)
        return yield* success(noteOf(note))
      },
      Effect.catchTags({ SubjectNotFound: () => notFound, TooManyNotes: tooMany }),
    ),
    update: Effect.fnUntraced(
      function* ({
        params,
        payload,
      }: {
        readonly params: Params & { readonly noteId: string }
        readonly payload: { readonly text: string }
      }) {
        const { noteId } = params
        const note = yield* notes.update(yield* Caller, subjectOf(params), noteId, payload.text)
        return yield* success(noteOf(note))
      },
      Effect.catchTags({
        SubjectNotFound: () => notFound,
        NoteNotFound: () => notFound,
        NotTheAuthor: () => notTheAuthor,
      }),
    ),
    delete: Effect.fnUntraced(
      function* ({ params }: { readonly params: Params & { readonly noteId: string } }) {
        yield* notes.delete(yield* Caller, subjectOf(params), params.noteId)
        return yield* success({ deleted: true as const })
      },
      Effect.catchTags({
        SubjectNotFound: () => notFound,
        NoteNotFound: () => notFound,
        NotTheAuthor: () => notTheAuthor,
      }),
    ),
  }))

const VisitorNotesHandlers = HttpApiBuilder.group(
  footfall.add(VisitorNotesApi),
  "visitorNotes",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* handlersOf(personOf))
  }),
)

const CompanyNotesHandlers = HttpApiBuilder.group(
  footfall.add(CompanyNotesApi),
  "companyNotes",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* handlersOf(companyOf))
  }),
)

export const NotesHandlers = Layer.merge(VisitorNotesHandlers, CompanyNotesHandlers)

const noteOf = ({ createdKey: _, ...note }: NoteRow) => note

const tooMany = () =>
  refuse({
    code: "CONFLICT",
    message: `There are already ${notesMax} notes. Delete one first.`,
    details: { limit: notesMax },
  })

const notTheAuthor = refuse({
  code: "FORBIDDEN",
  message: "Only the author of a note or an admin can change it.",
  details: { required: "admin" },
})
