// Maps requests and responses to the services of filters, configurations and previews; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { statementLimitMs } from "../../platform/database/statement-limits.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { refuse, unknownTopics } from "../../platform/http/errors.ts"
import { AudienceFiltersApi, PreviewsApi } from "./api.ts"
import { configHash, hashedForm } from "./config.ts"
import { type ConfigInvalid, Configs } from "./configs.ts"
import { type FilterValues, forEachFilter } from "./filters/filter-values.ts"
import { Filters } from "./filters/filters.ts"
import { Previews } from "./previews.ts"

// The error for contradictory limits in a configuration, the same on every endpoint that accepts one.

export const configInvalidRefused = ({ issues }: ConfigInvalid) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: issues[0]!.message, // there is at least one
    details: { issues: [...issues] },
  })

const countingBusy = () =>
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many audiences are being counted. Try again in a moment.",
  })

export const AudienceFiltersHandlers = HttpApiBuilder.group(
  footfall.add(AudienceFiltersApi),
  "audienceFilters",
  Effect.fn(function* (handlers) {
    const filters = yield* Filters
    const configs = yield* Configs

    return handlers.handleAll({
      filters: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Caller
        const values = yield* filters
          .of(organizationId)
          .pipe(Effect.catchTags({ RulesBusy: countingBusy, SqlError: Effect.die }))
        return yield* success(query.include === "counts" ? values : withoutCounts(values))
      }),
      validate: ({ payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* Caller
          const config = yield* configs.check(organizationId, payload, "/body")
          return yield* success({
            valid: true as const,
            configHash: configHash(config),
            normalizedConfig: { segmentId: null, ...hashedForm(config) },
            appliedFilters: Object.keys(config.filters),
          })
        }).pipe(
          Effect.catchTags({
            ConfigInvalid: configInvalidRefused,
            TopicsUnknown: ({ topicIds }) => unknownTopics(topicIds, payload.topicIds ?? []),
          }),
        ),
    })
  }),
)

export const PreviewsHandlers = HttpApiBuilder.group(
  footfall.add(PreviewsApi),
  "audiencePreviews",
  Effect.fn(function* (handlers) {
    const configs = yield* Configs
    const previews = yield* Previews

    return handlers.handle("preview", ({ payload }) =>
      Effect.gen(function* () {
        const { organizationId } = yield* Caller
        const { explain = false, ...given } = payload
        const config = yield* configs.check(organizationId, given, "/body")
        return yield* success(yield* previews.of(organizationId, config, explain))
      }).pipe(
        Effect.catchTags({
          ConfigInvalid: configInvalidRefused,
          TopicsUnknown: ({ topicIds }) => unknownTopics(topicIds, payload.topicIds ?? []),
          RulesBusy: countingBusy,
          StatementTimedOut: () =>
            refuse({
              code: "QUERY_TOO_SLOW",
              message:
                `Counting took longer than ${countSecondsMax} seconds. ` +
                "Use fewer topics, a higher minimum score or a simpler segment, then try again.",
              details: { seconds: countSecondsMax },
            }),
          SqlError: Effect.die,
        }),
      ),
    )
  }),
)

const withoutCounts = (values: FilterValues) =>
  forEachFilter((name) => values[name].map(({ value }) => value))

/** The time limit of one statement. */
const countSecondsMax = statementLimitMs / 1_000
