// The public wire contract of trends, comparison and movers (spec 5.7).
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { publicGroup } from "../../../access/groups.ts"
import { credentialsOptional } from "../../../access/optional-authentication.ts"
import { CalendarDate, described } from "../../../platform/http/fields.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../../platform/http/errors.ts"
import { PublicCache } from "../../../platform/http/public-cache.ts"
import { PublicRateLimited } from "../../../platform/http/rate-limit.ts"
import { lenient } from "../../../platform/http/contract.ts"
import { discoveryLimit, filterParameters, limitParameter } from "../catalog/api.ts"
import { TopicComparison, TopicMover, TopicTrendPoint } from "./topic-trend.ts"

/** spec 5.7. */
const comparedMax = 10
const moversMax = 50

const answer = <Data extends Schema.Top>(data: Data, identifier: string) =>
  Schema.Struct({ data: Schema.Array(data), meta: Meta }).annotate({ identifier })

export class TopicTrendsApi extends HttpApiGroup.make("topicTrends")
  .annotate(OpenApi.Title, "Topics")
  .add(
    HttpApiEndpoint.get("trend", "/v1/intent/topics/:topicId/trend", {
      params: { topicId: Schema.Int },
      query: { from: Schema.optionalKey(CalendarDate), to: Schema.optionalKey(CalendarDate) },
      success: answer(TopicTrendPoint, "TopicTrendAnswer"),
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.post("compare", "/v1/intent/topics/compare", {
      payload: Schema.Struct({
        topicIds: described(
          `Ids of topics, 1 to ${comparedMax}. Unknown ids are left out.`,
          Schema.Array(Schema.Int).check(Schema.isMinLength(1), Schema.isMaxLength(comparedMax)),
        ),
      }),
      success: answer(TopicComparison, "TopicComparisonAnswer"),
      error: BadRequest,
    }),
    HttpApiEndpoint.get("movers", "/v1/intent/topics/movers", {
      query: {
        ...filterParameters,
        direction: Schema.optionalKey(Schema.Literals(["up", "down"])),
        limit: limitParameter(moversMax),
      },
      success: answer(TopicMover, "TopicMoversAnswer"),
      error: BadRequest,
    }),
  )
  .annotateEndpoints(OpenApi.Override, credentialsOptional)
  .annotate(HttpApi.QueryParseOptions, lenient)
  .annotate(PublicRateLimited, discoveryLimit)
  .middleware(PublicCache)
  .pipe(publicGroup) {}
