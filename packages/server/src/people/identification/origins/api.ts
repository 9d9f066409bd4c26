// The wire contract of origins (spec 5.1.8).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { keyGroup } from "../../../access/groups.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { origins, ways } from "./origins.ts"

const text = Schema.NullOr(Schema.String)

export const VisitorOrigins = Schema.Struct({
  addresses: Schema.Array(
    Schema.Struct({
      emailHash: Schema.String,
      email: text,
      origin: Schema.Literals(origins),
      source: text,
      way: Schema.NullOr(Schema.Literals(ways)),
      pixelId: text,
      firstSeenAt: text,
    }),
  ),
  values: Schema.Array(
    Schema.Struct({ field: Schema.String, origin: Schema.Literals(origins), source: text }),
  ),
}).annotate({ identifier: "VisitorOrigins" })

export class OriginsApi extends HttpApiGroup.make("origins")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/visitors/:visitorId/origins", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      success: Schema.Struct({ data: VisitorOrigins, meta: Meta }).annotate({
        identifier: "VisitorOriginsAnswer",
      }),
      error: NotFound,
    }),
  )
  .annotate(RateLimited, { name: "visitor-origins", limit: 60 })
  .pipe(keyGroup) {}
