// The wire contract of the public topic catalog: list, facets and search (spec 5.7).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { publicGroup } from "../../../access/groups.ts"
import { credentialsOptional } from "../../../access/optional-authentication.ts"
import { Meta, metaFields } from "../../../platform/http/envelope.ts"
import { BadRequest } from "../../../platform/http/errors.ts"
import { PublicCache } from "../../../platform/http/public-cache.ts"
import { PublicRateLimited } from "../../../platform/http/rate-limit.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { Topic, TopicType } from "../topic.ts"
import { TopicFacets } from "./topic-filter.ts"
import { listParameters } from "../../../platform/http/lists.ts"
import { requestText } from "../../../platform/http/fields.ts"

// Shared by the public endpoints about topics (spec 5.7, 10.2).

/** GET and compare share one limit: per address without credentials, per key or user with them. */
export const discoveryLimit = { name: "topic-discovery", limitOfAddress: 60, limit: 120 }

/** A text in the query, at most 100 characters. */
const queryText = (lengthMin: number) => requestText({ lengthMin, lengthMax: 100 })

/** Which topics to select; empty text matches every topic. */
export const filterParameters = {
  type: Schema.optionalKey(TopicType),
  industry: Schema.optionalKey(queryText(0)),
}

/** `limit`, from 1 to `limitMax`. */
export const limitParameter = (limitMax: number) => listParameters(limitMax).limit

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
