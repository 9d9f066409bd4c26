// The wire contract of owners and tags (spec 5.20).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { eitherGroup } from "../../../access/groups.ts"
import { Meta, metaFields } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  Conflict,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../../platform/http/errors.ts"
import { described, noParameters } from "../../../platform/http/fields.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { Company } from "../../visitors/companies/api.ts"
import { RuleSubject } from "../../visitors/query/predicate.ts"
import { Tag, tagLengthMax, tagsMax } from "../../visitors/tag.ts"
import { Visitor } from "../../visitors/visitor.ts"
import { companyParams, personParams, teamworkLimit } from "../subject.ts"

const RecordChange = Schema.Struct({
  ownerId: described(
    "Id of the member who looks after the person or company, or null for no one.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isUUID()))),
  ),
  tags: described(
    `All tags: up to ${tagsMax} texts of 1 to ${tagLengthMax} characters, without commas. Repeats in another case are dropped. They replace the earlier tags.`,
    Schema.optionalKey(Schema.Array(Tag).check(Schema.isMaxLength(tagsMax))),
  ),
}).annotate({ identifier: "RecordChange" })

const VisitorAnswer = Schema.Struct({ data: Visitor, meta: Meta }).annotate({
  identifier: "VisitorAnswer",
})

const CompanyRecordAnswer = Schema.Struct({ data: Company, meta: Meta }).annotate({
  identifier: "CompanyRecordAnswer",
})

const TagList = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({ tag: Schema.String, count: Schema.Int }).annotate({ identifier: "CountedTag" }),
  ),
  meta: Schema.Struct(metaFields),
}).annotate({ identifier: "TagList" })

export class VisitorMarksApi extends HttpApiGroup.make("visitorMarks")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.patch("update", "/v1/data/visitors/:visitorId", {
      params: personParams,
      query: noParameters,
      payload: RecordChange,
      success: VisitorAnswer,
      error: [BadRequest, NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, teamworkLimit)
  .pipe(eitherGroup) {}

export class CompanyMarksApi extends HttpApiGroup.make("companyMarks")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "company")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.patch("update", "/v1/data/companies/:domain", {
      params: companyParams,
      query: noParameters,
      payload: RecordChange,
      success: CompanyRecordAnswer,
      error: [BadRequest, NotFound, Conflict],
    }).annotate(RoleRequired, "member"),
  )
  .annotate(RateLimited, teamworkLimit)
  .pipe(eitherGroup) {}

export class TagsApi extends HttpApiGroup.make("tags")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/tags", {
      query: { subject: described("Whose tags.", RuleSubject) },
      success: TagList,
      error: [BadRequest, Unprocessable, ServiceUnavailable],
    }),
  )
  .annotate(RateLimited, teamworkLimit)
  .pipe(eitherGroup) {}
