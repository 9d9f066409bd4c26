// Keeps the calls of one client under the rate limits in the server's responses
// (spec 10.1): parallel calls share what is left, and a call that finds nothing left
// waits for its turn in a coming window instead of being refused. Limits are known by route; where
// several routes share one, the server responds with 429, and every call waits as it asks.

import type { ApiRequest } from "./api-request.ts"
import type { RateLimitState } from "./rate-limit-state.ts"

/** Length of every rate limit window. */
export const windowMs = 60_000

/** Window ends closer than this are the same one: the header has whole seconds. */
const sameEndMs = 2_000

interface Window {
  /** Calls of a window. */
  readonly limit: number
  /** Calls left of it; below zero: so many wait for the windows after it. */
  left: number
  endsAtMs: number
}

/** Most routes that are known; more than the API has. */
const routesMax = 500

/** What a client knows about its rate limits. Holds one entry per route, and at most 500: the newest answers'. */
export class Pacing {
  readonly #windows = new Map<string, Window>()

  /**
   * Takes the next free place and says how many milliseconds to wait for it. None is taken, and nothing is
   * to be waited for, when that would be longer than `waitMaxMs`: the server then refuses and says why.
   */
  reserve(route: string, nowMs: number, waitMaxMs: number): number {
    const window = this.#at(route, nowMs)
    if (window === undefined) return 0
    const { endsAtMs, left, limit } = window
    const delayMs =
      left > 0 ? 0 : endsAtMs - nowMs + Math.floor(-left / Math.max(1, limit)) * windowMs
    if (delayMs > waitMaxMs) return 0
    window.left -= 1
    return delayMs
  }

  /** A response reported its rate limit. */
  heard(route: string, { limit, remaining, resetSeconds }: RateLimitState, nowMs: number): void {
    const endsAtMs = nowMs + resetSeconds * 1000
    const known = this.#at(route, nowMs)
    const isSame = known !== undefined && Math.abs(known.endsAtMs - endsAtMs) < sameEndMs
    const waiting = Math.min(known?.left ?? 0, 0)
    const left = isSame ? Math.min(known.left, remaining) : remaining + waiting
    this.#keep(route, { limit, left, endsAtMs })
  }

  /** An answer was 429 and said when to come back. */
  refused(route: string, retryAfterSeconds: number, nowMs: number): void {
    const known = this.#at(route, nowMs)
    const endsAtMs = nowMs + retryAfterSeconds * 1000
    this.#keep(route, {
      limit: known?.limit ?? 1,
      left: Math.min(known?.left ?? 0, 0),
      endsAtMs: Math.max(known?.endsAtMs ?? 0, endsAtMs),
    })
  }

  #keep(route: string, window: Window): void {
    // A map is in the order in which its entries came.
    this.#windows.delete(route)
    this.#windows.set(route, window)
    if (this.#windows.size <= routesMax) return
    const [oldest] = this.#windows.keys()
    this.#windows.delete(oldest!)
  }

  /** The present window, when the route has a limit. */
  #at(route: string, nowMs: number): Window | undefined {
    const window = this.#windows.get(route)
    if (window === undefined || nowMs < window.endsAtMs) return window
    const ended = Math.floor((nowMs - window.endsAtMs) / windowMs) + 1
    window.left = Math.min(window.limit, window.left + ended * window.limit)
    window.endsAtMs += ended * windowMs
    return window
  }
}

const ids = /\/(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d+)(?=\/|$)/g

/** What requests of one endpoint have in common: method and path, with `:id` for ids. */
export const routeOf = ({
  method,
  path,
  route = path.replaceAll(ids, "/:id"),
}: Pick<ApiRequest, "method" | "path" | "route">): string => `${method} ${route}`
