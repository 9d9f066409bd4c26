// Maps requests and responses to the Trends service; decides nothing except the number of movers.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { windowDaysMax } from "./trend-window.ts"
import { Trends, type WindowRefused } from "./trends.ts"
import { TopicTrendsApi } from "./api.ts"

/** spec 5.7. */
const moversDefault = 20

export const TopicTrendsHandlers = HttpApiBuilder.group(
  footfall.add(TopicTrendsApi),
  "topicTrends",
  Effect.fn(function* (handlers) {
    const trends = yield* Trends
    return handlers.handleAll({
      trend: Effect.fnUntraced(
        function* ({ params, query }) {
          return yield* success(yield* trends.trend(params.topicId, query))
        },
        Effect.catchTags({
          TopicNotFound: () => notFound,
          WindowRefused: (error) => refused(error),
        }),
      ),
      compare: ({ payload }) => Effect.flatMap(trends.compare(payload.topicIds), success),
      movers: Effect.fnUntraced(function* ({ query }) {
        const { direction = "up", limit = moversDefault, ...filter } = query
        return yield* success(yield* trends.movers({ ...filter, direction, limit }))
      }),
    })
  }),
)

const issues = {
  from_after_to: { code: "max", message: "Expected a date that is not after the last date." },
  too_long: {
    code: "min",
    message: `Expected at most ${windowDaysMax} days from the first date to the last.`,
  },
}

const refused = ({ reason }: WindowRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `Invalid dates: ${issues[reason].message}`,
    details: { issues: [{ path: "/query/from", ...issues[reason] }] },
  })
