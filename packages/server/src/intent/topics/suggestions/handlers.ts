// Maps requests and responses to the Suggestions service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { pageUrlRefused } from "../../../platform/outbound/url-refused.ts"
import { sitesBusy, siteUnreadable } from "../analysis/handlers.ts"
import { PixelTopicsApi } from "./api.ts"
import { type PageOfOtherSite, Suggestions } from "./suggestions.ts"

export const PixelTopicsHandlers = HttpApiBuilder.group(
  footfall.add(PixelTopicsApi),
  "pixelTopics",
  Effect.fn(function* (handlers) {
    const suggestions = yield* Suggestions

    return handlers.handleAll({
      suggest: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { organizationId } = yield* Caller
          const key = { organizationId, pixelId: params.id }
          return yield* success(yield* suggestions.suggest(key, payload.url))
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          PageOfOtherSite: pageOfOtherSite,
          UrlNotAllowed: ({ reason }) => pageUrlRefused(reason, "/body/url"),
          SiteUnreadable: siteUnreadable,
          SitesBusy: () => sitesBusy,
        }),
      ),
    })
  }),
)

const pageOfOtherSite = ({ domain }: PageOfOtherSite) => {
  const message = `Expected a URL on ${domain}.`
  return refuse({
    code: "VALIDATION_ERROR",
    message: `The page is not on the pixel's site: /body/url ${message}`,
    details: { issues: [{ path: "/body/url", code: "url_not_allowed", message }] },
  })
}
