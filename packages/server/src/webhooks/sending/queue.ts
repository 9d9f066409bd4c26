// The queue of webhook deliveries (spec 8.5): at once, then after these waits, each counted from
// the failure before. An event is given up after eight failures; an attempt that a crash swallowed is
// none, so that a server in trouble uses up no one's attempts.
import type { Queue } from "../../jobs/queue.ts"

/** Failed attempts of one event. */ // spec 8.5, 10.3
export const failuresMax = 8

const minute = 60
const hour = 60 * minute

export const webhookQueue: Queue = {
  table: "webhook_delivery",
  waiting: "queued",
  working: "queued",
  /** Of claims; only an event that keeps killing its worker ever has so many. */
  attemptsMax: 1_000,
  retrySeconds: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 24 * hour],
}

/** Requests of one process at the same time. */
export const requestsMax = 256
/** Of them to one webhook: a hanging receiver does not block others. */
export const requestsPerWebhookMax = 10
/** Taken from the queue for one webhook at a time, when it answers quickly. */
export const claimedPerWebhookMax = 100
/** What waited longer for its turn is taken again: the webhook or the person may have changed. Units: milliseconds. */
export const readAheadMsMax = 5_000
/** An answer within this time is quick. Units: milliseconds. */
export const quickMsMax = 200
