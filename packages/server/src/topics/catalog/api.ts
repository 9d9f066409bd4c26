// The wire contract of the public topic catalog: list, facets and search (spec 5.7).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { publicGroup } from "../../access/groups.ts"
import { credentialsOptional } from "../../access/optional-authentication.ts"
import { Meta, metaFields } from "../../http/envelope.ts"
import { BadRequest } from "../../http/errors.ts"
import { PublicCache } from "../../http/public-cache.ts"
import { PublicRateLimited } from "../../http/rate-limit.ts"
import { lenient } from "../../http/contract.ts"
import { discoveryLimit, filterParameters, limitParameter, queryText } from "../discovery.ts"
import { Topic } from "../topic.ts"
import { TopicFacets } from "./facets.ts"

/** Maximum topics per page. spec 1.6. */
const pageSizeMax = 500
const searchLimitMax = 50

export const TopicPage = Schema.Struct({
  data: Schema.Array(Topic),
  meta: Schema.Struct({
    total: Schema.Int,
    page: Schema.Int,
    pageSize: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "TopicPage" })

export class TopicsApi extends HttpApiGroup.make("topics")
  .annotate(OpenApi.Title, "Topics")
  .add(
    HttpApiEndpoint.get("list", "/v1/intent/topics", {
      query: {
        ...filterParameters,
        category: Schema.optionalKey(queryText(0)),
        q: Schema.optionalKey(queryText(0)),
        page: Schema.optionalKey(
          Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })),
        ),
        pageSize: limitParameter(pageSizeMax),
        cursor: Schema.optionalKey(Schema.String),
      },
      success: TopicPage,
      error: BadRequest,
    }),
    HttpApiEndpoint.get("facets", "/v1/intent/topics/facets", {
      success: Schema.Struct({ data: TopicFacets, meta: Meta }).annotate({
        identifier: "TopicFacetsAnswer",
      }),
    }),
    HttpApiEndpoint.get("search", "/v1/intent/topics/search", {
      query: {
        ...filterParameters,
        q: queryText(1),
        limit: limitParameter(searchLimitMax),
      },
      success: Schema.Struct({ data: Schema.Array(Topic), meta: Meta }).annotate({
        identifier: "TopicSearchAnswer",
      }),
      error: BadRequest,
    }),
  )
  .annotateEndpoints(OpenApi.Override, credentialsOptional)
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(PublicRateLimited, discoveryLimit)
  .middleware(PublicCache)
  .pipe(publicGroup) {}
