// What is known of a request before any handler runs (spec 1.3): its id and the address it came from. Both
// are set once by `answer.ts`; code outside a request sees the default and must not rely on it.
import { Context } from "effect"
import { randomName } from "./random-name.ts"

export interface RequestContext {
  /** `req_` and 26 characters of `0-9a-z`; equals the header X-Request-Id. */ // spec 1.3
  readonly id: string
  /** The peer, or the forwarded address when the peer is a trusted proxy. */ // spec 10.1
  readonly clientAddress: string
  /** What the client calls itself, at most 300 characters; null when it does not say. */
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

/** The peer of a request whose transport does not tell it: set by an embedding application. */
export const PeerAddress = Context.Reference<string | undefined>(
  "@footfall/server/http/PeerAddress",
  { defaultValue: () => undefined },
)

/** `req_` and 26 random characters of `0-9a-z`. */
export const makeRequestId = (): string => randomName("req_")
