// The wire contract of the events of a session (spec 5.1.10, 13.3.8).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../access/key-rights.ts"
import { eitherGroup } from "../../access/groups.ts"
import { metaFields } from "../../platform/http/envelope.ts"
import {
  BadRequest,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../platform/http/errors.ts"
import { requestText } from "../../platform/http/fields.ts"
import { listParameters } from "../../platform/http/lists.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"

/** Maximum events per page. spec 10.3. */
const eventPageSizeMax = 500

const text = Schema.NullOr(Schema.String)

export class SessionEvent extends Schema.Opaque<SessionEvent>()(
  Schema.Struct({
    id: Schema.String,
    type: Schema.Literals(["page", "custom"]),
    at: Schema.String,
    path: text,
    keyPage: text,
    title: text,
    name: text,
    props: Schema.NullOr(
      Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
    ),
    secondsVisible: Schema.NullOr(Schema.Int),
    referrerDomain: text,
    utmSource: text,
    utmMedium: text,
    utmCampaign: text,
    utmTerm: text,
    utmContent: text,
  }).annotate({ identifier: "SessionEvent" }),
) {}

export const SessionEventList = Schema.Struct({
  data: Schema.Array(SessionEvent),
  meta: Schema.Struct({
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "SessionEventList" })

const { cursor, limit } = listParameters(eventPageSizeMax)
const sessionId = Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/))
const list = {
  query: { limit, cursor },
  success: SessionEventList,
  error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
} as const
const rateLimit = { name: "session-events", limit: 60 }

export class VisitorSessionsApi extends HttpApiGroup.make("visitorSessions")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("events", "/v1/data/visitors/:visitorId/sessions/:sessionId/events", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)), sessionId },
      ...list,
    }),
  )
  .annotate(RateLimited, rateLimit)
  .pipe(eitherGroup) {}

export class CompanySessionsApi extends HttpApiGroup.make("companySessions")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "company")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("events", "/v1/data/companies/:domain/sessions/:sessionId/events", {
      params: { domain: requestText({ lengthMin: 1, lengthMax: 253 }), sessionId },
      ...list,
    }),
  )
  .annotate(RateLimited, rateLimit)
  .pipe(eitherGroup) {}
