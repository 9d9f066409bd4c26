// Maps requests and responses to the Overviews service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { show } from "../../../platform/http/issues.ts"
import { periodOf, pixelScopeOf } from "../scope-on-the-wire.ts"
import { OverviewApi } from "./api.ts"
import { type DaysRefused, Overviews } from "./overview.ts"

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
            period: yield* periodOf(query, "30d"),
            compare: query.compare,
            suppressed: query.suppressed ?? "exclude",
            ...(yield* pixelScopeOf(query)),
          })
          return yield* success(overview)
        },
        Effect.catchTags({ PixelNotFound: () => notFound, DaysRefused: daysRefused }),
      ),
    })
  }),
)

const daysRefused = ({ code, expected, from }: DaysRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "The overview cannot show these days.",
    details: {
      issues: [
        { path: "/query/from", code, message: `Expected ${expected}, received ${show(from)}.` },
      ],
    },
  })
