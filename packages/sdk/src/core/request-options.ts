// Options of one call. Defaults are the client's own.

import type { Hooks } from "./hooks.ts"

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call, including waits between attempts, with an AbortedError. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt, headers and body together. 1 to 300,000. */
  readonly timeoutMs?: number | undefined
  /** Retries after the first attempt. 0 to 10. */
  readonly maxRetries?: number | undefined
  /** How old the answer may be if the server has a read replica: seconds, 0 to 3,600; 0 asks the primary. */
  readonly maxStalenessSeconds?: number | undefined
  /** Called after the client's own hooks; `onResponse` gives access to the raw response. */
  readonly hooks?: Hooks | undefined
}

/** Options of a call that creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * Makes the call safe to repeat: within 24 hours a second call with the same key and parameters returns what the
   * first one created. Default: a new key for each call, so that the SDK's own retries create nothing twice.
   */
  readonly idempotencyKey?: string | undefined
}
