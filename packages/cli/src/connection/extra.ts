// Questions whose answers only add to what a command prints: without them it prints the rest.

import type { RequestOptions } from "@footfall/sdk"

/** Not repeated: the command has its result already. */
export const extra: RequestOptions = { maxRetries: 0 }

/** Null where the server refuses, is busy, does not answer or does not know the question. */
export const ifAnswered = async <Value>(asked: PromiseLike<Value>): Promise<Value | null> => {
  try {
    return await asked
  } catch (error) {
    const { FootfallError } = await import("@footfall/sdk")
    if (error instanceof FootfallError) return null
    throw error
  }
}
