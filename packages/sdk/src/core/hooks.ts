// Hooks for your own logs and metrics. A hook can add request headers but cannot change anything else. If a hook
// throws, the call fails with that error.
import type { RateLimitState } from "./rate-limit-state.ts"

// HTTP methods of the API.

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** One attempt of a call. */
export interface Attempt {
  readonly method: HttpMethod
  /** Path of the request, without the query. */
  readonly path: string
  /** The path with `:id` in place of ids: the same for all calls to an endpoint. */
  readonly route: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** A response of any status, after its body was read. */
export interface AttemptAnswer extends Attempt {
  readonly status: number
  /** Null if the response had none. */
  readonly requestId: string | null
  /** Null if the response has no rate limit headers. */
  readonly rateLimit: RateLimitState | null
  readonly durationMs: number
  /** Returns a response header; null if it is missing. The name is case-insensitive. */
  header(name: string): string | null
  /** The raw body. */
  readonly text: string
}

/** A wait before a retry, or until the rate limit allows the call. */
export interface AttemptWait extends Attempt {
  readonly delayMs: number
  /** The attempt's error; null if the wait is for a rate limit. */
  readonly error: unknown
}

/** Hooks, all optional. */
export interface Hooks {
  /** Called before each attempt. It can return headers to add. The SDK's own headers take precedence. */
  readonly onRequest?: (attempt: Attempt) => Readonly<Record<string, string>> | void
  readonly onResponse?: (answer: AttemptAnswer) => void
  readonly onWait?: (wait: AttemptWait) => void
}
