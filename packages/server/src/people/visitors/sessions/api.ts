// The wire contract of a visitor's sessions (spec 5.1).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { keyGroup } from "../../../access/groups.ts"
import { metaFields } from "../../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../../platform/http/errors.ts"
import { CalendarDate } from "../../../platform/http/fields.ts"
import { listParameters } from "../../../platform/http/lists.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { Timeframe } from "../timeframe.ts"
import { SessionSummary } from "./session-summary.ts"

/** Maximum sessions per page. spec 10.3. */
const sessionPageSizeMax = 100

export const SessionList = Schema.Struct({
  data: Schema.Array(SessionSummary),
  meta: Schema.Struct({
    asOf: Schema.String,
    limit: Schema.Int,
    hasMore: Schema.Boolean,
    nextCursor: Schema.NullOr(Schema.String),
    ...metaFields,
  }),
}).annotate({ identifier: "SessionList" })

const { cursor, limit } = listParameters(sessionPageSizeMax)

export class SessionsApi extends HttpApiGroup.make("sessions")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "person")
  .annotate(OpenApi.Title, "Visitors")
  .add(
    HttpApiEndpoint.get("list", "/v1/data/visitors/:visitorId/sessions", {
      params: { visitorId: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)) },
      query: {
        timeframe: Schema.optionalKey(Timeframe),
        from: Schema.optionalKey(CalendarDate),
        to: Schema.optionalKey(CalendarDate),
        pixelId: Schema.optionalKey(Schema.String.check(Schema.isUUID())),
        limit,
        cursor,
      },
      success: SessionList,
      error: [BadRequest, NotFound],
    }),
  )
  .annotate(RateLimited, { name: "sessions", limit: 60 })
  .pipe(keyGroup) {}
