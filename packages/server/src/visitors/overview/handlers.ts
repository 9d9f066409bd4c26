// Maps requests and responses to the Overviews service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../http/contract.ts"
import { success } from "../../http/envelope.ts"
import { notFound } from "../../http/errors.ts"
import { pixelScopeOf } from "../scope-on-the-wire.ts"
import { OverviewApi } from "./api.ts"
import { Overviews } from "./overview.ts"

export const OverviewHandlers = HttpApiBuilder.group(
  footfall.add(OverviewApi),
  "overview",
  Effect.fn(function* (handlers) {
    const overviews = yield* Overviews

    return handlers.handleAll({
      get: Effect.fnUntraced(
        function* ({ query }) {
          const overview = yield* overviews.read({
            organizationId: (yield* Caller).organizationId,
            timeframe: query.timeframe ?? "30d",
            suppressed: query.suppressed ?? "exclude",
            ...(yield* pixelScopeOf(query)),
          })
          return yield* success(overview)
        },
        Effect.catchTag("PixelNotFound", () => notFound),
      ),
    })
  }),
)
