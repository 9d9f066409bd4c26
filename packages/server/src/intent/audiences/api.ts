// The wire contract of audience filters, validation and preview (spec 5.8).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../access/key-rights.ts"
import { eitherGroup, keyGroup } from "../../access/groups.ts"
import { IntentRequired, RoleRequired } from "../../access/authentication.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { BadRequest, ServiceUnavailable, Unprocessable } from "../../platform/http/errors.ts"
import { stalenessHeaders } from "../../platform/http/max-staleness.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { lenient } from "../../platform/http/contract.ts"
import { AppliedFilters, ConfigRequest, PreviewRequest } from "./config-request.ts"
import { CountedValue, forEachFilter } from "./filters/filter-values.ts"
import { Preview } from "./preview.ts"

const path = "/v1/intent/audiences"

const eachFilter = <Value extends Schema.Constraint>(value: Value) =>
  Schema.Struct(forEachFilter(() => Schema.Array(value)))

export const AudienceFilterValues = Schema.Struct({
  data: Schema.Union([eachFilter(Schema.String), eachFilter(CountedValue)]),
  meta: Meta,
}).annotate({ identifier: "AudienceFilterValues" })

export const ConfigValidation = Schema.Struct({
  data: Schema.Struct({
    valid: Schema.Literal(true),
    configHash: Schema.String,
    normalizedConfig: Schema.Struct({
      segmentId: Schema.NullOr(Schema.String),
      topicIds: Schema.Array(Schema.Int),
      minScore: Schema.Int,
      maxScore: Schema.Int,
      minTopicOverlap: Schema.Int,
      filters: AppliedFilters,
    }),
    /** Names of the active filters. */
    appliedFilters: Schema.Array(Schema.String),
  }),
  meta: Meta,
}).annotate({ identifier: "AudienceConfigValidation" })

export const PreviewAnswer = Schema.Struct({ data: Preview, meta: Meta }).annotate({
  identifier: "AudiencePreviewAnswer",
})

/** Preview and validation share one limit. spec 10.2. */
const previewLimit = { name: "audience-previews", limit: 30 }

export class AudienceFiltersApi extends HttpApiGroup.make("audienceFilters")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:read" })
  .annotate(OpenApi.Title, "Audiences")
  .add(
    HttpApiEndpoint.get("filters", `${path}/filters`, {
      query: { include: Schema.optionalKey(Schema.Literals(["counts"])) },
      success: AudienceFilterValues,
      error: BadRequest,
    })
      // Shared with site topics and topic lists. spec 10.2.
      .annotate(RateLimited, { name: "site-topics", limit: 120 }),
    HttpApiEndpoint.post("validate", `${path}/validate`, {
      payload: ConfigRequest,
      success: ConfigValidation,
      error: BadRequest,
    }).annotate(RateLimited, previewLimit),
  )
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(IntentRequired, true)
  .pipe(eitherGroup) {}

export class PreviewsApi extends HttpApiGroup.make("audiencePreviews")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:read" })
  .annotate(OpenApi.Title, "Audiences")
  .add(
    HttpApiEndpoint.post("preview", `${path}/preview`, {
      headers: stalenessHeaders,
      payload: PreviewRequest,
      success: PreviewAnswer,
      error: [BadRequest, Unprocessable, ServiceUnavailable],
    }),
  )
  .annotate(RateLimited, previewLimit)
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(IntentRequired, true)
  .annotate(RoleRequired, "viewer")
  .pipe(keyGroup) {}
