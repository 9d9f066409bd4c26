// Maps requests and responses to the SiteAnalyses service; decides nothing except the page size.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller, MaybeCaller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { refuse } from "../../../platform/http/errors.ts"
import { cursorRefused, listMetaOf, positionOf } from "../../../platform/http/lists.ts"
import { pageUrlRefused } from "../../../platform/outbound/url-refused.ts"
import { SiteAnalyses } from "./site-analyses.ts"
import type { SiteUnreadable } from "./site-analysis.ts"
import { SiteAnalysisApi, SiteTopicsApi } from "./api.ts"

/** Default analyses per page. spec 1.6. */
const pageSize = 20

export const SiteAnalysisHandlers = HttpApiBuilder.group(
  footfall.add(SiteAnalysisApi),
  "siteAnalysis",
  Effect.fn(function* (handlers) {
    const analyses = yield* SiteAnalyses

    return handlers.handleAll({
      analyze: Effect.fnUntraced(
        function* ({ payload }) {
          return yield* success(yield* analyses.analyze(payload.url, yield* MaybeCaller))
        },
        Effect.catchTags({
          UrlNotAllowed: ({ reason }) => pageUrlRefused(reason, "/body/url"),
          SiteUnreadable: siteUnreadable,
          SitesBusy: () => sitesBusy,
        }),
      ),
    })
  }),
)

export const SiteTopicsHandlers = HttpApiBuilder.group(
  footfall.add(SiteTopicsApi),
  "siteTopics",
  Effect.fn(function* (handlers) {
    const analyses = yield* SiteAnalyses

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const position = yield* positionOf(query)
          const limit = query.limit ?? pageSize
          const page = yield* analyses.list(organizationId, position, limit)
          return yield* success(
            page.rows.map(({ createdKey: _, ...analysis }) => analysis),
            listMetaOf(page, limit, "analyses"),
          )
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
    })
  }),
)

export const siteUnreadable = ({ reason }: SiteUnreadable) =>
  refuse({ code: "SITE_UNREADABLE", message: causes[reason], details: { reason } })

const causes: Readonly<Record<SiteUnreadable["reason"], string>> = {
  unreachable: "The site could not be reached, or redirects more than 3 times.",
  timeout: "The site took longer than 10 seconds, or its page takes too long to analyze.",
  not_html: "The site did not respond with HTML.",
  too_large: "The page is larger than 2 MiB.",
  empty: "The page has no text. Text that a script adds cannot be read.",
  status: "The site responded with an error.",
}

export const sitesBusy = refuse({
  code: "SERVICE_UNAVAILABLE",
  message: "Too many sites are being analyzed. Try again in a moment.",
})
