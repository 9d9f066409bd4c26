// What is known about a request before any handler runs (spec 1.3): its id and client address. `answer.ts` sets both
// once; code outside a request sees the default and must not rely on it.
import { Context } from "effect"
import { randomName } from "./random-name.ts"

export interface RequestContext {
  /** `req_` and 26 characters of `0-9a-z`; equals the header X-Request-Id. */ // spec 1.3
  readonly id: string
  /** The peer, or the forwarded address behind a trusted proxy. */ // spec 10.1
  readonly clientAddress: string
  /** The User-Agent header, at most 300 characters; null without one. */
  readonly userAgent: string | null
}

export const RequestContext = Context.Reference<RequestContext>(
  "@footfall/server/http/RequestContext",
  {
    defaultValue: () => ({
      id: "req_" + "0".repeat(26),
      clientAddress: "unknown",
      userAgent: null,
    }),
  },
)

/** The peer, for transports that don't report it: set by an embedding application. */
export const PeerAddress = Context.Reference<string | undefined>(
  "@footfall/server/http/PeerAddress",
  { defaultValue: () => undefined },
)

/** `req_` and 26 random characters of `0-9a-z`. */
export const makeRequestId = (): string => randomName("req_")
