// The retry schedule of webhook deliveries (spec 8.5): the first attempt is immediate, each wait starts at the previous
// failure, and an event is given up after eight failures. An attempt lost in a crash does not count as a failure, so a
// failing server uses up no attempts.
import { Context } from "effect"
import type { Queue } from "../../../platform/jobs/queue.ts"

/** Maximum failed attempts per event. */ // spec 8.5, 10.3
export const failuresMax = 8

const minute = 60
const hour = 60 * minute

export const webhookQueue: Queue = {
  table: "webhook_delivery",
  waiting: "queued",
  working: "queued",
  /** Maximum claims; only an event that keeps killing its worker gets this far. */
  attemptsMax: 1_000,
  retrySeconds: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 24 * hour],
}

/** Deliveries that a process works on at the same time. */
export const WebhookPlaces = Context.Reference<number>("@footfall/server/webhooks/WebhookPlaces", {
  defaultValue: () => 256,
})
/** Concurrent requests per webhook, so that a receiver that hangs does not block others. */
export const requestsPerWebhookMax = 10
/** Deliveries taken from the queue at once for a webhook that responds quickly. */
export const claimedPerWebhookMax = 100
/**
 * A delivery that waited longer for its turn is read again, because the webhook or the person may have changed. Units:
 * milliseconds.
 */
export const readAheadMsMax = 5_000
/** A response within this time counts as quick. Units: milliseconds. */
export const quickMsMax = 200
