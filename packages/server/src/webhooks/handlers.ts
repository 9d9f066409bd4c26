// Translates between the wire and the services of visitor webhooks; decides nothing but the page size.
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../access/caller.ts"
import { footfall } from "../http/contract.ts"
import { success } from "../http/envelope.ts"
import { notFound, refuse } from "../http/errors.ts"
import { cursorRefused, positionOf } from "../http/lists.ts"
import { urlRefused } from "../outbound/url-refused.ts"
import type { DeliveryRecord } from "./delivery-record.ts"
import { type DeliveryQueued, WebhookHistory } from "./history/history.ts"
import type { DeliveryRow } from "./history/store.ts"
import { WebhookTests } from "./sending/test-call.ts"
import { type RevealedWebhook, type WebhookLimitReached, Webhooks } from "./webhooks.ts"
import { WebhooksApi } from "./api.ts"

/** Deliveries of a page unless told otherwise. spec 1.6. */
const pageSize = 25

export const WebhooksHandlers = HttpApiBuilder.group(
  footfall.add(WebhooksApi),
  "webhooks",
  Effect.fn(function* (handlers) {
    const webhooks = yield* Webhooks
    const history = yield* WebhookHistory
    const tests = yield* WebhookTests

    const keyOf = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
      const { organizationId } = yield* Caller
      return { organizationId, webhookId: id }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        const all = yield* webhooks.list(organizationId)
        return yield* success(all, { total: all.length })
      }),
      create: Effect.fnUntraced(
        function* ({ payload }) {
          return yield* success(revealed(yield* webhooks.create(yield* Caller, payload)))
        },
        Effect.catchTags({
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
          PixelNotFound: () => notFound,
          SegmentNotFound: () => notFound,
          WebhookLimitReached: limitReached,
        }),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(yield* webhooks.find(yield* keyOf(params)))
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      update: Effect.fnUntraced(
        function* ({ params, payload }) {
          return yield* success(yield* webhooks.change(yield* Caller, params.id, payload))
        },
        Effect.catchTags({
          UrlNotAllowed: ({ reason }) => urlRefused(reason, "/body/url"),
          PixelNotFound: () => notFound,
          SegmentNotFound: () => notFound,
          WebhookNotFound: () => notFound,
        }),
      ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* webhooks.delete(yield* Caller, params.id)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      rotateSecret: Effect.fnUntraced(
        function* ({ params, payload }) {
          const rotated = yield* webhooks.rotateSecret(yield* Caller, params.id, payload)
          return yield* success(revealed(rotated))
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      test: Effect.fnUntraced(
        function* ({ params }) {
          return yield* success(yield* tests.send(yield* keyOf(params)))
        },
        Effect.catchTag("WebhookNotFound", () => notFound),
      ),
      deliveries: Effect.fnUntraced(
        function* ({ params, query }) {
          const { limit = pageSize, status } = query
          const key = yield* keyOf(params)
          const page = yield* history.list(key, status, yield* positionOf(query), limit)
          const { hasMore, nextCursor, offset, rows, total } = page
          // Counted without a time limit, so never null.
          const data = { deliveries: rows.map(recordOf), total: total ?? 0 }
          return yield* success(data, { limit, offset, hasMore, nextCursor })
        },
        Effect.catchTags({ CursorRefused: cursorRefused, WebhookNotFound: () => notFound }),
      ),
      redeliver: Effect.fnUntraced(
        function* ({ params }) {
          const { deliveryId, id } = params
          const ids = { webhookId: id, deliveryId }
          const delivery = recordOf(yield* history.redeliver(yield* Caller, ids))
          return yield* success({ delivery })
        },
        Effect.catchTags({
          WebhookNotFound: () => notFound,
          WebhookDeliveryNotFound: () => notFound,
          PayloadGone: () => payloadGone,
          DeliveryQueued: stillQueued,
        }),
      ),
    })
  }),
)

const revealed = ({ secret, webhook }: RevealedWebhook) => ({
  webhook,
  webhookSecret: Redacted.value(secret),
})

const recordOf = ({ createdKey: _, hasPayload: __, ...record }: DeliveryRow): DeliveryRecord =>
  record

const limitReached = ({ limit }: WebhookLimitReached) =>
  refuse({
    code: "CONFLICT",
    message: `An organization has at most ${limit} visitor webhooks.`,
    details: { limit },
  })

const payloadGone = refuse({
  code: "CONFLICT",
  message: "What was sent is not kept any longer, so it cannot be sent again.",
  details: { field: "payload" },
})

const stillQueued = ({ status }: DeliveryQueued) =>
  refuse({
    code: "CONFLICT",
    message: "The delivery is still to be sent; wait for its next attempt.",
    details: { status },
  })
