// The only way out to an address that a customer typed (decisions.md 1.9): one guard before every
// request and every redirect, one budget of time and one of bytes for the whole. Uses no proxy of the
// environment, keeps no cookies, and follows redirects only where it is told how many.
import { Context, Effect, Layer } from "effect"
import { exchange, type Exchanged } from "./exchange.ts"
import {
  NameNotResolved,
  type OutboundError,
  RedirectedTooOften,
  TimedOut,
  TooLarge,
  Unreachable,
  UrlNotAllowed,
} from "./outbound-error.ts"
import { readOutboundUrl } from "./outbound-url.ts"
import { type Guard, NameLookup } from "./vetted-addresses.ts"

/** `ALLOW_PRIVATE_WEBHOOKS`: lifts the rules of scheme and address. decisions.md 1.2, 1.9. */
export const PrivateAddressesAllowed = Context.Reference<boolean>(
  "@footfall/server/outbound/PrivateAddressesAllowed",
  { defaultValue: () => false },
)

export interface PageRequest {
  readonly url: string
  /** Default 0: a redirect is the answer. Above that: RedirectedTooOften. */
  readonly redirectsMax?: number
  /** For everything together: every name, connection, redirect and the body. */
  readonly timeoutMs: number
  /** Of the body of the answer. */
  readonly bytesMax: number
}

export interface OutboundPage extends Exchanged {
  /** Where it was found, after redirects. */
  readonly url: string
}

export class Outbound extends Context.Service<
  Outbound,
  {
    /** Reads a page by GET, over `http:` too. An answer of any status is a page. */
    readPage(request: PageRequest): Effect.Effect<OutboundPage, OutboundError>
  }
>()("@footfall/server/outbound/Outbound") {
  static readonly layer = Layer.effect(
    Outbound,
    Effect.gen(function* () {
      const guard: Guard = {
        lookup: yield* NameLookup,
        isPrivateAllowed: yield* PrivateAddressesAllowed,
      }
      const rules = { isPlainAllowed: true, isPrivateAllowed: guard.isPrivateAllowed }

      const walk = Effect.fnUntraced(function* ({ bytesMax, redirectsMax = 0, url }: PageRequest) {
        let next = url
        for (let redirects = 0; ; redirects++) {
          const checked = yield* Effect.fromResult(readOutboundUrl(next, rules))
          const answer = yield* Effect.tryPromise({
            try: (signal) => exchange(checked, { ...guard, bytesMax, signal }),
            catch: outboundErrorOf,
          })
          const location = locationOf(answer, checked)
          if (location === undefined || redirectsMax === 0) return { ...answer, url: checked.href }
          if (redirects === redirectsMax) return yield* new RedirectedTooOften({ redirectsMax })
          next = location
        }
      })

      return Outbound.of({
        readPage: Effect.fn("Outbound.readPage")(function* (request) {
          const { timeoutMs } = request
          return yield* Effect.timeoutOrElse(walk(request), {
            duration: timeoutMs,
            orElse: () => new TimedOut({ timeoutMs }),
          })
        }),
      })
    }),
  )
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where an answer points to; an unreadable Location is no redirect. */
const locationOf = ({ headers, status }: Exchanged, base: URL): string | undefined => {
  const { location } = headers
  return location !== undefined && redirectStatuses.has(status) && URL.canParse(location, base.href)
    ? new URL(location, base.href).href
    : undefined
}

const outboundErrorOf = (error: unknown): OutboundError => {
  if (
    error instanceof UrlNotAllowed ||
    error instanceof NameNotResolved ||
    error instanceof TooLarge
  ) {
    return error
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN"
  return new Unreachable({ code })
}
