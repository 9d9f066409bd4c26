// Decides what happens after an attempt (spec 4.6, 8.1, 8.5): any 2xx is a success, 410 is final, and everything else
// is retried while attempts remain. A redelivery is a single attempt that changes no counter.
import { type OutboundAnswer, snippetOf } from "../../../platform/outbound/sending.ts"
import { notHttp, type OutboundError } from "../../../platform/outbound/outbound-error.ts"
import { waitAfter } from "../../../platform/jobs/queue.ts"
import { retryAfterSecondsOf } from "../../../platform/outbound/retry-after.ts"
import { failuresMax, webhookQueue } from "./queue.ts"

/** The result of an attempt. */
export interface Attempt {
  readonly isSuccess: boolean
  /** The receiver answered 410 Gone. */
  readonly isGone: boolean
  /** Null without a response. */
  readonly statusCode: number | null
  /** Shown to people; contains no personal data. Null after a success. */
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
  { isGone, isSuccess }: Pick<Attempt, "isGone" | "isSuccess">,
): Settlement => {
  if (isSuccess) return { status: "succeeded", failures: delivery.failures, waitSeconds: 0 }
  const failures = delivery.failures + (delivery.isRedelivery ? 0 : 1)
  const isLast = isGone || delivery.isRedelivery || failures >= failuresMax
  return isLast
    ? { status: "failed", failures, waitSeconds: 0 }
    : { status: "queued", failures, waitSeconds: waitAfter(webhookQueue, failures) }
}

/** `now`: epoch milliseconds, needed when `Retry-After` is a date. */
export const answered = ({ body, headers, status }: OutboundAnswer, now: number): Attempt => {
  const isSuccess = status >= 200 && status < 300
  const asksToWait = status === 429 || status === 503
  return {
    isSuccess,
    isGone: status === 410,
    statusCode: status,
    errorMessage: isSuccess ? null : messageOf(status),
    responseSnippet: snippetOf(body),
    retryAfterSeconds: asksToWait ? (retryAfterSecondsOf(headers["retry-after"], now) ?? 0) : 0,
  }
}

export const unanswered = (error: OutboundError): Attempt => ({
  isSuccess: false,
  isGone: false,
  statusCode: null,
  errorMessage: causeOf(error),
  responseSnippet: null,
  retryAfterSeconds: 0,
})

const messageOf = (status: number): string =>
  status >= 300 && status < 400
    ? `Expected a 2xx response, received ${status}. Redirects are not followed.`
    : `Expected a 2xx response, received ${status}.`

/** Reveals nothing about the address behind a hostname. */
export const causeOf = (error: OutboundError): string => {
  switch (error._tag) {
    case "UrlNotAllowed":
      return "The server does not allow this URL."
    case "NameNotResolved":
      return "The host name could not be resolved."
    case "ConnectionRefused":
      return `Could not connect: ${error.code}.`
    case "TlsFailed":
      return `Could not establish a secure connection: ${error.code}.`
    case "NoAnswer":
      return error.code === notHttp
        ? "The response is not HTTP."
        : `The connection closed without a response: ${error.code}.`
    case "TimedOut":
      return `No response within ${error.timeoutMs} ms.`
  }
}
