// Hooks for your own logs and metrics. A hook can add headers and changes
// nothing else. If a hook throws, the call fails with its error.
import type { RateLimitState } from "./rate-limit-state.ts"

// The methods the API knows.

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** One attempt of a call. */
export interface Attempt {
  readonly method: HttpMethod
  /** Path of the request, without the query. */
  readonly path: string
  /** The path with `:id` for ids: the same for all calls of an endpoint. */
  readonly route: string
  /** 1 for the first one. */
  readonly attempt: number
}

/** A response of any status, after its body was read. */
export interface AttemptAnswer extends Attempt {
  readonly status: number
  /** Null when the response had none. */
  readonly requestId: string | null
  /** Null when the response has no rate limit headers. */
  readonly rateLimit: RateLimitState | null
  readonly durationMs: number
  /** A header of the response, by case-insensitive name; null when it is missing. */
  header(name: string): string | null
  /** The raw body. */
  readonly text: string
}

/** A wait before a retry, or for room within a rate limit. */
export interface AttemptWait extends Attempt {
  readonly delayMs: number
  /** The error of the attempt; null for a wait within a rate limit. */
  readonly error: unknown
}

/** Hooks, all optional. */
export interface Hooks {
  /** Called before each attempt. It can return headers to add; those of the SDK take precedence. */
  readonly onRequest?: (attempt: Attempt) => Readonly<Record<string, string>> | void
  readonly onResponse?: (answer: AttemptAnswer) => void
  readonly onWait?: (wait: AttemptWait) => void
}
