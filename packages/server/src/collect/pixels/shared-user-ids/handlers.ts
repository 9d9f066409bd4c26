// Lists the user ids of a pixel that strangers share, and releases one.
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Audit } from "../../../access/audit/audit.ts"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound } from "../../../platform/http/errors.ts"
import { hintIfEmpty } from "../../../platform/http/lists.ts"
import { PixelStore } from "../store.ts"
import { SharedUserIdsApi } from "./api.ts"
import { SharedUserIdStore } from "./store.ts"

export const SharedUserIdsHandlers = HttpApiBuilder.group(
  footfall.add(SharedUserIdsApi),
  "sharedUserIds",
  Effect.fn(function* (handlers) {
    const store = yield* SharedUserIdStore
    const pixels = yield* PixelStore
    const audit = yield* Audit
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Caller
        const pixel = { organizationId, pixelId: params.id }
        if (Option.isNone(yield* pixels.find(pixel))) return yield* notFound
        const all = yield* store.list(pixel)
        return yield* success(all, hintIfEmpty(all, "sharedUserIds"))
      }),

      release: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* Caller
        const { organizationId } = caller
        const pixel = { organizationId, pixelId: params.id }
        if (Option.isNone(yield* pixels.find(pixel))) return yield* notFound
        const isReleased = yield* store.transaction(
          Effect.tap(store.release(pixel, params.sharedUserId), (was) =>
            was
              ? audit.record(caller, "shared_user_id.released", params.sharedUserId)
              : Effect.void,
          ),
        )
        return isReleased ? yield* success({ deleted: true as const }) : yield* notFound
      }),
    })
  }),
)
