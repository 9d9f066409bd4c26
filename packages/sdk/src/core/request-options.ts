// What a caller may set for one call. The client's own values hold where nothing is given.

import type { Hooks } from "./hooks.ts"

/** Options of a single call. */
export interface RequestOptions {
  /** Ends the call, its waits between attempts included, with an AbortedError. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one attempt, headers and body together. 1 to 300,000. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first one. 0 to 10. */
  readonly retriesMax?: number | undefined
  /** Heard after those of the client; `onResponse` is the way to the raw answer. */
  readonly hooks?: Hooks | undefined
}
