// The body of an answer as text, read up to a bound. However reading ends early, too large, failed
// or aborted, the body is given up, so that its connection is freed.

import { ApiError } from "../errors/api-error.ts"
import type { WireResponse } from "./send.ts"

/** Largest answer that is read. 50 visitors with 100 pages of 2,048 characters each are 10 MiB. */
export const responseBytesMax = 64 * 1024 * 1024

/**
 * The whole body; after an abort, whatever was read, which nothing awaits any more.
 * Errors: ApiError `INVALID_RESPONSE` above the bound; what the connection gives.
 */
export async function readText(response: WireResponse, signal: AbortSignal): Promise<string> {
  const giveUp = () => response.giveUp()
  signal.addEventListener("abort", giveUp, { once: true })
  try {
    signal.throwIfAborted()
    // A body is never longer than its content-length.
    const isBounded = Number(response.header("content-length") ?? Infinity) <= responseBytesMax
    if (isBounded && response.text !== undefined) return await response.text()
    const decoder = new TextDecoder()
    let text = ""
    let bytes = 0
    for await (const chunk of response.body) {
      bytes += chunk.byteLength
      if (bytes > responseBytesMax) {
        throw ApiError.invalidResponse(response.status, `a body above ${responseBytesMax} bytes`)
      }
      text += decoder.decode(chunk, { stream: true })
      signal.throwIfAborted()
    }
    return text + decoder.decode()
  } catch (error) {
    giveUp()
    throw error
  } finally {
    signal.removeEventListener("abort", giveUp)
  }
}
