// Why a request to an address that a customer typed came to nothing. None of them says which address a
// name has: whoever reads the failure may be the one who is probing (reliability.md F3).
import { Schema } from "effect"

/** Refused before anything was sent. decisions.md 1.9; the issue code `url_not_allowed`. */
export class UrlNotAllowed extends Schema.TaggedError<UrlNotAllowed>()("UrlNotAllowed", {
  reason: Schema.Literals(["malformed", "too_long", "scheme", "user_info", "address"]),
}) {}

/** The name has no address; the issue code `url_not_resolvable`. decisions.md 13. */
export class NameNotResolved extends Schema.TaggedError<NameNotResolved>()("NameNotResolved", {}) {}

/** No whole answer came: refused, reset, no valid certificate. `code`: of the system or the client. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
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

export type OutboundError =
  | UrlNotAllowed
  | NameNotResolved
  | Unreachable
  | TimedOut
  | TooLarge
  | RedirectedTooOften
