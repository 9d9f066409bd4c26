// The wire contract of the overview (spec 13.3.3).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../../access/key-rights.ts"
import { keyGroup } from "../../../access/groups.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import {
  BadRequest,
  NotFound,
  ServiceUnavailable,
  Unprocessable,
} from "../../../platform/http/errors.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { CalendarDate, described, requestText } from "../../../platform/http/fields.ts"
import { SuppressedFilter } from "../list-scope.ts"
import { Dimension } from "./breakdown.ts"
import { Comparison } from "./windows.ts"

const figures = {
  sessions: Schema.Int,
  anonymousSessions: Schema.Int,
  pageviews: Schema.Int,
  people: Schema.Int,
  newPeople: Schema.Int,
  suppressedPeople: Schema.Int,
  companies: Schema.Int,
  pricingPageViews: Schema.Int,
  demoPageViews: Schema.Int,
}

const OverviewFigures = Schema.Struct(figures).annotate({ identifier: "OverviewFigures" })

const part = {
  days: Schema.Array(
    Schema.Struct({ date: Schema.String, ...figures }).annotate({ identifier: "OverviewDay" }),
  ),
  hours: Schema.Array(
    Schema.Struct({ startsAt: Schema.String, ...figures }).annotate({ identifier: "OverviewHour" }),
  ),
  totals: OverviewFigures,
}

const OverviewAnswer = Schema.Struct({
  data: Schema.Struct({
    suppressed: SuppressedFilter,
    timeZone: Schema.String,
    ...part,
    previous: OverviewFigures,
    comparison: Schema.NullOr(Schema.Struct(part).annotate({ identifier: "OverviewComparison" })),
  }).annotate({ identifier: "Overview" }),
  meta: Meta,
}).annotate({ identifier: "OverviewAnswer" })

const breakdownFigures = {
  sessions: Schema.Int,
  anonymousSessions: Schema.Int,
  pageviews: Schema.Int,
  people: Schema.Int,
  companies: Schema.Int,
}

const compared = {
  ...breakdownFigures,
  comparison: Schema.NullOr(
    Schema.Struct(breakdownFigures).annotate({ identifier: "BreakdownFigures" }),
  ),
}

const BreakdownAnswer = Schema.Struct({
  data: Schema.Struct({
    suppressed: SuppressedFilter,
    timeZone: Schema.String,
    by: Dimension,
    totals: Schema.Struct(compared).annotate({ identifier: "BreakdownTotals" }),
    rows: Schema.Array(
      Schema.Struct({
        value: Schema.NullOr(Schema.String),
        keyPage: Schema.NullOr(Schema.String),
        ...compared,
      }).annotate({
        identifier: "BreakdownRow",
      }),
    ),
    hasMore: Schema.Boolean,
  }).annotate({ identifier: "Breakdown" }),
  meta: Meta,
}).annotate({ identifier: "BreakdownAnswer" })

const query = {
  timeframe: Schema.optionalKey(Schema.Literals(["24h", "7d", "14d", "30d", "90d"])),
  from: Schema.optionalKey(CalendarDate),
  to: Schema.optionalKey(CalendarDate),
  compare: Schema.optionalKey(Comparison),
  pixelId: Schema.optionalKey(Schema.String.check(Schema.isUUID())),
  domain: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 2048 })),
  suppressed: described(
    "Whether to count suppressed people and companies, and their sessions. Default `exclude`.",
    Schema.optionalKey(SuppressedFilter),
  ),
}

/** Values per breakdown. */ // spec 10.3
const breakdownRowsMax = 100
export const breakdownRowsDefault = 10

export class OverviewApi extends HttpApiGroup.make("overview")
  .annotate(ScopesRequired, { read: "visitors:read", write: "visitors:write" })
  .annotate(OfSites, "handler")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/overview", {
      query,
      success: OverviewAnswer,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    }),
    HttpApiEndpoint.get("breakdown", "/v1/data/overview/breakdown", {
      query: {
        by: described("What to break the sessions down by.", Dimension),
        ...query,
        limit: described(
          `Number of values, 1 to ${breakdownRowsMax}. Default ${breakdownRowsDefault}.`,
          Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: breakdownRowsMax })),
          ),
        ),
      },
      success: BreakdownAnswer,
      error: [BadRequest, NotFound, Unprocessable, ServiceUnavailable],
    }),
  )
  .annotate(RateLimited, { name: "overview", limit: 60 })
  .pipe(keyGroup) {}
