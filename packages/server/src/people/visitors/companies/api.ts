// The wire contract of companies (spec 13.3).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopeRequired, ScopesRequired } from "../../../access/key-rights.ts"
import { RoleRequired } from "../../../access/authentication.ts"
import { keyGroup } from "../../../access/groups.ts"
import { fieldsParameter } from "../../../platform/http/chosen-fields.ts"
import { Meta, metaFields } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../../platform/http/errors.ts"
import { CalendarDate, described, requestText } from "../../../platform/http/fields.ts"
import { listParameters } from "../../../platform/http/lists.ts"
import { stalenessHeaders } from "../../../platform/http/max-staleness.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { Journey, Scope, queryParameters, queryMeta } from "../api.ts"
import { RuleAstRequest } from "../query/rule-schema.ts"
import { ListOrder, SuppressedFilter } from "../list-scope.ts"
import { markParameters } from "../mark-filters.ts"
import { Timeframe } from "../timeframe.ts"
import { ListedOwner, ListedScore, Visitor } from "../visitor.ts"

/** Maximum companies per page. spec 13.3. */
const companyPageSizeMax = 100
const whole = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))
const text = Schema.NullOr(Schema.String)

const companyFields = {
  domain: Schema.String,
  name: text,
  industry: text,
  employeeCount: Schema.NullOr(Schema.Int),
  totalRevenue: text,
  linkedinUrl: text,
  city: text,
  state: text,
  country: text,
  firstSeenAt: Schema.String,
  lastSeenAt: Schema.String,
  sessions: Schema.Int,
  anonymousSessions: Schema.Int,
  pageviews: Schema.Int,
  pricingPageViews: Schema.Int,
  demoPageViews: Schema.Int,
  peopleCount: Schema.Int,
  suppressedPeopleCount: Schema.Int,
  landingPage: text,
  referrerDomain: text,
  utmSource: text,
  utmMedium: text,
  utmCampaign: text,
  suppressed: Schema.Boolean,
  score: ListedScore,
  owner: ListedOwner,
  tags: Schema.Array(Schema.String),
}

export class Company extends Schema.Opaque<Company>()(
  Schema.Struct(companyFields).annotate({ identifier: "Company" }),
) {}

const CompanyList = Schema.Struct({
  data: Schema.Array(Company),
  meta: Schema.Struct({
    page: Schema.Int,
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    /** Null when counting took longer than 2 seconds. */
    total: Schema.NullOr(Schema.Int),
    suppressed: SuppressedFilter,
    coverage: Schema.optionalKey(
      Schema.Struct({ partial: Schema.Boolean, from: Schema.NullOr(Schema.String) }),
    ),
    scope: Scope,
    ...metaFields,
  }),
}).annotate({ identifier: "CompanyList" })

const CompanyAnswer = Schema.Struct({
  data: Schema.Struct({
    ...companyFields,
    journey: Journey,
    people: Schema.Array(Visitor),
  }).annotate({ identifier: "CompanyWithJourney" }),
  meta: Meta,
}).annotate({ identifier: "CompanyAnswer" })

/** The body of a query for companies. */
export class CompanyQueryBody extends Schema.Opaque<CompanyQueryBody>()(
  Schema.Struct({
    segmentId: described(
      "Id of a segment of companies. Send either `segmentId` or `ruleAst`.",
      Schema.optionalKey(Schema.String.check(Schema.isUUID())),
    ),
    ruleAst: described(
      "The rule to match. Send either `segmentId` or `ruleAst`. It may have the fields `company.*` (but not job title, seniority and department), `behavior.*`, `timing.*`, `attribution.*`, `pixel.*` and `score.*`.",
      Schema.optionalKey(RuleAstRequest),
    ),
    ...queryParameters,
    suppressed: described(
      "Whether to list suppressed companies, and to count sessions of suppressed people. Default `exclude`.",
      Schema.optionalKey(SuppressedFilter),
    ),
  }).annotate({ identifier: "CompanyQuery" }),
) {}

const CompanyQueryList = Schema.Struct({
  data: Schema.Array(Company),
  meta: queryMeta,
}).annotate({ identifier: "CompanyQueryList" })

const scope = {
  timeframe: Schema.optionalKey(Timeframe),
  from: Schema.optionalKey(CalendarDate),
  to: Schema.optionalKey(CalendarDate),
  pixelId: Schema.optionalKey(Schema.String.check(Schema.isUUID())),
  domain: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 2048 })),
}

const { cursor, limit } = listParameters(companyPageSizeMax)

const activityDays = Schema.Array(
  Schema.Struct({
    date: Schema.String,
    sessions: Schema.Int,
    pageviews: Schema.Int,
    pricingPageViews: Schema.Int,
    demoPageViews: Schema.Int,
    keyPages: Schema.Array(Schema.String),
  }).annotate({ identifier: "CompanyActivityDay" }),
)

const ActivityAnswer = Schema.Struct({
  data: Schema.Struct({
    timeZone: Schema.String,
    people: Schema.Array(
      Schema.Struct({
        emailHash: Schema.String,
        name: text,
        jobTitle: text,
        days: activityDays,
      }).annotate({ identifier: "CompanyActivityPerson" }),
    ),
    others: Schema.Struct({ people: Schema.Int, days: activityDays }),
    anonymous: Schema.Array(
      Schema.Struct({ country: text, days: activityDays }).annotate({
        identifier: "CompanyActivityCountry",
      }),
    ),
  }).annotate({ identifier: "CompanyActivity" }),
  meta: Meta,
}).annotate({ identifier: "CompanyActivityAnswer" })

export class CompaniesApi extends HttpApiGroup.make("companies")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "handler")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/companies", {
      query: {
        ...scope,
        page: Schema.optionalKey(whole),
        cursor,
        limit,
        fields: fieldsParameter(companyFields),
        q: described(
          "Part of the name or the domain, 1 to 100 characters.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 100 })),
        ),
        ...markParameters,
        minSessions: described(
          "Only companies with at least this many sessions in the period.",
          Schema.optionalKey(whole),
        ),
        anonymous: described(
          "`true`: only companies where no one is identified.",
          Schema.optionalKey(Schema.Literals(["true", "false"])),
        ),
        suppressed: described(
          "Whether to list suppressed companies, and to count sessions of suppressed people. Default `exclude`.",
          Schema.optionalKey(SuppressedFilter),
        ),
        sort: described(
          "`score`: highest score first, those without one last. Default `last_seen`.",
          Schema.optionalKey(ListOrder),
        ),
      },
      headers: stalenessHeaders,
      success: CompanyList,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    }),
    HttpApiEndpoint.post("query", "/v1/data/companies/query", {
      headers: stalenessHeaders,
      payload: CompanyQueryBody,
      success: CompanyQueryList,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    })
      .annotate(ScopeRequired, { scope: "visitors:read" })
      .annotate(RateLimited, { name: "company-query", limit: 30 })
      .annotate(RoleRequired, "viewer"),
    HttpApiEndpoint.get("get", "/v1/data/companies/:domain", {
      params: { domain: requestText({ lengthMin: 1, lengthMax: 253 }) },
      query: {
        timeframe: scope.timeframe,
        from: scope.from,
        to: scope.to,
        pixelId: scope.pixelId,
      },
      success: CompanyAnswer,
      error: [BadRequest, NotFound],
    }).annotate(OfSites, "company"),
    HttpApiEndpoint.get("activity", "/v1/data/companies/:domain/activity", {
      params: { domain: requestText({ lengthMin: 1, lengthMax: 253 }) },
      query: {
        timeframe: Schema.optionalKey(Schema.Literals(["24h", "7d", "14d", "30d", "90d"])),
        from: scope.from,
        to: scope.to,
        pixelId: scope.pixelId,
      },
      success: ActivityAnswer,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    }).annotate(OfSites, "company"),
  )
  .annotate(RateLimited, { name: "companies", limit: 60 })
  .pipe(keyGroup) {}
