// Maps requests and responses to the ApiKeys service. Only decides that a key cannot expire before it is created.
import { DateTime, Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import type { ApiKey } from "../api-key.ts"
import { ApiKeys } from "../api-keys.ts"
import { adminRequired } from "../authentication.ts"
import { Caller } from "../caller.ts"
import { type KeyScope, keyScopes, readNetwork } from "../key-rights.ts"
import { ApiKeysApi, type ApiKeyWire } from "./api.ts"

export const ApiKeysHandlers = HttpApiBuilder.group(
  footfall.add(ApiKeysApi),
  "apiKeys",
  Effect.fn(function* (handlers) {
    const keys = yield* ApiKeys
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Caller
        const limit = query.limit ?? pageSizeDefault
        const page = yield* keys
          .list(organizationId, yield* positionOf(query), limit)
          .pipe(Effect.catchTag("CursorRefused", cursorRefused))
        return yield* success(page.rows.map(wireOf), listMetaOf(page, limit))
      }),

      create: Effect.fnUntraced(function* ({ payload }) {
        const { actor, organizationId } = yield* Caller
        const { allowedNetworks, expiresAt, name, pixelIds, scopes } = payload
        if (expiresAt !== undefined && !DateTime.isGreaterThan(expiresAt, yield* DateTime.now)) {
          return yield* expired
        }
        const rights = {
          scopes: scopes === undefined ? (["all"] as const) : scopesInOrder(scopes),
          pixelIds: distinct(pixelIds?.map((id) => id.toLowerCase())),
          allowedNetworks: distinct(allowedNetworks?.map((text) => readNetwork(text) ?? text)),
        }
        const made = yield* keys.create({ organizationId, actor, name, expiresAt, rights }).pipe(
          Effect.catchTags({
            SitesUnknown: () => notFound,
            AdminRequired: () => adminRequired,
            KeyLimitReached: ({ limit }) =>
              refuse({
                code: "CONFLICT",
                message: `This organization already has ${limit} active API keys. Revoke one first.`,
                details: { limit },
              }),
          }),
        )
        return yield* success({ apiKey: wireOf(made.apiKey), secret: Redacted.value(made.secret) })
      }),

      revoke: Effect.fnUntraced(function* ({ params }) {
        const { actor, organizationId } = yield* Caller
        yield* keys
          .revoke({ organizationId, actor, apiKeyId: params.id.toLowerCase() })
          .pipe(Effect.catchTag("KeyNotFound", () => notFound))
        return yield* success({ deleted: true as const })
      }),
    })
  }),
)

const expired = refuse({
  code: "VALIDATION_ERROR",
  message: "The expiry date must be in the future.",
  details: {
    issues: [{ path: "/body/expiresAt", code: "min", message: "Expected a time in the future." }],
  },
})

/** Once each, in the order of the specification. `all` stands alone. */
const scopesInOrder = (given: ReadonlyArray<KeyScope>): ReadonlyArray<KeyScope> =>
  given.includes("all") ? ["all"] : keyScopes.filter((scope) => given.includes(scope))

const distinct = (texts: ReadonlyArray<string> | null | undefined) =>
  texts === null || texts === undefined ? null : [...new Set(texts)]

const wireOf = ({ createdText: _, organizationId: __, ...key }: ApiKey): ApiKeyWire => key
