// The wire contract of erasure (spec 5.1, DELETE /v1/data/visitors/{visitorId}).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../access/key-rights.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { eitherGroup, keyGroup, memberGroup } from "../../access/groups.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../platform/http/errors.ts"
import { noParameters } from "../../platform/http/fields.ts"
import { listMeta, listParameters, pageSizeMax } from "../../platform/http/lists.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { ErasureReceipt } from "./receipt.ts"

export const ErasedVisitor = Schema.Struct({
  data: Schema.Struct({ deleted: Schema.Literal(true), receipt: ErasureReceipt }),
  meta: Meta,
}).annotate({ identifier: "ErasedVisitor" })

const ReceiptAnswer = Schema.Struct({ data: ErasureReceipt, meta: Meta }).annotate({
  identifier: "ErasureReceiptAnswer",
})

export class ErasuresApi extends HttpApiGroup.make("erasures")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/erasures", {
      query: listParameters(pageSizeMax),
      success: Schema.Struct({ data: Schema.Array(ErasureReceipt), meta: listMeta }).annotate({
        identifier: "ErasureReceiptList",
      }),
      error: BadRequest,
    }),
    HttpApiEndpoint.get("get", "/v1/data/erasures/:erasureId", {
      params: { erasureId: Schema.String.check(Schema.isUUID()) },
      query: noParameters,
      success: ReceiptAnswer,
      error: NotFound,
    }),
  )
  .annotate(RateLimited, { name: "erasures", limit: 60 })
  .pipe(eitherGroup) {}

export class ArchivesApi extends HttpApiGroup.make("archives")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/visitors/:visitorId/archive", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      query: noParameters,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/zip" }),
      error: NotFound,
    }),
  )
  .annotate(RoleRequired, "admin")
  .annotate(RateLimited, { name: "archives", limit: 10 })
  .pipe(memberGroup) {}

export class ErasureApi extends HttpApiGroup.make("erasure")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.delete("erase", "/v1/data/visitors/:visitorId", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      query: { suppress: Schema.optionalKey(Schema.Literals(["true", "false"])) },
      success: ErasedVisitor,
      error: NotFound,
    }),
  )
  .annotate(RateLimited, { name: "visitor-erasure", limit: 60 })
  .pipe(keyGroup) {}
