// The wire contract of the overview (spec 13.3.3).
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { keyGroup } from "../../../access/groups.ts"
import { Meta } from "../../../platform/http/envelope.ts"
import { BadRequest, NotFound } from "../../../platform/http/errors.ts"
import { RateLimited } from "../../../platform/http/rate-limit.ts"
import { CalendarDate, described, requestText } from "../../../platform/http/fields.ts"
import { SuppressedFilter } from "../list-scope.ts"
import { Comparison } from "./overview.ts"

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

export class OverviewApi extends HttpApiGroup.make("overview")
  .annotate(OpenApi.Title, "Companies")
  .add(
    HttpApiEndpoint.get("get", "/v1/data/overview", {
      query: {
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
      },
      success: OverviewAnswer,
      error: [BadRequest, NotFound],
    }),
  )
  .annotate(RateLimited, { name: "overview", limit: 60 })
  .pipe(keyGroup) {}
