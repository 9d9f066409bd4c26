// The wire contract of write keys (spec 15.1). The key itself is only in the response that creates it.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { AnswersSecret, Repeats, idempotencyHeaders } from "../../../access/repeats/repeats.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { Deleted } from "../../../access/organizations/api.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound } from "../../../platform/http/errors.ts"
import { described, noParameters, requestText } from "../../../platform/http/fields.ts"
import { BodyOptional } from "../../../platform/http/json-body.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"

const path = "/v1/data/pixels/:id/write-keys"
const uuid = Schema.String.check(Schema.isUUID())
const params = { id: uuid }

export const WriteKeyKind = Schema.Literals(["server", "browser"])

/** A key as the API shows it. */
export class WriteKeyWire extends Schema.Opaque<WriteKeyWire>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    kind: WriteKeyKind,
    last4: Schema.String,
    createdAt: Schema.String,
    lastUsedAt: Schema.NullOr(Schema.String),
    expiresAt: Schema.NullOr(Schema.String),
    revokedAt: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "WriteKey" }),
) {}

const NewWriteKey = Schema.Struct({
  name: described("1 to 100 characters.", requestText({ lengthMin: 1, lengthMax: 100 })),
  kind: described(
    "Where the key is used. A `browser` key may be public. Default `server`.",
    Schema.optionalKey(WriteKeyKind),
  ),
}).annotate({ identifier: "NewWriteKey" })

const Revocation = Schema.Struct({
  graceHours: described(
    "Hours the key keeps working. Default 0.",
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 72 }))),
  ),
}).annotate({ identifier: "WriteKeyRevocation" })

export class WriteKeysApi extends HttpApiGroup.make("writeKeys")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "site")
  .annotate(OpenApi.Title, "Pixels")
  .add(
    HttpApiEndpoint.get("list", path, {
      params,
      query: noParameters,
      success: Schema.Struct({ data: Schema.Array(WriteKeyWire), meta: Meta }).annotate({
        identifier: "WriteKeyList",
      }),
      error: NotFound,
    }),
    HttpApiEndpoint.post("create", path, {
      params,
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewWriteKey,
      success: Schema.Struct({
        data: Schema.Struct({ writeKey: Schema.String, key: WriteKeyWire }),
        meta: Meta,
      })
        .annotate({ identifier: "CreatedWriteKey" })
        .pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict],
    })
      .annotate(AnswersSecret, true)
      .middleware(Repeats),
    HttpApiEndpoint.delete("revoke", `${path}/:keyId`, {
      params: { ...params, keyId: uuid },
      query: noParameters,
      payload: Revocation,
      success: Deleted,
      error: [BadRequest, NotFound],
    }).annotate(BodyOptional, true),
  )
  .annotate(RoleRequired, "member")
  .annotate(RateLimited, { name: "pixels", limit: 60 })
  .pipe(eitherGroup) {}
