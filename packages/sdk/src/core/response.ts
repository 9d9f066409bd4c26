// Turns a response body into `{data, meta}` or an error. This file checks the envelope, once. It trusts the server's
// contract for everything inside (the API may add fields within /v1, spec 11). Data passes through unchanged. Error
// text has credentials removed first.

import { ApiError, statusError } from "../errors/api-error.ts"
import type { RateLimitState } from "./rate-limit-state.ts"
import { redact } from "./log.ts"
import type { OpenBody } from "./send.ts"

/** A successful response. */
export interface ApiResponse<Data, Meta> {
  readonly data: Data
  readonly meta: Meta
}

/** Status, request id and headers of a response. */
export interface ResponseHead {
  readonly status: number
  /** Null if the response had none. */
  readonly requestId: string | null
  /** Built on demand, because most calls never read them. */
  readonly headers: () => Headers
}

/** A response with its body read and decoded, before it is parsed. */
export interface RawResponse {
  readonly status: number
  readonly requestId: string | null
  /** A separate object, so that keeping it does not keep the body in memory. */
  readonly head: ResponseHead
  readonly contentType: string | null
  readonly location: string | null
  readonly retryAfterSeconds: number | null
  /** Null if the response has no rate limit headers. */
  readonly rateLimit: RateLimitState | null
  readonly text: string
  /** The body, if it is to be streamed. Null if it was read. */
  readonly unread: OpenBody | null
  header(name: string): string | null
}

/** Maximum characters of an unexpected response body to quote in an error message. */
const excerptMax = 200

/** Errors: the class for the error status; ApiError `INVALID_RESPONSE` for a body that is not a Footfall response. */
export function readResponse<Data, Meta>(
  raw: RawResponse,
  secrets: ReadonlyArray<string>,
): ApiResponse<Data, Meta> {
  const isSuccess = raw.status >= 200 && raw.status <= 299
  const body = isSuccess ? parseJson(raw.text) : undefined
  if (isRecord(body) && "data" in body && isRecord(body["meta"])) {
    // The types are the endpoint's documented contract. The server's tests check that it keeps to them.
    return body as unknown as ApiResponse<Data, Meta>
  }
  const printable = { ...raw, text: redact(raw.text, secrets) }
  if (isSuccess) throw ApiError.invalidResponse(raw.status, describe(printable))
  throw refusal(printable)
}

function refusal(raw: RawResponse): ApiError {
  const body = parseJson(raw.text)
  const error = isRecord(body) ? body["error"] : undefined
  const given = isRecord(error) ? error : {}
  const { code, message } = given
  const isEnvelope = typeof code === "string" && typeof message === "string"
  return statusError({
    status: raw.status,
    code: isEnvelope ? code : "INVALID_RESPONSE",
    message: isEnvelope
      ? message
      : `HTTP ${raw.status}, but not a response from Footfall: ${describe(raw)}`,
    requestId: raw.requestId,
    details: isEnvelope ? given["details"] : undefined,
    retryAfterSeconds: raw.retryAfterSeconds,
  })
}

function describe(raw: RawResponse): string {
  if (raw.status >= 300 && raw.status <= 399 && raw.location !== null) {
    return "a redirect, which is not followed; set baseUrl to the final URL"
  }
  const type = raw.contentType ?? "no content type"
  if (raw.text === "") return `${type}, empty body`
  // Quote text only, such as an error page. Other types may hold personal data.
  if (!type.startsWith("text/")) return `${type}, without data and meta`
  const text = raw.text.replaceAll(/\s+/g, " ").trim()
  const excerpt = text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text
  return `${type}, starting with ${JSON.stringify(excerpt)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
