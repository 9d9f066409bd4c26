// Retries until an attempt succeeds. Also for use outside of tests, in benchmarks.
import { setTimeout as sleep } from "node:timers/promises"

export const attempted = async <A>(
  attempt: () => Promise<A>,
  { timeout, interval }: { readonly timeout: number; readonly interval: number },
): Promise<A> => {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(interval)
    }
  }
}
