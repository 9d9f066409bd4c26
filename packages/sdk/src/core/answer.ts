// Turns the bytes of a response into `{data, meta}` or an error. The envelope is checked here, once;
// inside it the server's contract is trusted (fields may be added within /v1, spec 11).
// Data passes unchanged; what becomes an error loses the credentials first.

import { ApiError, statusError } from "../errors/api-error.ts"
import type { RateLimitState } from "./rate-limit-state.ts"
import { redact } from "./redact.ts"
import type { WireResponse } from "./send.ts"

/** A success. */
export interface Answer<Data, Meta> {
  readonly data: Data
  readonly meta: Meta
}

/** What a response says before its body. */
export interface ResponseHead {
  readonly status: number
  /** Null when the response had none. */
  readonly requestId: string | null
  /** Made when they are asked for: most calls never look at them. */
  readonly headers: () => Headers
}

/** An answer as it came, its body read and decoded. */
export interface RawAnswer {
  readonly status: number
  readonly requestId: string | null
  /** Apart, so that who keeps it does not keep the body. */
  readonly head: ResponseHead
  readonly contentType: string | null
  readonly location: string | null
  readonly retryAfterSeconds: number | null
  /** Null when the response has no rate limit headers. */
  readonly rateLimit: RateLimitState | null
  readonly text: string
  /** Where the body of a success is to be read while it comes. */
  readonly unread: WireResponse | null
  header(name: string): string | null
}

/** Characters of a foreign answer that are repeated in a message. */
const excerptMax = 200

/** Errors: the class of an error's status, ApiError `INVALID_RESPONSE` for anything else. */
export function readAnswer<Data, Meta>(
  raw: RawAnswer,
  secrets: ReadonlyArray<string>,
): Answer<Data, Meta> {
  const isSuccess = raw.status >= 200 && raw.status <= 299
  const body = isSuccess ? parseJson(raw.text) : undefined
  if (isRecord(body) && "data" in body && isRecord(body["meta"])) {
    // The types are the documented contract of the endpoint; the server's own tests hold it to them.
    return body as unknown as Answer<Data, Meta>
  }
  const printable = { ...raw, text: redact(raw.text, secrets) }
  if (isSuccess) throw ApiError.invalidResponse(raw.status, describe(printable))
  throw refusal(printable)
}

function refusal(raw: RawAnswer): ApiError {
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
      : `HTTP ${raw.status}, but not a response of Footfall: ${describe(raw)}`,
    requestId: raw.requestId,
    details: isEnvelope ? given["details"] : undefined,
    retryAfterSeconds: raw.retryAfterSeconds,
  })
}

function describe(raw: RawAnswer): string {
  if (raw.status >= 300 && raw.status <= 399 && raw.location !== null) {
    return "a redirect, which is not followed; set baseUrl to the final URL"
  }
  const type = raw.contentType ?? "no content type"
  if (raw.text === "") return `${type}, empty body`
  // Only a page meant for people is repeated; what looks like data may be about people.
  if (!type.startsWith("text/")) return `${type}, without data and meta`
  const text = raw.text.replaceAll(/\s+/g, " ").trim()
  const excerpt = text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text
  return `${type}, beginning with ${JSON.stringify(excerpt)}`
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
