// What a caller can listen to: for logs and metrics of one's own. A hook may add headers and changes
// nothing else; what it throws, the call fails with.

import type { HttpMethod } from "./http-method.ts"
import type { RateLimitState } from "./rate-limit-state.ts"

/** One attempt of a call. */
export interface Attempt {
  readonly method: HttpMethod
  /** Of the request, without the query. */
  readonly path: string
  /** The path with `:id` for ids: the same for all calls of an endpoint. */
  readonly route: string
  /** 1 for the first one. */
  readonly attempt: number
}

/** An answer of any status, after its body was read. */
export interface AttemptAnswer extends Attempt {
  readonly status: number
  /** Null when the answer had none. */
  readonly requestId: string | null
  /** Null when the answer says nothing of a rate limit. */
  readonly rateLimit: RateLimitState | null
  readonly durationMs: number
  /** Of the answer, by name in any case; null when it is not there. */
  header(name: string): string | null
  /** The body as it came. */
  readonly text: string
}

/** A wait: before another attempt, or for a place under a rate limit. */
export interface AttemptWait extends Attempt {
  readonly delayMs: number
  /** What the attempt failed with; null where it is the rate limit that is kept to. */
  readonly error: unknown
}

/** Each one is optional. */
export interface Hooks {
  /** Before each attempt. What it gives is sent as headers beside those of the SDK, which win. */
  readonly onRequest?: (attempt: Attempt) => Readonly<Record<string, string>> | void
  readonly onResponse?: (answer: AttemptAnswer) => void
  readonly onWait?: (wait: AttemptWait) => void
}
