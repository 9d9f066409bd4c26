// Maps requests and responses to the Origins service; decides nothing. People who are not shown have no origins either.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller, sitesOfCaller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound } from "../../../platform/http/errors.ts"
import { Visitors } from "../../visitors/visitors.ts"
import { OriginsApi } from "./api.ts"
import { Origins } from "./origins.ts"

export const OriginsHandlers = HttpApiBuilder.group(
  footfall.add(OriginsApi),
  "origins",
  Effect.fn(function* (handlers) {
    const origins = yield* Origins
    const visitors = yield* Visitors
    return handlers.handleAll({
      get: Effect.fnUntraced(
        function* ({ params }) {
          const caller = yield* Caller
          const { organizationId } = caller
          const sites = sitesOfCaller(caller)
          const filter = { organizationId, timeframe: "all", suppressed: "include" } as const
          yield* visitors.find(filter, params.visitorId)
          const found = (yield* origins.of(organizationId, params.visitorId)) ?? (yield* notFound)
          return yield* success({
            ...found,
            addresses: found.addresses.map((address) => ({
              ...address,
              pixelId:
                sites === undefined || sites.includes(address.pixelId ?? "")
                  ? address.pixelId
                  : null,
              firstSeenAt:
                address.firstSeenAt === null
                  ? null
                  : DateTime.formatIso(DateTime.makeUnsafe(address.firstSeenAt)),
            })),
          })
        },
        Effect.catchTags({ VisitorNotFound: () => notFound, PixelNotFound: () => notFound }),
      ),
    })
  }),
)
