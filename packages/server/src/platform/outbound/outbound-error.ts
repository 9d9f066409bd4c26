// Why a request to a customer's address failed. No error reveals which IP address a name has, because the reader may be
// probing. Whether an error concerns the endpoint or a single request is decided where errors are counted (spec 8.4).
import { Schema } from "effect"

/** Rejected before anything was sent; the issue code is `url_not_allowed`. */ // spec 1.9
export class UrlNotAllowed extends Schema.TaggedError<UrlNotAllowed>()("UrlNotAllowed", {
  reason: Schema.Literals(["malformed", "too_long", "scheme", "user_info", "address"]),
}) {}

/** The name has no address; the issue code `url_not_resolvable`. */ // spec 1.9.4
export class NameNotResolved extends Schema.TaggedError<NameNotResolved>()("NameNotResolved", {}) {}

/** Nothing listens there, or there is no route. `code`: the system's, such as `ECONNREFUSED`. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()(
  "ConnectionRefused",
  { code: Schema.String },
) {}

/**
 * No valid certificate for the name, or no common TLS version; the error code is `TLS_ERROR`. `code`: OpenSSL's, such
 * as `CERT_HAS_EXPIRED`.
 */
export class TlsFailed extends Schema.TaggedError<TlsFailed>()("TlsFailed", {
  code: Schema.String,
}) {}

/** Connected, but no complete response arrived: reset, closed, or not HTTP. `code`: the system's or undici's. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  code: Schema.String,
}) {}

/** `code` of a response that is not HTTP. */
export const notHttp = "NOT_HTTP"

/** The time limit for everything, from the name lookup to the end of the body, was exceeded. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  timeoutMs: Schema.Int,
}) {}

/** The body was too large; none of it is returned. */
export class TooLarge extends Schema.TaggedError<TooLarge>()("TooLarge", {
  bytesMax: Schema.Int,
}) {}

/** More redirects than allowed. */
export class RedirectedTooOften extends Schema.TaggedError<RedirectedTooOften>()(
  "RedirectedTooOften",
  { redirectsMax: Schema.Int },
) {}

/** Errors of a request that only needs a status line. */
export type OutboundError =
  | UrlNotAllowed
  | NameNotResolved
  | ConnectionRefused
  | TlsFailed
  | NoAnswer
  | TimedOut

/** Errors of a page, which must arrive in full. */
export type PageError = OutboundError | TooLarge | RedirectedTooOften

/** `error`: the rejection of a guarded connection or of undici. */
export const outboundErrorOf = (
  error: unknown,
): UrlNotAllowed | NameNotResolved | ConnectionRefused | TlsFailed | NoAnswer =>
  error instanceof UrlNotAllowed ||
  error instanceof NameNotResolved ||
  error instanceof ConnectionRefused ||
  error instanceof TlsFailed
    ? error
    : new NoAnswer({ code: codeOf(error) })

/** undici's parser has a code only for some faults. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "UNKNOWN"
  if ("code" in error && typeof error.code === "string") return error.code
  return error.name === "HTTPParserError" ? notHttp : "UNKNOWN"
}
