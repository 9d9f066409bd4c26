// Decides what happens after an attempt (spec 4.6, 8.1, 8.5): any 2xx is a success, 410 is final, and everything else
// is retried while attempts remain. A redelivery is a single attempt that changes no counter.
import { waitAfter } from "../../../platform/jobs/queue.ts"
import type { Posted } from "../../../platform/outbound/message.ts"
import { failuresMax, webhookQueue } from "./queue.ts"

/** The result of an attempt. */
export interface Attempt {
  readonly isSuccess: boolean
  /** The receiver answered 410 Gone. */
  readonly isGone: boolean
  /** No other attempt follows, whatever this one's result. */
  readonly isFinal: boolean
  /** Null without a response. */
  readonly statusCode: number | null
  /** Shown to people; contains no personal data. After a success, only of emails that some did not get. */
  readonly errorMessage: string | null
  readonly responseSnippet: string | null
  /** From the receiver's Retry-After; 0 without one. Units: seconds. */
  readonly retryAfterSeconds: number
}

/** The next state of a delivery. `waitSeconds`: until the next attempt, before jitter. */
export interface Settlement {
  readonly status: "failed" | "queued" | "skipped" | "succeeded"
  readonly failures: number
  readonly waitSeconds: number
}

export const settlementOf = (
  delivery: { readonly failures: number; readonly isRedelivery: boolean },
  { isFinal, isSuccess }: Pick<Attempt, "isFinal" | "isSuccess">,
): Settlement => {
  if (isSuccess) return { status: "succeeded", failures: delivery.failures, waitSeconds: 0 }
  const failures = delivery.failures + (delivery.isRedelivery ? 0 : 1)
  const isLast = isFinal || delivery.isRedelivery || failures >= failuresMax
  return isLast
    ? { status: "failed", failures, waitSeconds: 0 }
    : { status: "queued", failures, waitSeconds: waitAfter(webhookQueue, failures) }
}

export const attemptOf = ({
  error,
  responseSnippet,
  retryAfterSeconds,
  statusCode,
}: Posted): Attempt => ({
  isSuccess: error === null,
  isGone: error?.code === "ENDPOINT_GONE",
  isFinal: error?.code === "ENDPOINT_GONE",
  statusCode,
  errorMessage: error?.message ?? null,
  responseSnippet,
  retryAfterSeconds: retryAfterSeconds ?? 0,
})
