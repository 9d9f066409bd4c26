// The wire contract of the topics of people and companies (spec 5.19).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../access/key-rights.ts"
import { IntentRequired } from "../../access/authentication.ts"
import { eitherGroup } from "../../access/groups.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { NotFound, ServiceUnavailable, Unprocessable } from "../../platform/http/errors.ts"
import { requestText } from "../../platform/http/fields.ts"
import { noParameters } from "../../platform/http/fields.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"

const score = Schema.NullOr(Schema.Int)
const date = Schema.NullOr(Schema.String)
const topic = { topicId: Schema.Int, topicName: Schema.String, score, previousScore: score }

const VisitorTopicsAnswer = Schema.Struct({
  data: Schema.Struct({
    dataDate: date,
    previousDate: date,
    topics: Schema.Array(Schema.Struct(topic).annotate({ identifier: "VisitorTopic" })),
  }).annotate({ identifier: "VisitorTopics" }),
  meta: Meta,
}).annotate({ identifier: "VisitorTopicsAnswer" })

const CompanyTopicsAnswer = Schema.Struct({
  data: Schema.Struct({
    dataDate: date,
    previousDate: date,
    topics: Schema.Array(
      Schema.Struct({ ...topic, people: Schema.Int }).annotate({ identifier: "CompanyTopic" }),
    ),
  }).annotate({ identifier: "CompanyTopics" }),
  meta: Meta,
}).annotate({ identifier: "CompanyTopicsAnswer" })

const rateLimit = { name: "topics-of-visitors", limit: 60 }

export class VisitorTopicsApi extends HttpApiGroup.make("visitorTopics")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/visitors/:visitorId/topics", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      query: noParameters,
      success: VisitorTopicsAnswer,
      error: NotFound,
    }),
  )
  .annotate(RateLimited, rateLimit)
  .annotate(IntentRequired, true)
  .pipe(eitherGroup) {}

export class CompanyTopicsApi extends HttpApiGroup.make("companyTopics")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "company")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/companies/:domain/topics", {
      params: { domain: requestText({ lengthMin: 1, lengthMax: 253 }) },
      query: noParameters,
      success: CompanyTopicsAnswer,
      error: [NotFound, Unprocessable, ServiceUnavailable],
    }),
  )
  .annotate(RateLimited, rateLimit)
  .annotate(IntentRequired, true)
  .pipe(eitherGroup) {}
