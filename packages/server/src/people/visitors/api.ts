// The wire contract of visitors (spec 5.1).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopeRequired, ScopesRequired } from "../../access/key-rights.ts"
import { RoleRequired } from "../../access/authentication.ts"
import { keyGroup } from "../../access/groups.ts"
import { fieldsParameter } from "../../platform/http/chosen-fields.ts"
import { metaFields } from "../../platform/http/envelope.ts"
import {
  BadRequest,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../platform/http/errors.ts"
import { listParameters } from "../../platform/http/lists.ts"
import { stalenessHeaders } from "../../platform/http/max-staleness.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"
import { CalendarDate, described, requestText } from "../../platform/http/fields.ts"
import { ListOrder, SuppressedFilter } from "./list-scope.ts"
import { markParameters } from "./mark-filters.ts"
import { SessionSummary, Touch } from "./sessions/session-summary.ts"
import { Timeframe } from "./timeframe.ts"
import { Visitor, visitorFields } from "./visitor.ts"
import { RuleAstRequest } from "./query/rule-schema.ts"

// Body and response of POST /v1/data/query (spec 5.1).
/** Maximum visitors per page, also of the list. */ // spec 10.3
export const queryPageSizeMax = 100

const uuid = Schema.String.check(Schema.isUUID())

/** Where a query looks, and which page of it to return. */
export const queryParameters = {
  page: described(
    "Page number, starting at 1. Cannot be combined with `cursor`.",
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 }))),
  ),
  cursor: described(
    "The `nextCursor` of the previous page. Cannot be combined with `page`.",
    Schema.optionalKey(Schema.String),
  ),
  limit: described(
    "Page size. Default 50.",
    Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: queryPageSizeMax })),
    ),
  ),
  pixelId: described("Only visits to this pixel's site.", Schema.optionalKey(uuid)),
  window: described(
    "Only who was seen in this period. Default: the window of the rule.",
    Schema.optionalKey(Timeframe),
  ),
  from: described(
    "First day, in the organization's time zone, such as `2026-01-31`. Cannot be combined with `window`.",
    Schema.optionalKey(CalendarDate),
  ),
  to: described(
    "Last day, included, such as `2026-02-28`. Only with `from`. Default: today.",
    Schema.optionalKey(CalendarDate),
  ),
}

export class VisitorQueryBody extends Schema.Opaque<VisitorQueryBody>()(
  Schema.Struct({
    segmentId: described(
      "Id of a segment of people. Send either `segmentId` or `ruleAst`.",
      Schema.optionalKey(uuid),
    ),
    ruleAst: described(
      "The rule to match. Send either `segmentId` or `ruleAst`.",
      Schema.optionalKey(RuleAstRequest),
    ),
    ...queryParameters,
    suppressed: described(
      "Whether to include suppressed visitors. Default `include`.",
      Schema.optionalKey(SuppressedFilter),
    ),
    sort: described(
      "`score`: highest score first, those without one last. Default `last_seen`.",
      Schema.optionalKey(ListOrder),
    ),
  }).annotate({ identifier: "VisitorQuery" }),
) {}

export const queryMeta = Schema.Struct({
  page: Schema.Int,
  limit: Schema.Int,
  hasMore: Schema.Boolean,
  nextCursor: Schema.NullOr(Schema.String),
  /** Null when counting took longer than 2 seconds. */
  total: Schema.NullOr(Schema.Int),
  coverage: Schema.optionalKey(
    Schema.Struct({ partial: Schema.Boolean, from: Schema.NullOr(Schema.String) }),
  ),
  ...metaFields,
})

export const VisitorQueryList = Schema.Struct({
  data: Schema.Array(Visitor),
  meta: queryMeta,
}).annotate({ identifier: "VisitorQueryList" })

export const Scope = Schema.Struct({
  pixels: Schema.Int,
  activePixels: Schema.Int,
  lastEventAt: Schema.NullOr(Schema.String),
}).annotate({ identifier: "VisitorScope" })

export const VisitorList = Schema.Struct({
  data: Schema.Array(Visitor),
  meta: Schema.Struct({
    page: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    /** Null when counting what `q` finds took longer than 2 seconds. */
    total: Schema.NullOr(Schema.Int),
    coverage: Schema.optionalKey(
      Schema.Struct({ partial: Schema.Boolean, from: Schema.NullOr(Schema.String) }),
    ),
    scope: Scope,
    ...metaFields,
  }),
}).annotate({ identifier: "VisitorList" })

export const Journey = Schema.Struct({
  firstTouch: Schema.NullOr(Touch),
  lastTouch: Schema.NullOr(Touch),
  sessions: Schema.Array(SessionSummary),
})

const VisitorWithJourney = Schema.Struct({
  ...visitorFields,
  journey: Journey,
}).annotate({ identifier: "VisitorWithJourney" })

export const VisitorLookUp = Schema.Struct({
  data: VisitorWithJourney,
  meta: Schema.Struct({ scope: Scope, ...metaFields }),
}).annotate({ identifier: "VisitorLookUp" })

const query = {
  timeframe: Schema.optionalKey(Timeframe),
  from: Schema.optionalKey(CalendarDate),
  to: Schema.optionalKey(CalendarDate),
  page: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })),
  ),
  cursor: Schema.optionalKey(Schema.String),
  limit: listParameters(queryPageSizeMax).limit,
  fields: fieldsParameter(visitorFields),
  pixelId: Schema.optionalKey(Schema.String.check(Schema.isUUID())),
  // A URL of the site is accepted in place of its domain, as when creating a pixel.
  domain: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 2048 })),
  email: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 320 })),
  suppressed: Schema.optionalKey(SuppressedFilter),
  sort: described(
    "`score`: highest score first, those without one last. Default `last_seen`. Cannot be combined with `email`.",
    Schema.optionalKey(ListOrder),
  ),
  q: described(
    "Any part of the name or of an email address, 1 to 100 characters, compared without case and accents. Cannot be combined with `email`.",
    Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 100 })),
  ),
  ...markParameters,
}

export class VisitorsApi extends HttpApiGroup.make("visitors")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "handler")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("list", "/v1/data", {
      query,
      headers: stalenessHeaders,
      success: Schema.Union([VisitorList, VisitorLookUp]),
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    }).annotate(RateLimited, { name: "visitor-list", limit: 60 }),
    HttpApiEndpoint.post("query", "/v1/data/query", {
      query: { suppressed: Schema.optionalKey(SuppressedFilter) },
      headers: stalenessHeaders,
      payload: VisitorQueryBody,
      success: VisitorQueryList,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    })
      .annotate(ScopeRequired, { scope: "visitors:read" })
      .annotate(RateLimited, { name: "visitor-query", limit: 30 })
      .annotate(RoleRequired, "viewer"),
  )
  .pipe(keyGroup) {}
