// Signs one message, posts it to a customer's endpoint and says how it went, for webhooks, deliveries and their tests
// alike (spec 8.1). The words reveal nothing about the address behind a host name.
import { Effect, Redacted } from "effect"
import type { Outbound } from "./outbound.ts"
import { notHttp, type OutboundError } from "./outbound-error.ts"
import { retryAfterSecondsOf } from "./retry-after.ts"
import { type OutboundAnswer, snippetOf } from "./sending.ts"
import { type SignedMessage, signedHeaders } from "./signing.ts"
import { traceHeaders } from "./telemetry.ts"

export interface MessageEndpoint {
  readonly url: string
  readonly timeoutMs: number
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /** Headers of its owner, by lower-case name; ours come first. Default: none. */
  readonly headers?: Redacted.Redacted<Readonly<Record<string, string>>>
}

/** Why an endpoint did not accept a message. */ // spec 2.16
export type EndpointErrorCode =
  | "ENDPOINT_AUTH"
  | "ENDPOINT_ERROR"
  | "ENDPOINT_GONE"
  | "ENDPOINT_NOT_FOUND"
  | "ENDPOINT_RATE_LIMITED"
  | "ENDPOINT_REJECTED"
  | "ENDPOINT_TIMEOUT"
  | "ENDPOINT_UNREACHABLE"
  | "TLS_ERROR"
  | "URL_BLOCKED"

export interface Posted {
  /** Null without a response. */
  readonly statusCode: number | null
  /** Null for a 2xx. */
  readonly error: {
    readonly code: EndpointErrorCode
    /** For people; contains no personal data. */
    readonly message: string
    /** Why no response arrived. */
    readonly failure?: OutboundError["_tag"]
  } | null
  readonly responseSnippet: string | null
  /** From the Retry-After of a 429 or 503; null without one. */
  readonly retryAfterSeconds: number | null
}

export const postMessage = (
  outbound: Outbound["Service"],
  { headers, secrets, timeoutMs, url }: MessageEndpoint,
  message: Omit<SignedMessage, "secrets">,
): Effect.Effect<Posted> =>
  Effect.match(
    Effect.flatMap(traceHeaders, (trace) =>
      outbound.send({
        url,
        headers: {
          ...trace,
          ...(headers === undefined ? {} : Redacted.value(headers)),
          ...signedHeaders({ ...message, secrets }),
        },
        body: message.body,
        timeoutMs,
      }),
    ),
    { onSuccess: (answer) => answered(answer, message.at), onFailure: unanswered },
  )

/** `now`: epoch milliseconds, needed when `Retry-After` is a date. */
export const answered = ({ body, headers, status }: OutboundAnswer, now: number): Posted => {
  const code = codeOfStatus(status)
  return {
    statusCode: status,
    error: code === undefined ? null : { code, message: messageOf(status) },
    responseSnippet: snippetOf(body),
    retryAfterSeconds:
      status === 429 || status === 503 ? retryAfterSecondsOf(headers["retry-after"], now) : null,
  }
}

export const unanswered = (error: OutboundError): Posted => ({
  statusCode: null,
  error: { code: codeOfFailure(error._tag), message: causeOf(error), failure: error._tag },
  responseSnippet: null,
  retryAfterSeconds: null,
})

/** Undefined for a 2xx. */
const codeOfStatus = (status: number): EndpointErrorCode | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status === 401 || status === 403) return "ENDPOINT_AUTH"
  if (status === 404) return "ENDPOINT_NOT_FOUND"
  if (status === 410) return "ENDPOINT_GONE"
  if (status === 429) return "ENDPOINT_RATE_LIMITED"
  return status >= 500 ? "ENDPOINT_ERROR" : "ENDPOINT_REJECTED"
}

export const codeOfFailure = (failure: OutboundError["_tag"]): EndpointErrorCode => {
  switch (failure) {
    case "UrlNotAllowed":
      return "URL_BLOCKED"
    case "TlsFailed":
      return "TLS_ERROR"
    case "TimedOut":
      return "ENDPOINT_TIMEOUT"
    case "ConnectionRefused":
    case "NameNotResolved":
    case "NoAnswer":
      return "ENDPOINT_UNREACHABLE"
  }
}

const messageOf = (status: number): string =>
  status >= 300 && status < 400
    ? `Expected a 2xx response, received ${status}. Redirects are not followed.`
    : `Expected a 2xx response, received ${status}.`

const causeOf = (error: OutboundError): string => {
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
