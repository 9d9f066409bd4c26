// Maps requests and responses to the WriteKeys service; decides nothing.
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../../access/caller.ts"
import { footfall } from "../../../platform/http/contract.ts"
import { hintIfEmpty } from "../../../platform/http/lists.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound, refuse } from "../../../platform/http/errors.ts"
import { WriteKeysApi, type WriteKeyWire } from "./api.ts"
import type { WriteKey } from "./store.ts"
import { WriteKeys } from "./write-keys.ts"

export const WriteKeysHandlers = HttpApiBuilder.group(
  footfall.add(WriteKeysApi),
  "writeKeys",
  Effect.fn(function* (handlers) {
    const keys = yield* WriteKeys
    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          const all = yield* keys.list({ organizationId, pixelId: params.id })
          return yield* success(all.map(wireOf), hintIfEmpty(all, "writeKeys"))
        },
        Effect.catchTag("PixelNotFound", () => notFound),
      ),

      create: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { name, kind = "server" } = payload
          const created = yield* keys.create(yield* Caller, { pixelId: params.id, name, kind })
          const { key, secret } = created
          return yield* success({ writeKey: Redacted.value(secret), key: wireOf(key) })
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          WriteKeyLimitReached: ({ limit }) =>
            refuse({
              code: "CONFLICT",
              message: `A pixel can have at most ${limit} active write keys. Revoke one first.`,
              details: { limit },
            }),
        }),
      ),

      revoke: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { graceHours = 0 } = payload
          yield* keys.revoke(yield* Caller, {
            pixelId: params.id,
            keyId: params.keyId,
            graceHours,
          })
          return yield* success({ deleted: true as const })
        },
        Effect.catchTags({ PixelNotFound: () => notFound, WriteKeyNotFound: () => notFound }),
      ),
    })
  }),
)

const wireOf = ({ organizationId: _, pixelId: __, ...key }: WriteKey): WriteKeyWire => key
