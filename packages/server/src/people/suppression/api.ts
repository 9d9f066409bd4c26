// The wire contract of suppression rules (spec 5.5).
import { ruleTypes } from "@footfall/normal-form"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ScopeRequired, ScopesRequired } from "../../access/key-rights.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { keyGroup } from "../../access/groups.ts"
import { AddressRateLimited } from "../../platform/http/rate-limit.ts"
import { described, noParameters, requestText } from "../../platform/http/fields.ts"
import { Meta, metaFields } from "../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../platform/http/errors.ts"
import { BodyBytesMax } from "../../platform/http/json-body.ts"
import { listParameters } from "../../platform/http/lists.ts"
import {
  noteLengthMax,
  RejectedRule,
  RuleCounts,
  rulesPerRequestMax,
  RuleTypeSchema,
  SuppressionRule,
} from "./rule.ts"

/** Maximum size of a body with rules. spec 1.4. */
const rulesBytesMax = 16 * 1_048_576

/** Rows are checked one by one: an invalid row is reported and does not reject the others. */
const Rows = Schema.Array(Schema.Unknown).check(Schema.isMaxLength(rulesPerRequestMax))
const rules = described(
  "Objects `{type, value}`, at most 25,000. The response lists invalid rows. The others are still used.",
  Rows,
)

const note = described(
  "Why the rules are there. At most 500 characters.",
  Schema.optionalKey(Schema.NullOr(requestText({ lengthMin: 1, lengthMax: noteLengthMax }))),
)

export const BulkWriteResult = Schema.Struct({
  data: Schema.Struct({
    added: Schema.Int,
    removed: Schema.Int,
    duplicates: Schema.Int,
    rejectedCount: Schema.Int,
    rejected: Schema.Array(RejectedRule),
    total: Schema.Int,
  }),
  meta: Meta,
}).annotate({ identifier: "SuppressionBulkWrite" })

export const DeleteResult = Schema.Struct({
  data: Schema.Struct({ deleted: Schema.Int, total: Schema.Int }),
  meta: Meta,
}).annotate({ identifier: "SuppressionDelete" })

export const RuleListResult = Schema.Struct({
  data: Schema.Struct({
    rules: Schema.Array(SuppressionRule),
    counts: RuleCounts,
    total: Schema.Int,
    filteredTotal: Schema.Int,
    limit: Schema.Int,
    offset: Schema.Int,
    hasMore: Schema.Boolean,
  }),
  meta: Schema.Struct({
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "SuppressionRuleList" })

export const IndustryList = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({ value: Schema.String, visitors: Schema.Int, suppressed: Schema.Boolean }),
  ),
  meta: Schema.Struct({
    visitorsWithoutIndustry: Schema.Int,
    suppressedIndustryRules: Schema.Int,
    limit: Schema.Int,
    ...metaFields,
  }),
}).annotate({ identifier: "SuppressionIndustryList" })

/** Some of the people whom rules would suppress. */
export const AffectedSample = Schema.Array(
  Schema.Struct({
    emailHash: Schema.String,
    email: Schema.NullOr(Schema.String),
    fullName: Schema.NullOr(Schema.String),
  }),
)

export const PreviewResult = Schema.Struct({
  data: Schema.Struct({
    wouldAdd: Schema.Int,
    duplicates: Schema.Int,
    rejectedCount: Schema.Int,
    rejected: Schema.Array(RejectedRule),
    affectedVisitors: Schema.Int,
    affectedByType: RuleCounts,
    sample: AffectedSample,
  }),
  meta: Meta,
}).annotate({ identifier: "SuppressionPreview" })

export const VisitorSuppression = Schema.Struct({
  data: Schema.Struct({ suppressed: Schema.Boolean, rules: Schema.Array(SuppressionRule) }),
  meta: Meta,
}).annotate({ identifier: "VisitorSuppression" })

const path = "/v1/data/suppression-rules"

export class SuppressionApi extends HttpApiGroup.make("suppression")
  .annotate(ScopesRequired, { read: "suppression:read", write: "suppression:write" })
  .annotate(OpenApi.Title, "Suppression rules")
  .add(
    HttpApiEndpoint.get("industries", `${path}/industries`, {
      query: { limit: listParameters(1000).limit },
      success: IndustryList,
      error: BadRequest,
    }),
    HttpApiEndpoint.get("list", path, {
      query: {
        ...listParameters(5000),
        type: Schema.optionalKey(RuleTypeSchema),
        q: Schema.optionalKey(requestText({ lengthMin: 0, lengthMax: 320 })),
        originId: Schema.optionalKey(Schema.String.check(Schema.isUUID())),
      },
      success: RuleListResult,
      error: BadRequest,
    }),
    HttpApiEndpoint.post("add", path, {
      query: noParameters,
      payload: Schema.Struct({ rules, note }),
      success: BulkWriteResult,
      error: BadRequest,
    }),
    HttpApiEndpoint.put("replace", path, {
      query: noParameters,
      payload: Schema.Struct({
        rules,
        note,
        types: described(
          "Replace only rules of these types. Default: all rules.",
          Schema.optionalKey(Schema.Array(Schema.Literals(ruleTypes)).check(Schema.isMinLength(1))),
        ),
      }),
      success: BulkWriteResult,
      error: BadRequest,
    }),
    HttpApiEndpoint.delete("remove", path, {
      query: noParameters,
      payload: Schema.Struct({
        ids: described(
          "Ids of rules. At most 25,000 together with `rules`.",
          Schema.optionalKey(Rows),
        ),
        rules: described(
          "Rules as `{type, value}`, `{id}` or both. At most 25,000 together with `ids`.",
          Schema.optionalKey(Rows),
        ),
      }),
      success: DeleteResult,
      error: BadRequest,
    }),
    HttpApiEndpoint.delete("removeOne", `${path}/:ruleId`, {
      params: { ruleId: Schema.String.check(Schema.isUUID()) },
      query: noParameters,
      success: DeleteResult,
      error: [BadRequest, NotFound],
    }),
    HttpApiEndpoint.post("preview", `${path}/preview`, {
      query: noParameters,
      payload: Schema.Struct({
        rules: described(
          "Objects `{type, value}`, 1 to 25,000. The response lists invalid rows. The others are still used.",
          Rows.check(Schema.isMinLength(1)),
        ),
      }),
      success: PreviewResult,
      error: BadRequest,
    })
      .annotate(ScopeRequired, { scope: "suppression:read" })
      .annotate(RoleRequired, "viewer"),
    HttpApiEndpoint.get("ofVisitor", "/v1/data/visitors/:visitorId/suppression", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      query: noParameters,
      success: VisitorSuppression,
      error: [BadRequest, NotFound],
    }),
  )
  .annotateEndpoints(BodyBytesMax, rulesBytesMax)
  .annotate(AddressRateLimited, { name: "suppression", limit: 30, countsUnauthorized: false })
  .pipe(keyGroup) {}
