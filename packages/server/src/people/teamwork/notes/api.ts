// The wire contract of notes (spec 5.20).
import { Schema, SchemaTransformation } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { idempotencyHeaders, Repeats } from "../../../access/repeats/repeats.ts"
import { Meta, metaFields } from "../../../platform/http/envelope.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../../platform/http/errors.ts"
import {
  described,
  lengthAtLeast,
  lengthAtMost,
  noParameters,
} from "../../../platform/http/fields.ts"
import { listParameters, pageSizeMax } from "../../../platform/http/lists.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { companyParams, personParams, teamworkLimit } from "../subject.ts"

/** Maximum characters of a note. */ // spec 10.3
const noteLengthMax = 5_000

/** Plain text: line breaks and tabs are the only control characters, and lines end with a line feed. */
const NoteText = Schema.Trim.pipe(
  Schema.decodeTo(
    Schema.String.check(
      lengthAtLeast(1),
      lengthAtMost(noteLengthMax),
      Schema.isPattern(/^(?:[\n\t]|\P{Cc})*$/u, {
        issueCode: "format",
        expected: "plain text without control characters",
      }),
    ),
    SchemaTransformation.transform({
      decode: (text: string) => text.replaceAll(/\r\n?/g, "\n"),
      encode: (text: string) => text,
    }),
  ),
)

const NoteWords = Schema.Struct({
  text: described(
    `Plain text, 1 to ${noteLengthMax.toLocaleString("en")} characters. It may have several lines.`,
    NoteText,
  ),
}).annotate({ identifier: "NoteText" })

const Note = Schema.Struct({
  id: Schema.String,
  text: Schema.String,
  author: Schema.Struct({
    kind: Schema.Literals(["member", "key"]),
    id: Schema.String,
    name: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "NoteAuthor" }),
  createdAt: Schema.String,
  updatedAt: Schema.String,
}).annotate({ identifier: "Note" })

const NoteAnswer = Schema.Struct({ data: Note, meta: Meta }).annotate({ identifier: "NoteAnswer" })

const NoteList = Schema.Struct({
  data: Schema.Array(Note),
  meta: Schema.Struct({
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "NoteList" })

const NoteDeletion = Schema.Struct({
  data: Schema.Struct({ deleted: Schema.Literal(true) }),
  meta: Meta,
}).annotate({ identifier: "NoteDeletion" })

const { cursor, limit } = listParameters(pageSizeMax)
const noteId = Schema.String.check(Schema.isUUID())

const listed = {
  query: { cursor, limit },
  success: NoteList,
  error: [BadRequest, NotFound],
} as const
const created = {
  query: noParameters,
  headers: idempotencyHeaders,
  payload: NoteWords,
  success: NoteAnswer.pipe(HttpApiSchema.status(201)),
  error: [BadRequest, NotFound, Conflict],
} as const
const changed = {
  query: noParameters,
  payload: NoteWords,
  success: NoteAnswer,
  error: [BadRequest, NotFound, Forbidden],
} as const
const deleted = {
  query: noParameters,
  success: NoteDeletion,
  error: [NotFound, Forbidden],
} as const

const ofPerson = "/v1/data/visitors/:visitorId/notes"
const ofCompany = "/v1/data/companies/:domain/notes"

export class VisitorNotesApi extends HttpApiGroup.make("visitorNotes")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("list", ofPerson, { params: personParams, ...listed }),
    HttpApiEndpoint.post("create", ofPerson, { params: personParams, ...created })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.patch("update", `${ofPerson}/:noteId`, {
      params: { ...personParams, noteId },
      ...changed,
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${ofPerson}/:noteId`, {
      params: { ...personParams, noteId },
      ...deleted,
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, teamworkLimit)
  .pipe(eitherGroup) {}

export class CompanyNotesApi extends HttpApiGroup.make("companyNotes")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "company")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("list", ofCompany, { params: companyParams, ...listed }),
    HttpApiEndpoint.post("create", ofCompany, { params: companyParams, ...created })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.patch("update", `${ofCompany}/:noteId`, {
      params: { ...companyParams, noteId },
      ...changed,
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${ofCompany}/:noteId`, {
      params: { ...companyParams, noteId },
      ...deleted,
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, teamworkLimit)
  .pipe(eitherGroup) {}
