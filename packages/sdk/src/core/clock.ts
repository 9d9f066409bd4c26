// Time and randomness for the retry loop, replaceable in tests.

/** Everything that the transport needs from outside, except the network. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** At least 0, below 1. */
  random(): number
  /** Resolves after the delay. Rejects immediately if the signal aborts. */
  wait(delayMs: number, signal: AbortSignal | undefined): Promise<void>
}

/** The system's clock and random numbers. */
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
