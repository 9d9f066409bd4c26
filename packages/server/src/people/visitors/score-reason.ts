// Why an entry of a score counts, as responses show it (spec 2.23.10).
import { Schema } from "effect"

export const reasonCodes = [
  "visited_path",
  "visited_pricing",
  "visited_demo",
  "visits",
  "pageviews",
  "active_days",
  "submitted_form",
  "event",
  "last_seen",
  "researches",
  "seniority",
  "department",
  "industry",
  "country",
  "company_size",
  "company_known",
  "business_email",
  "rule",
] as const
export type ReasonCode = (typeof reasonCodes)[number]

const ReasonParams = Schema.Struct({
  path: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  count: Schema.optionalKey(Schema.Int),
  values: Schema.optionalKey(Schema.Array(Schema.String)),
  min: Schema.optionalKey(Schema.Int),
  max: Schema.optionalKey(Schema.Int),
  topicId: Schema.optionalKey(Schema.Int),
  score: Schema.optionalKey(Schema.Int),
  at: Schema.optionalKey(Schema.String),
}).annotate({ identifier: "ScoreReasonParams" })

const part = Schema.Literals(["fit", "interest"])
const code = Schema.Literals(reasonCodes)

export const Reason = Schema.Struct({ code, params: ReasonParams }).annotate({
  identifier: "ScoreReason",
})
export type Reason = typeof Reason.Type

/** The reason with most points, in lists and look-ups. */
export const TopReason = Schema.Struct({
  part,
  code,
  params: ReasonParams,
  points: Schema.Int,
}).annotate({ identifier: "TopScoreReason" })
export type TopReason = typeof TopReason.Type
