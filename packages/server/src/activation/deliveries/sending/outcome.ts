// The result of one attempt to send a contact or an event, and what it means for the delivery (spec 8.4). Pure.
import { outboundErrorCode, statusErrorCode } from "../../destinations/test-call.ts"
import type { MailerError } from "../../destinations/mailer/mailer-error.ts"
import type { OutboundError } from "../../../platform/outbound/outbound-error.ts"
import { retryAfterSecondsOf } from "../../../platform/outbound/retry-after.ts"
import { type OutboundAnswer, snippetOf } from "../../../platform/outbound/sending.ts"
import type { AttemptError } from "../delivery-work.ts"

export type Outcome =
  | { readonly type: "sent" }
  /** Retrying is pointless: the contact has failed. */
  | { readonly type: "refused"; readonly error: AttemptError }
  /** Another attempt may succeed, after `retryAfterSeconds`; null if not given. */
  | {
      readonly type: "transient"
      readonly error: AttemptError
      readonly retryAfterSeconds: number | null
    }
  /** A temporary problem of the whole endpoint: the delivery waits. */
  | {
      readonly type: "parked"
      readonly error: AttemptError
      readonly retryAfterSeconds: number | null
    }
  /** A permanent problem of the whole endpoint: the delivery has failed, and its destination needs attention. */
  | { readonly type: "stopped"; readonly error: AttemptError }

export type NotSent = Exclude<Outcome, { readonly type: "sent" }>

/** For a contact: `contentHash` of what was sent shows later whether it changed. SHA-256 in lower-case hex. */
export type ContactOutcome = NotSent | { readonly type: "sent"; readonly contentHash: string }

export type Halt = Extract<Outcome, { readonly type: "parked" | "stopped" }>

/** For a longer wait the whole delivery is postponed. spec 8.1.8. */
const retryAfterSecondsInPlaceMax = 12

/** `now`: epoch milliseconds. */
export const answerOutcome = ({ body, headers, status }: OutboundAnswer, now: number): Outcome => {
  const code = statusErrorCode(status)
  if (code === undefined) return { type: "sent" }
  const responseSnippet = snippetOf(body)
  const error = {
    code,
    message: `The endpoint responded with ${status}.`,
    statusCode: status,
    ...(responseSnippet === null ? {} : { responseSnippet }),
  }
  const isHonored = status === 429 || status === 503
  const retryAfterSeconds = isHonored ? retryAfterSecondsOf(headers["retry-after"], now) : null
  switch (code) {
    case "ENDPOINT_AUTH":
    case "ENDPOINT_GONE":
      return { type: "stopped", error }
    case "ENDPOINT_NOT_FOUND":
      return { type: "parked", error, retryAfterSeconds: null }
    case "ENDPOINT_ERROR":
    case "ENDPOINT_RATE_LIMITED":
      return waiting(error, retryAfterSeconds)
    default:
      return status === 408 || status === 425
        ? { type: "transient", error, retryAfterSeconds: null }
        : { type: "refused", error }
  }
}

/** spec 8.1: `Retry-After` for a contact. */
const waiting = (error: AttemptError, retryAfterSeconds: number | null): NotSent => ({
  type:
    retryAfterSeconds !== null && retryAfterSeconds > retryAfterSecondsInPlaceMax
      ? "parked"
      : "transient",
  error,
  retryAfterSeconds,
})

const messages: Readonly<Record<OutboundError["_tag"], string>> = {
  UrlNotAllowed: "The server does not allow this URL.",
  NameNotResolved: "The endpoint's host name could not be resolved.",
  ConnectionRefused: "Could not connect to the endpoint.",
  TlsFailed: "Could not establish a secure connection to the endpoint.",
  NoAnswer: "The endpoint closed the connection without a response.",
  TimedOut: "The endpoint did not respond in time.",
}

/** No response arrived. */
export const outboundOutcome = (failure: Pick<OutboundError, "_tag">): NotSent => {
  const { _tag } = failure
  // Only the tag is used.
  const code = outboundErrorCode(failure as OutboundError)
  const error = { code, message: messages[_tag], statusCode: null }
  switch (_tag) {
    case "UrlNotAllowed":
      return { type: "stopped", error }
    case "ConnectionRefused":
    case "NameNotResolved":
    case "TlsFailed":
      return { type: "parked", error, retryAfterSeconds: null }
    case "NoAnswer":
    case "TimedOut":
      return { type: "transient", error, retryAfterSeconds: null }
  }
}

// spec 2.17, 8.4
export const mailerOutcome = (failure: MailerError): NotSent => {
  switch (failure._tag) {
    case "CredentialsRefused": {
      const { status } = failure
      return {
        type: "stopped",
        error: {
          code: "ENDPOINT_AUTH",
          message: "The provider rejected the credentials.",
          statusCode: status,
        },
      }
    }
    case "ListGone":
      return {
        type: "stopped",
        error: {
          code: "LIST_NOT_FOUND",
          message: "The list no longer exists at the provider.",
          statusCode: 404,
        },
      }
    case "ContactRefused": {
      const { title } = failure
      const message =
        title === null
          ? "The provider rejected the contact."
          : `The provider rejected the contact: ${title}`
      return { type: "refused", error: { code: "CONTACT_INVALID", message, statusCode: 422 } }
    }
    case "ProviderRateLimited":
      return waiting(
        {
          code: "ENDPOINT_RATE_LIMITED",
          message: "The provider responded with 429.",
          statusCode: 429,
        },
        failure.retryAfterSeconds,
      )
    case "ProviderUnreachable":
      return outboundOutcome({ _tag: failure.reason })
    case "ProviderFailed": {
      const { isTransient, retryAfterSeconds, status } = failure
      const message = `The provider responded with ${status}.`
      const error = { code: "PROVIDER_ERROR", message, statusCode: status } as const
      return isTransient ? waiting(error, retryAfterSeconds) : { type: "refused", error }
    }
  }
}

/** A contact that can't be written. */
export const unwritable: NotSent = {
  type: "refused",
  error: { code: "INTERNAL_ERROR", message: "The contact could not be written.", statusCode: null },
}
