// The delivery history of a webhook, and redelivery (spec 5.6): one more attempt on the same record, with the same
// `webhook-id` and body, whatever the webhook's status.
import { Context, Effect, Layer, Schema } from "effect"
import { Audit } from "../../../access/audit/audit.ts"
import { type Caller, sitesOfCaller } from "../../../access/caller.ts"
import { KeyedLists, type ListPosition } from "../../../platform/lists/keyed-lists.ts"
import { JobWakes } from "../../../platform/jobs/queue.ts"
import { DeliveryStatus } from "../delivery-record.ts"
import { webhookQueue } from "../sending/queue.ts"
import { type WebhookKey, WebhookStore } from "../store.ts"
import { WebhookNotFound } from "../webhooks.ts"
import {
  type DeliveryFilter,
  type DeliveryKey,
  type DeliveryRow,
  type HistoryKey,
  HistoryStore,
} from "./store.ts"

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()(
  "WebhookDeliveryNotFound",
  {},
) {}

/** The payload is no longer stored, so it cannot be sent again. */
export class PayloadGone extends Schema.TaggedError<PayloadGone>()("PayloadGone", {}) {}

/** The delivery is still queued, so it cannot be redelivered. */
export class DeliveryQueued extends Schema.TaggedError<DeliveryQueued>()("DeliveryQueued", {
  status: DeliveryStatus,
}) {}

const make = Effect.gen(function* () {
  const store = yield* HistoryStore
  const webhooks = yield* WebhookStore
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const wakes = yield* JobWakes

  const checkWebhook = Effect.fnUntraced(function* (key: WebhookKey) {
    if ((yield* webhooks.find(key)) === undefined) return yield* new WebhookNotFound()
  })

  /** Newest first. Fails with CursorRefused when the cursor belongs to another list. */
  const list = Effect.fn("WebhookHistory.list")(function* (
    key: HistoryKey,
    filter: DeliveryFilter,
    position: ListPosition,
    limit: number,
  ) {
    return yield* lists.page<DeliveryRow, WebhookNotFound>(
      {
        organizationId: key.organizationId,
        route: "GET /v1/data/webhooks/{id}/deliveries",
        filters: [
          key.webhookId,
          filter.status ?? null,
          filter.visitorHash ?? null,
          ...(key.pixelIds === undefined ? [] : [key.pixelIds]),
        ],
        position,
        limit,
      },
      { ...store.list(key, filter), parent: checkWebhook(key) },
    )
  })

  /** Gets one record with the body that was sent. */
  const get = Effect.fn("WebhookHistory.get")(function* (key: DeliveryKey) {
    yield* checkWebhook(key)
    return (yield* store.find(key)) ?? (yield* new DeliveryNotFound())
  })

  /** Queues one attempt. Guarantee: of concurrent requests, exactly one is accepted until its attempt is made. */
  const redeliver = Effect.fn("WebhookHistory.redeliver")(function* (
    caller: Caller,
    ids: { readonly webhookId: string; readonly deliveryId: string },
  ) {
    const { organizationId } = caller
    const key: DeliveryKey = { organizationId, ...ids, pixelIds: sitesOfCaller(caller) }
    const requeued = yield* webhooks.transaction(
      Effect.gen(function* () {
        yield* checkWebhook(key)
        const found = yield* store.findForChange(key)
        if (found === undefined) return yield* new DeliveryNotFound()
        if (found.status === "queued") return yield* new DeliveryQueued({ status: found.status })
        if (!found.hasPayload) return yield* new PayloadGone()
        yield* audit.record(caller, "webhook.redelivered", ids.deliveryId)
        return yield* store.requeue(key)
      }),
    )
    yield* wakes.wake(webhookQueue)
    return requeued
  })

  return { list, get, redeliver }
})

export class WebhookHistory extends Context.Service<WebhookHistory, Effect.Success<typeof make>>()(
  "@footfall/server/webhooks/WebhookHistory",
) {
  static readonly layer = Layer.effect(WebhookHistory, make)
}
