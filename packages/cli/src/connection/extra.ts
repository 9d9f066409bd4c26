// Requests that only add to a command's output. If they fail, the command prints the rest.

import type { RequestOptions } from "@footfall/sdk"

/** Not retried, because the command already has its result. */
export const extra: RequestOptions = { maxRetries: 0 }

/**
 * Returns null if the server rejects the request, is busy, does not respond, or does not know it.
 */
export const ifAvailable = async <Value>(call: PromiseLike<Value>): Promise<Value | null> => {
  try {
    return await call
  } catch (error) {
    const { FootfallError } = await import("@footfall/sdk")
    if (error instanceof FootfallError) return null
    throw error
  }
}
