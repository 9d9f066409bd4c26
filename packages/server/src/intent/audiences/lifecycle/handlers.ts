// Maps requests and responses to the Audiences service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { Caller } from "../../../access/caller.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse, unknownTopics } from "../../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../../platform/http/lists.ts"
import { configInvalidRefused } from "../handlers.ts"
import { type AudienceLimitReached, Audiences } from "./audiences.ts"
import type { SlotsFull, TransitionInvalid } from "./audience.ts"
import { AudiencesApi } from "./api.ts"

export const AudiencesHandlers = HttpApiBuilder.group(
  footfall.add(AudiencesApi),
  "audiences",
  Effect.fn(function* (handlers) {
    const audiences = yield* Audiences

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const { organizationId } = yield* Caller
          const { limit = pageSizeDefault, status } = query
          const position = yield* positionOf(query)
          const page = yield* audiences.list(organizationId, { status, position, limit })
          return yield* success(page.rows, listMetaOf(page, limit, "audiences"))
        },
        Effect.catchTag("CursorRefused", cursorRefused),
      ),
      create: ({ payload }) =>
        Effect.gen(function* () {
          return yield* success(yield* audiences.create(yield* Caller, payload))
        }).pipe(
          Effect.catchTags({
            ConfigInvalid: configInvalidRefused,
            TopicsUnknown: ({ topicIds }) => topicsUnknown(topicIds, payload.config.topicIds ?? []),
            SlotsFull: slotsFull,
            AudienceLimitReached: limitReached,
          }),
        ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(yield* audiences.find(organizationId, params.id))
        },
        Effect.catchTag("AudienceNotFound", () => notFound),
      ),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          return yield* success(yield* audiences.change(yield* Caller, params.id, payload))
        }).pipe(
          Effect.catchTags({
            AudienceNotFound: () => notFound,
            ConfigInvalid: configInvalidRefused,
            TopicsUnknown: ({ topicIds }) =>
              topicsUnknown(topicIds, payload.config?.topicIds ?? []),
            SlotsFull: slotsFull,
            TransitionInvalid: transitionInvalid,
          }),
        ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* audiences.delete(yield* Caller, params.id)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("AudienceNotFound", () => notFound),
      ),
    })
  }),
)

const topicsUnknown = (unknown: ReadonlyArray<number>, given: ReadonlyArray<number>) =>
  unknownTopics(unknown, given, (place) => `/body/config/topicIds/${place}`)

const slotsFull = ({ limit, used }: SlotsFull) =>
  refuse({
    code: "SLOTS_FULL",
    message: `All audience slots are in use (${used} of ${limit}). Pause an audience first.`,
    details: { used, limit },
  })

const limitReached = ({ limit }: AudienceLimitReached) =>
  refuse({
    code: "AUDIENCE_LIMIT_REACHED",
    message: `This organization already has ${limit} audiences. Delete one first.`,
    details: { limit },
  })

const transitionInvalid = ({ requested, status }: TransitionInvalid) =>
  refuse({
    code: "INVALID_TRANSITION",
    message: `The audience is ${status} and cannot change to ${requested}.`,
    details: { status, requested },
  })
