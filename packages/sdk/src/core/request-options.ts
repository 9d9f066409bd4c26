// Options of a single call. They default to the client's options.

import type { HttpMethod } from "./http-method.ts"
import type { RateLimitState } from "./rate-limit-state.ts"

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call, including waits between attempts. The call then fails with an AbortedError. */
  readonly signal?: AbortSignal | undefined
  /** Time limit for one attempt, from headers to the end of the body. Milliseconds, 1 to 300,000. */
  readonly timeoutMs?: number | undefined
  /** Retries after the first attempt. 0 to 10. */
  readonly maxRetries?: number | undefined
  /** Maximum age of the data if the server has a read replica. Seconds, 0 to 3,600; 0 reads from the primary. */
  readonly maxStalenessSeconds?: number | undefined
  /** Called after the client's own hooks; `onResponse` gives access to the raw response. */
  readonly hooks?: Hooks | undefined
}

/** Options of a call that creates an object. */
export interface CreateOptions extends RequestOptions {
  /**
   * Makes the call safe to repeat: within 24 hours, a second call with the same key and parameters returns what the
   * first one created. Default: a new key for each call, so the SDK's own retries never create anything twice.
   */
  readonly idempotencyKey?: string | undefined
}

// Hooks for your own logs and metrics. A hook can add request headers but cannot change anything else. If a hook
// throws, the call fails with that error.

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
