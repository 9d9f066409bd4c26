// The wire contract of suggested topic rules (spec 5.2, 19.2).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopeRequired, ScopesRequired } from "../../../access/key-rights.ts"
import { keyGroup } from "../../../access/groups.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../../platform/http/errors.ts"
import { described, noParameters } from "../../../platform/http/fields.ts"
import { BodyOptional } from "../../../platform/http/json-body.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { siteUrl } from "../analysis/site-analysis.ts"
import { TopicSuggestions } from "./topic-suggestion.ts"

const SuggestionRequest = Schema.Struct({
  url: described(
    "Page to start from, on the pixel's domain. Default: its home page.",
    Schema.optionalKey(siteUrl),
  ),
}).annotate({ identifier: "TopicSuggestionRequest" })

export class PixelTopicsApi extends HttpApiGroup.make("pixelTopics")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "site")
  .add(
    HttpApiEndpoint.post("suggest", "/v1/data/pixels/:id/suggest-topics", {
      params: { id: Schema.String.check(Schema.isUUID()) },
      query: noParameters,
      payload: SuggestionRequest,
      success: Schema.Struct({ data: TopicSuggestions, meta: Meta }).annotate({
        identifier: "TopicSuggestionsAnswer",
      }),
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    })
      .annotate(ScopeRequired, { scope: "visitors:read" })
      .annotate(BodyOptional, true),
  )
  .annotate(OpenApi.Title, "Pixels")
  .annotate(RateLimited, { name: "topic-suggestions", limit: 10 })
  .pipe(keyGroup) {}
