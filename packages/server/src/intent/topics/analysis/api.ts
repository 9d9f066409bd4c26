// The wire contract of site analysis, which is public, and of stored analyses (spec 5.7).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ScopesRequired } from "../../../access/key-rights.ts"
import { eitherGroup, publicGroup } from "../../../access/groups.ts"
import { credentialsOptional } from "../../../access/optional-authentication.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest, ServiceUnavailable, Unprocessable } from "../../../platform/http/errors.ts"
import { listMeta, listParameters } from "../../../platform/http/lists.ts"
import { PublicRateLimited, RateLimited } from "../../../platform/http/rate-limit.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { SiteAnalysis, SiteRequest, StoredSiteAnalysis } from "./site-analysis.ts"

/** Maximum analyses per page. spec 1.6. */
const pageSizeMax = 100

export const SiteAnalysisAnswer = Schema.Struct({ data: SiteAnalysis, meta: Meta }).annotate({
  identifier: "SiteAnalysisAnswer",
})

export const StoredSiteAnalysisList = Schema.Struct({
  data: Schema.Array(StoredSiteAnalysis),
  meta: listMeta,
}).annotate({ identifier: "StoredSiteAnalysisList" })

export class SiteAnalysisApi extends HttpApiGroup.make("siteAnalysis")
  .annotate(OpenApi.Title, "Site analysis")
  .add(
    HttpApiEndpoint.post("analyze", "/v1/intent/topics/analyze", {
      payload: SiteRequest,
      success: SiteAnalysisAnswer,
      error: [BadRequest, Unprocessable, ServiceUnavailable],
    }).annotate(OpenApi.Override, credentialsOptional),
  )
  .annotate(PublicRateLimited, { name: "topic-analysis", limitOfAddress: 2, limit: 30 })
  .annotate(HttpApi.QueryParseOptions, lenient)
  .pipe(publicGroup) {}

export class SiteTopicsApi extends HttpApiGroup.make("siteTopics")
  .annotate(ScopesRequired, { read: "intent:read", write: "intent:write" })
  .annotate(OpenApi.Title, "Site analysis")
  .add(
    HttpApiEndpoint.get("list", "/v1/intent/site-topics", {
      query: listParameters(pageSizeMax),
      success: StoredSiteAnalysisList,
      error: BadRequest,
    }),
  )
  .annotate(RateLimited, { name: "site-topics", limit: 120 })
  .annotate(HttpApi.QueryParseOptions, lenient)
  .pipe(eitherGroup) {}
