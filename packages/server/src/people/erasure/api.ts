// The wire contract of erasure (spec 5.1, DELETE /v1/data/visitors/{visitorId}).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../access/key-rights.ts"
import { keyGroup } from "../../access/groups.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"

export const ErasedVisitor = Schema.Struct({
  data: Schema.Struct({ deleted: Schema.Literal(true) }),
  meta: Meta,
}).annotate({ identifier: "ErasedVisitor" })

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
