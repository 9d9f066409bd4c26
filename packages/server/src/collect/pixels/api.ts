// The wire contract of pixels (spec 5.2).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OfSites, ScopeRequired, ScopesRequired } from "../../access/key-rights.ts"
import { keyGroup } from "../../access/groups.ts"
import { idempotencyHeaders, Repeats } from "../../access/repeats/repeats.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { BadRequest, Conflict, NotFound } from "../../platform/http/errors.ts"
import { BodyOptional } from "../../platform/http/json-body.ts"
import { noFields, noParameters } from "../../platform/http/fields.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { NewPixel, Pixel, PixelChange, PixelWithCode } from "./pixel.ts"
import { Finding } from "./verification/finding.ts"
import { VerificationReason } from "./verification/verification.ts"

const params = { id: Schema.String.check(Schema.isUUID()) }

const PixelAnswer = Schema.Struct({ data: Pixel, meta: Meta }).annotate({
  identifier: "PixelAnswer",
})
const PixelWithCodeAnswer = Schema.Struct({ data: PixelWithCode, meta: Meta }).annotate({
  identifier: "PixelWithCodeAnswer",
})

export const PixelVerification = Schema.Struct({
  data: Schema.Struct({
    verified: Schema.Boolean,
    verifiedAt: Schema.NullOr(Schema.String),
    lastEventAt: Schema.NullOr(Schema.String),
    reason: Schema.NullOr(VerificationReason),
    findings: Schema.Array(Finding),
  }),
  meta: Meta,
}).annotate({ identifier: "PixelVerification" })

export class PixelsApi extends HttpApiGroup.make("pixels")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "site")
  .annotate(OpenApi.Title, "Pixels")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/pixels", {
      query: noParameters,
      success: Schema.Struct({ data: Schema.Array(Pixel), meta: Meta }).annotate({
        identifier: "PixelList",
      }),
    }).annotate(OfSites, "handler"),
    HttpApiEndpoint.post("create", "/v1/data/pixels", {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewPixel,
      success: PixelWithCodeAnswer.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict],
    }).middleware(Repeats),
    HttpApiEndpoint.get("get", "/v1/data/pixels/:id", {
      params,
      query: noParameters,
      success: PixelWithCodeAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", "/v1/data/pixels/:id", {
      params,
      query: noParameters,
      payload: PixelChange,
      success: PixelAnswer,
      error: [BadRequest, NotFound, Conflict],
    }),
    HttpApiEndpoint.delete("delete", "/v1/data/pixels/:id", {
      params,
      query: noParameters,
      success: Schema.Struct({
        data: Schema.Struct({ deleted: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "PixelDeletion" }),
      error: NotFound,
    }),
    HttpApiEndpoint.post("verify", "/v1/data/pixels/:id/verify", {
      params,
      query: noParameters,
      payload: noFields,
      success: PixelVerification,
      error: [BadRequest, NotFound],
    })
      .annotate(ScopeRequired, { scope: "visitors:read" })
      .annotate(BodyOptional, true),
  )
  .annotate(RateLimited, { name: "pixels", limit: 60 })
  .pipe(keyGroup) {}
