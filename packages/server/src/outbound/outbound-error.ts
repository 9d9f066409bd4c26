// Why a request to an address that a customer typed failed. None of them says which address a
// name has: whoever reads the failure may be the one who is probing. Which of them
// concern the endpoint as a whole and which a single request is decided where they are counted (spec 8.4).
import { Schema } from "effect"

/** Refused before anything was sent; the issue code is `url_not_allowed`. */ // spec 1.9
export class UrlNotAllowed extends Schema.TaggedError<UrlNotAllowed>()("UrlNotAllowed", {
  reason: Schema.Literals(["malformed", "too_long", "scheme", "user_info", "address"]),
}) {}

/** The name has no address; the issue code `url_not_resolvable`. */ // spec 1.9.4
export class NameNotResolved extends Schema.TaggedError<NameNotResolved>()("NameNotResolved", {}) {}

/** No one listens, or there is no way there. `code`: of the system, such as `ECONNREFUSED`. */
export class ConnectionRefused extends Schema.TaggedError<ConnectionRefused>()(
  "ConnectionRefused",
  { code: Schema.String },
) {}

/**
 * No valid certificate for the name, or no version of TLS in common; the error code `TLS_ERROR`.
 * `code`: of OpenSSL, such as `CERT_HAS_EXPIRED`.
 */
export class TlsFailed extends Schema.TaggedError<TlsFailed>()("TlsFailed", {
  code: Schema.String,
}) {}

/** Connected, and no whole answer came: reset, closed, not HTTP. `code`: of the system or the client. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  code: Schema.String,
}) {}

/** The time for everything, from the look-up of the name to the end of the body, was over. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  timeoutMs: Schema.Int,
}) {}

/** The body was larger; nothing of it is given out. */
export class TooLarge extends Schema.TaggedError<TooLarge>()("TooLarge", {
  bytesMax: Schema.Int,
}) {}

/** More redirects than were to be followed. */
export class RedirectedTooOften extends Schema.TaggedError<RedirectedTooOften>()(
  "RedirectedTooOften",
  { redirectsMax: Schema.Int },
) {}

/** Of a request whose answer counts by its status line. */
export type OutboundError =
  | UrlNotAllowed
  | NameNotResolved
  | ConnectionRefused
  | TlsFailed
  | NoAnswer
  | TimedOut

/** Of a page, which must come whole. */
export type PageError = OutboundError | TooLarge | RedirectedTooOften

/** `error`: what a guarded connection or undici rejected with. */
export const outboundErrorOf = (
  error: unknown,
): UrlNotAllowed | NameNotResolved | ConnectionRefused | TlsFailed | NoAnswer =>
  error instanceof UrlNotAllowed ||
  error instanceof NameNotResolved ||
  error instanceof ConnectionRefused ||
  error instanceof TlsFailed
    ? error
    : new NoAnswer({
        code: error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN",
      })
