// The wire contract of segments (spec 2.7, 5.4).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OfSites, ScopeRequired, ScopesRequired } from "../../../access/key-rights.ts"
import { idempotencyHeaders, Repeats } from "../../../access/repeats/repeats.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { described, noParameters, requestText } from "../../../platform/http/fields.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../../platform/http/errors.ts"
import { listMeta, listParameters, pageSizeMax } from "../../../platform/http/lists.ts"
import { stalenessHeaders } from "../../../platform/http/max-staleness.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { Company } from "../companies/api.ts"
import { RuleSubject } from "../query/predicate.ts"
import { RuleAstAnswer, RuleAstRequest } from "../query/rule-schema.ts"
import { Visitor } from "../visitor.ts"

// A segment: a rule with a name, saved for reuse (spec 2.7). Names and descriptions are trimmed. Rules are parsed
// before they are stored, so a stored rule is always valid.
export class Segment extends Schema.Opaque<Segment>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    description: Schema.NullOr(Schema.String),
    subject: RuleSubject,
    ruleAst: RuleAstAnswer,
    /** The user; null if created with an API key. */
    createdBy: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Segment" }),
) {}

const name = described("1 to 160 characters.", requestText({ lengthMin: 1, lengthMax: 160 }))
const description = described(
  "Note for your team, at most 500 characters, or null.",
  Schema.NullOr(requestText({ lengthMin: 0, lengthMax: 500 })),
)
const ruleAst = described("The rule to save.", RuleAstRequest)

/** Body of a create request. */ // spec 5.4
export class NewSegment extends Schema.Opaque<NewSegment>()(
  Schema.Struct({
    name,
    description: Schema.optionalKey(description),
    subject: described(
      "What the segment contains. Default `people`. It never changes.",
      Schema.optionalKey(RuleSubject),
    ),
    ruleAst,
  }).annotate({ identifier: "NewSegment" }),
) {}

/** Body of an update request. Omitted fields do not change. */ // spec 5.4
export class SegmentChange extends Schema.Opaque<SegmentChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    description: Schema.optionalKey(description),
    ruleAst: Schema.optionalKey(ruleAst),
  }).annotate({ identifier: "SegmentChange" }),
) {}

const params = { segmentId: Schema.String.check(Schema.isUUID()) }

export const SegmentList = Schema.Struct({
  data: Schema.Array(Segment),
  meta: listMeta,
}).annotate({ identifier: "SegmentList" })

const SegmentAnswer = Schema.Struct({ data: Segment, meta: Meta }).annotate({
  identifier: "SegmentAnswer",
})

/** Body of a preview request. */
const SegmentTrial = Schema.Struct({
  ruleAst: described("The rule to preview.", RuleAstRequest),
  subject: described("What the rule selects. Default `people`.", Schema.optionalKey(RuleSubject)),
  pixelId: described(
    "Only visitors or companies on this pixel's site.",
    Schema.optionalKey(Schema.String.check(Schema.isUUID())),
  ),
}).annotate({ identifier: "SegmentTrial" })

export const SegmentPreviewAnswer = Schema.Struct({
  data: Schema.Struct({
    count: Schema.Int,
    sample: Schema.Array(Visitor),
    companies: Schema.Array(Company),
  }),
  meta: Meta,
}).annotate({ identifier: "SegmentPreview" })

export class SegmentsApi extends HttpApiGroup.make("segments")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Segments")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/segments", {
      query: listParameters(pageSizeMax),
      success: SegmentList,
      error: BadRequest,
    }),
    HttpApiEndpoint.post("create", "/v1/data/segments", {
      query: noParameters,
      headers: idempotencyHeaders,
      payload: NewSegment,
      success: SegmentAnswer.pipe(HttpApiSchema.status(201)),
      error: BadRequest,
    })
      .middleware(Repeats)
      .annotate(RoleRequired, "member"),
    HttpApiEndpoint.get("get", "/v1/data/segments/:segmentId", {
      params,
      query: noParameters,
      success: SegmentAnswer,
      error: NotFound,
    }),
    HttpApiEndpoint.patch("update", "/v1/data/segments/:segmentId", {
      params,
      query: noParameters,
      payload: SegmentChange,
      success: SegmentAnswer,
      error: [BadRequest, NotFound],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.delete("delete", "/v1/data/segments/:segmentId", {
      params,
      query: noParameters,
      success: Schema.Struct({
        data: Schema.Struct({ deleted: Schema.Literal(true) }),
        meta: Meta,
      }).annotate({ identifier: "SegmentDeletion" }),
      error: [NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
    HttpApiEndpoint.post("preview", "/v1/data/segments/preview", {
      query: noParameters,
      headers: stalenessHeaders,
      payload: SegmentTrial,
      success: SegmentPreviewAnswer,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    })
      .annotate(ScopeRequired, { scope: "visitors:read" })
      .annotate(OfSites, "handler"),
  )
  .annotate(RateLimited, { name: "segments", limit: 60 })
  .pipe(eitherGroup) {}
