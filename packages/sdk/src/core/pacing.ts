// Keeps a client's calls within the rate limits that the server's responses report (spec 10.1). Parallel calls share
// the remaining requests. If none remain, a call waits for its turn in a later window instead of being rejected. Limits
// are tracked by route. If several routes share a limit, the server may still respond with 429, and every call then
// waits as long as the server asks.

import type { ApiRequest } from "./api-request.ts"
import type { RateLimitState } from "./rate-limit-state.ts"

/** Length of every rate limit window. */
export const windowMs = 60_000

/** Two window ends closer than this are the same window, because the header has whole seconds only. */
const sameEndMs = 2_000

interface Window {
  /** Calls allowed per window. */
  readonly limit: number
  /** Calls left in the window. Below zero: this many calls wait for later windows. */
  left: number
  endsAtMs: number
}

/** Maximum number of routes to track. The API has fewer. */
const routesMax = 500

/**
 * What a client knows about its rate limits: one entry per route, at most 500. The least recently updated entry is
 * dropped.
 */
export class Pacing {
  readonly #windows = new Map<string, Window>()

  /**
   * Reserves the next free place and returns how many milliseconds to wait for it. If the wait would exceed
   * `waitMaxMs`, it reserves nothing and returns 0: the server then rejects the call and explains why.
   */
  reserve(route: string, nowMs: number, waitMaxMs: number): number {
    const window = this.#current(route, nowMs)
    if (window === undefined) return 0
    const { endsAtMs, left, limit } = window
    const delayMs =
      left > 0 ? 0 : endsAtMs - nowMs + Math.floor(-left / Math.max(1, limit)) * windowMs
    if (delayMs > waitMaxMs) return 0
    window.left -= 1
    return delayMs
  }

  /** Records the rate limit that a response reported. */
  recordState(
    route: string,
    { limit, remaining, resetSeconds }: RateLimitState,
    nowMs: number,
  ): void {
    const endsAtMs = nowMs + resetSeconds * 1000
    const current = this.#current(route, nowMs)
    const isSame = current !== undefined && Math.abs(current.endsAtMs - endsAtMs) < sameEndMs
    const waiting = Math.min(current?.left ?? 0, 0)
    const left = isSame ? Math.min(current.left, remaining) : remaining + waiting
    this.#keep(route, { limit, left, endsAtMs })
  }

  /** Records a 429 response and its retry time. */
  recordRejection(route: string, retryAfterSeconds: number, nowMs: number): void {
    const current = this.#current(route, nowMs)
    const endsAtMs = nowMs + retryAfterSeconds * 1000
    this.#keep(route, {
      limit: current?.limit ?? 1,
      left: Math.min(current?.left ?? 0, 0),
      endsAtMs: Math.max(current?.endsAtMs ?? 0, endsAtMs),
    })
  }

  #keep(route: string, window: Window): void {
    // Delete first: a Map keeps insertion order, and this moves the entry to the end.
    this.#windows.delete(route)
    this.#windows.set(route, window)
    if (this.#windows.size <= routesMax) return
    const [oldest] = this.#windows.keys()
    this.#windows.delete(oldest!)
  }

  /** The current window, if the route has a known limit. */
  #current(route: string, nowMs: number): Window | undefined {
    const window = this.#windows.get(route)
    if (window === undefined || nowMs < window.endsAtMs) return window
    const ended = Math.floor((nowMs - window.endsAtMs) / windowMs) + 1
    window.left = Math.min(window.limit, window.left + ended * window.limit)
    window.endsAtMs += ended * windowMs
    return window
  }
}

const ids = /\/(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d+)(?=\/|$)/g

/** Identifies an endpoint: method and path, with `:id` in place of ids. */
export const routeOf = ({
  method,
  path,
  route = path.replaceAll(ids, "/:id"),
}: Pick<ApiRequest, "method" | "path" | "route">): string => `${method} ${route}`
