// Maps requests and responses to the Erasure service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { requireScope } from "../../access/key-rights.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { Erasure } from "./erasure.ts"
import { ErasureApi } from "./api.ts"

export const ErasureHandlers = HttpApiBuilder.group(
  footfall.add(ErasureApi),
  "erasure",
  Effect.fn(function* (handlers) {
    const erasure = yield* Erasure
    return handlers.handleAll({
      erase: Effect.fnUntraced(
        function* ({ params, query }) {
          const { actor, key, organizationId } = yield* Caller
          // It adds rules.
          if (query.suppress === "true") yield* requireScope(key, "suppression:write")
          yield* erasure.erase({
            organizationId,
            actor,
            emailHash: params.visitorId,
            suppress: query.suppress === "true",
          })
          return yield* success({ deleted: true as const })
        },
        Effect.catchTags({
          VisitorNotFound: () => notFound,
          ErasuresBusy: () =>
            refuse({
              code: "SERVICE_UNAVAILABLE",
              message: "Other erasures are in progress. Try again in a moment.",
            }),
        }),
      ),
    })
  }),
)
