// Requests that only add to a command's output: without their responses it prints the rest.

import type { RequestOptions } from "@footfall/sdk"

/** Not retried, because the command already has its result. */
export const extra: RequestOptions = { maxRetries: 0 }

/** Null if the server refuses, is busy, does not respond, or does not know the request. */
export const ifAnswered = async <Value>(asked: PromiseLike<Value>): Promise<Value | null> => {
  try {
    return await asked
  } catch (error) {
    const { FootfallError } = await import("@footfall/sdk")
    if (error instanceof FootfallError) return null
    throw error
  }
}
