// Time and randomness of the retry loop, so that tests can control them.

/** What the transport asks of the outside world besides the network. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** At least 0, below 1. */
  random(): number
  /** Resolves after the delay; rejects at once when the signal aborts. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>
}

/** The real thing. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  wait: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort)
        resolve()
      }, delayMs)
      signal?.addEventListener("abort", abort, { once: true })
      if (signal?.aborted) abort()
    }),
}
