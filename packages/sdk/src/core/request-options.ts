// Options of a single call. They default to the client's options.

import type { Hooks } from "./hooks.ts"

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
