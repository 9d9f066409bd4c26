// The wire contract of lists (spec 2.22, 5.17).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../access/key-rights.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { eitherGroup } from "../../access/groups.ts"
import { idempotencyHeaders, Repeats } from "../../access/repeats/repeats.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts"
import { described, noParameters, requestText } from "../../platform/http/fields.ts"
import { BodyBytesMax } from "../../platform/http/json-body.ts"
import { listMeta, listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { ListSubject, valueRejections, valuesPerRequestMax } from "./list.ts"

/** Maximum size of a body with values. */ // spec 1.4.4
const valuesBytesMax = 16 * 1_048_576

export class List extends Schema.Opaque<List>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    subject: ListSubject,
    size: Schema.Int,
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "List" }),
) {}

const name = described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 }))

const NewList = Schema.Struct({
  name,
  subject: described("What the list contains. It never changes.", ListSubject),
}).annotate({ identifier: "NewList" })

const ListChange = Schema.Struct({ name }).annotate({ identifier: "ListChange" })

/** Values are checked one by one: an invalid one is reported and does not reject the others. */
const Values = Schema.Struct({
  values: described(
    "Domains or email addresses, at most 25,000. Addresses may be SHA-256 hashes. The response lists invalid values. The others are still used.",
    Schema.Array(Schema.Unknown).check(Schema.isMaxLength(valuesPerRequestMax)),
  ),
}).annotate({ identifier: "ListValues" })

const RejectedValue = Schema.Struct({
  index: Schema.Int,
  value: Schema.NullOr(Schema.String),
  reason: Schema.Literals(valueRejections),
  message: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "RejectedListValue" })

const MembersWritten = Schema.Struct({
  data: Schema.Struct({
    added: Schema.Int,
    present: Schema.Int,
    removed: Schema.Int,
    rejectedCount: Schema.Int,
    rejected: Schema.Array(RejectedValue),
    size: Schema.Int,
  }),
  meta: Meta,
}).annotate({ identifier: "ListWrite" })

const MemberList = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({ value: Schema.String, addedAt: Schema.String }).annotate({
      identifier: "ListMember",
    }),
  ),
  meta: Schema.Struct({
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "ListMemberList" })

const ListAnswer = Schema.Struct({ data: List, meta: Meta }).annotate({ identifier: "ListAnswer" })

const params = { listId: Schema.String.check(Schema.isUUID()) }
const path = "/v1/data/lists"
const { cursor, limit } = listParameters(5_000)

export class ListsApi extends HttpApiGroup.make("lists")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Lists")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: listParameters(pageSizeMax),
      success: Schema.Struct({ data: Schema.Array(List), meta: listMeta }).annotate({
        identifier: "ListList",
      }),
      error: BadRequest,
    }),
    HttpApiEndpoint.post("create", path, {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewList,
      success: ListAnswer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict],
    })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("get", `${path}/:listId`, {
      params,
      query: noParameters,
      success: ListAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", `${path}/:listId`, {
      params,
      query: noParameters,
      payload: ListChange,
      success: ListAnswer,
      error: [BadRequest, NotFound],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", `${path}/:listId`, {
      params,
      query: noParameters,
      success: Schema.Struct({
        data: Schema.Struct({ deleted: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "ListDeletion" }),
      error: [NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("members", `${path}/:listId/members`, {
      params,
      query: {
        cursor,
        limit,
        q: Schema.optionalKey(requestText({ lengthMin: 0, lengthMax: 320 })),
      },
      success: MemberList,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.post("addMembers", `${path}/:listId/members`, {
      params,
      query: noParameters,
      payload: Values,
      success: MembersWritten,
      error: [BadRequest, NotFound, Conflict],
    })
      .annotate(RoleRequired, "member")
      .annotate(BodyBytesMax, valuesBytesMax),
    HttpApiEndpoint.put("replaceMembers", `${path}/:listId/members`, {
      params,
      query: noParameters,
      payload: Values,
      success: MembersWritten,
      error: [BadRequest, NotFound, Conflict],
    })
      .annotate(RoleRequired, "member")
      .annotate(BodyBytesMax, valuesBytesMax),
    HttpApiEndpoint.delete("removeMembers", `${path}/:listId/members`, {
      params,
      query: noParameters,
      payload: Values,
      success: Schema.Struct({
        data: Schema.Struct({ removed: Schema.Int, size: Schema.Int }),
        meta: Meta,
      }).annotate({ identifier: "ListRemoval" }),
      error: [BadRequest, NotFound],
    })
      .annotate(RoleRequired, "member")
      .annotate(BodyBytesMax, valuesBytesMax),
  )
  .annotate(RateLimited, { name: "lists", limit: 60 })
  .pipe(eitherGroup) {}
