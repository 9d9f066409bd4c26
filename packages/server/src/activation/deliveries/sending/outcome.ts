// The result of one attempt to send a contact or an event, and what it means for the delivery (spec 8.4). Pure.
import { codeOfFailure, type Posted } from "../../../platform/outbound/message.ts"
import type { OutboundError } from "../../../platform/outbound/outbound-error.ts"
import type { WritingError } from "../../destinations/connectors/connector-error.ts"
import type { AtProvider, AttemptError, Leaving } from "../delivery-work.ts"

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
export type ContactOutcome =
  | NotSent
  | {
      readonly type: "sent"
      readonly contentHash: string
      readonly atProvider?: AtProvider | undefined
    }
  /** Of someone who left. */
  | ({ readonly type: "left" } & Leaving)
  /** The service keeps them as they are, because they refused. */
  | { readonly type: "skipped" }

export type Halt = Extract<Outcome, { readonly type: "parked" | "stopped" }>

/** For a longer wait the whole delivery is postponed. spec 8.1.8. */
const retryAfterSecondsInPlaceMax = 12

export const outcomeOf = ({
  error: refused,
  responseSnippet,
  retryAfterSeconds,
  statusCode,
}: Posted): Outcome => {
  if (refused === null) return { type: "sent" }
  const { code, failure, message } = refused
  const error = {
    code,
    message,
    statusCode,
    ...(responseSnippet === null ? {} : { responseSnippet }),
  }
  if (failure !== undefined) return unreached(failure, error)
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
      return statusCode === 408 || statusCode === 425
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

/** No response arrived. */
const unreached = (failure: OutboundError["_tag"], error: AttemptError): NotSent => {
  switch (failure) {
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
export const connectorOutcome = (failure: WritingError): NotSent => {
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
      const { sentence, status: statusCode } = failure
      const message =
        sentence === null
          ? "The provider rejected the contact."
          : `The provider rejected the contact: ${sentence}`
      return { type: "refused", error: { code: "CONTACT_INVALID", message, statusCode } }
    }
    case "NotNoted":
      return {
        type: "transient",
        error: {
          code: "INTERNAL_ERROR",
          message: "The contacts of a request changed before it was sent.",
          statusCode: null,
        },
        retryAfterSeconds: null,
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
      return unreached(failure.reason, {
        code: codeOfFailure(failure.reason),
        message: "The provider could not be reached.",
        statusCode: null,
      })
    case "ProviderFailed": {
      const { isTransient, retryAfterSeconds, status } = failure
      const message = `The provider responded with ${status}.`
      const error = { code: "PROVIDER_ERROR", message, statusCode: status } as const
      return isTransient ? waiting(error, retryAfterSeconds) : { type: "refused", error }
    }
  }
}

/** The same for the whole endpoint. */ // spec 8.3.4
export const haltOf = (outcome: NotSent): Halt =>
  outcome.type === "stopped"
    ? outcome
    : {
        type: "parked",
        error: outcome.error,
        retryAfterSeconds: outcome.type === "refused" ? null : outcome.retryAfterSeconds,
      }

/** A contact that can't be written. */
export const unwritable: NotSent = {
  type: "refused",
  error: { code: "INTERNAL_ERROR", message: "The contact could not be written.", statusCode: null },
}
