// The wire contract of scores (spec 2.23, 5.18).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../access/key-rights.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { eitherGroup } from "../../access/groups.ts"
import { Meta } from "../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../platform/http/errors.ts"
import { described, noParameters, requestText } from "../../platform/http/fields.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { RuleNodeAnswer, RuleNodeRequest } from "../visitors/query/rule-schema.ts"
import { Reason } from "../visitors/score-reason.ts"
import { entriesMax } from "./score.ts"

const part = Schema.Literals(["fit", "interest"])

const name = described(
  "Why it counts, 1 to 100 characters.",
  requestText({ lengthMin: 1, lengthMax: 100 }),
)
const points = described(
  "-100 to 100.",
  Schema.Int.check(Schema.isBetween({ minimum: -100, maximum: 100 })),
)
const halfLifeDays = described(
  "The points halve in this many days after the last visit, 1 to 365.",
  Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 365 })),
)
const weight = (of: string) =>
  described(
    `How much of the ${of} counts in the total, 0 to 1.`,
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  )
const threshold = described(
  "Whoever has at least this total is hot, 1 to 100.",
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
)
const rule = described(
  "Who gets the points: a node of a rule. It may not test scores.",
  RuleNodeRequest,
)

const ScoreWeights = Schema.Struct({
  fit: weight("fit"),
  interest: weight("interest"),
}).annotate({ identifier: "ScoreWeights" })

const ScoreSettings = Schema.Struct({
  fit: Schema.Array(
    Schema.Struct({ name: Schema.String, rule: RuleNodeAnswer, points: Schema.Int }).annotate({
      identifier: "ScoreFitEntry",
    }),
  ),
  interest: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      rule: RuleNodeAnswer,
      points: Schema.Int,
      halfLifeDays: Schema.Finite,
    }).annotate({ identifier: "ScoreInterestEntry" }),
  ),
  weights: ScoreWeights,
  threshold: Schema.Int,
  custom: Schema.Boolean,
  tooSlow: Schema.Array(
    Schema.Struct({ part, name: Schema.String, at: Schema.String }).annotate({
      identifier: "SlowScoreEntry",
    }),
  ),
}).annotate({ identifier: "ScoreSettings" })

const entries = <Entry extends Schema.Constraint>(entry: Entry) =>
  Schema.optionalKey(Schema.Array(entry).check(Schema.isMaxLength(entriesMax)))

export class ScoreSettingsChange extends Schema.Opaque<ScoreSettingsChange>()(
  Schema.Struct({
    fit: described(
      "Who is right for you. Default: that of the default score.",
      entries(Schema.Struct({ name, rule, points }).annotate({ identifier: "NewScoreFitEntry" })),
    ),
    interest: described(
      "Who is interested now. Default: that of the default score.",
      entries(
        Schema.Struct({ name, rule, points, halfLifeDays }).annotate({
          identifier: "NewScoreInterestEntry",
        }),
      ),
    ),
    weights: described(
      "How much each part counts in the total. Default: half each.",
      Schema.optionalKey(ScoreWeights),
    ),
    threshold: Schema.optionalKey(threshold),
  }).annotate({ identifier: "ScoreSettingsChange" }),
) {}

const SettingsAnswer = Schema.Struct({ data: ScoreSettings, meta: Meta }).annotate({
  identifier: "ScoreSettingsAnswer",
})

const total = Schema.NullOr(Schema.Int)

const ExplainedScore = Schema.Struct({
  total: Schema.Int,
  fit: Schema.Int,
  interest: Schema.Int,
  hot: Schema.Boolean,
  computedAt: Schema.String,
  entries: Schema.Array(
    Schema.Struct({ part, name: Schema.String, points: Schema.Int, reason: Reason }).annotate({
      identifier: "CountedScoreEntry",
    }),
  ),
  previous: Schema.Struct({ dayAgo: total, monday: total }),
}).annotate({ identifier: "ExplainedScore" })

const ExplainedScoreAnswer = Schema.Struct({ data: ExplainedScore, meta: Meta }).annotate({
  identifier: "ExplainedScoreAnswer",
})

const rateLimit = { name: "score", limit: 60 }

export class ScoreApi extends HttpApiGroup.make("score")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Score")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/score", {
      query: noParameters,
      success: SettingsAnswer,
    }),
    HttpApiEndpoint.put("put", "/v1/data/score", {
      query: noParameters,
      payload: ScoreSettingsChange,
      success: SettingsAnswer,
      error: BadRequest,
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, rateLimit)
  .pipe(eitherGroup) {}

export class VisitorScoreApi extends HttpApiGroup.make("visitorScore")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/visitors/:visitorId/score", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      query: noParameters,
      success: ExplainedScoreAnswer,
      error: NotFound,
    }),
  )
  .annotate(RateLimited, rateLimit)
  .pipe(eitherGroup) {}

export class CompanyScoreApi extends HttpApiGroup.make("companyScore")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "company")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/companies/:domain/score", {
      params: { domain: requestText({ lengthMin: 1, lengthMax: 253 }) },
      query: noParameters,
      success: ExplainedScoreAnswer,
      error: NotFound,
    }),
  )
  .annotate(RateLimited, rateLimit)
  .pipe(eitherGroup) {}
