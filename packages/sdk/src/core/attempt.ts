// One request, one answer: from the first byte sent to the last byte read, inside one time limit
// and one size limit. It ends on time even if the function that sends ignores its signal.

import { AbortedError } from "../errors/aborted-error.ts"
import { ApiError } from "../errors/api-error.ts"
import { FootfallError } from "../errors/footfall-error.ts"
import { TimeoutError } from "../errors/timeout-error.ts"
import type { RawAnswer } from "./answer.ts"
import { retryAfterSeconds } from "./retry-after.ts"
import type { Send, WireResponse } from "./send.ts"

/** Largest answer that is read; the largest list page is below 16 MiB. */
export const responseBytesMax = 64 * 1024 * 1024

/** What to send, by what, and within which limits. */
export interface AttemptInit {
  readonly send: Send
  /** What messages call the request: method and path, without the query. */
  readonly endpoint: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly nowMs: () => number
}

/**
 * Errors: TimeoutError, AbortedError, ApiError `INVALID_RESPONSE` (too large); whatever `send` or
 * the connection throws passes through unchanged.
 */
export async function attempt(init: AttemptInit): Promise<RawAnswer> {
  const { endpoint, signal, timeoutMs } = init
  if (signal?.aborted) throw aborted(endpoint, signal)
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (error: FootfallError): void => {
    ended.reject(error)
    controller.abort(error)
  }
  const onAbort = (): void => end(aborted(endpoint, signal))
  signal?.addEventListener("abort", onAbort, { once: true })
  const timer = setTimeout(
    () => end(new TimeoutError(`${endpoint}: no whole answer within ${timeoutMs} ms`, timeoutMs)),
    timeoutMs,
  )
  try {
    return await Promise.race([exchange(init, controller.signal), ended.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}

/** The caller's signal ended the call; the reason it gave is the cause. */
export function aborted(endpoint: string, signal: AbortSignal | undefined): AbortedError {
  return new AbortedError(`${endpoint}: aborted by its signal`, { cause: signal?.reason })
}

async function exchange(init: AttemptInit, signal: AbortSignal): Promise<RawAnswer> {
  const { send, url, method, headers, body } = init
  const response = await send(url, { method, headers, body, signal })
  const header = (name: string): string | null => response.headers.get(name)
  return {
    status: response.status,
    contentType: header("content-type"),
    requestId: header("x-request-id"),
    location: header("location"),
    retryAfterSeconds: retryAfterSeconds(header("retry-after"), init.nowMs()),
    text: await readText(response, signal),
  }
}

async function readText(response: WireResponse, signal: AbortSignal): Promise<string> {
  if (response.body === null) return ""
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > responseBytesMax) {
        throw ApiError.invalidResponse(response.status, `a body above ${responseBytesMax} bytes`)
      }
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    // The rest is not wanted; a failure to say so changes nothing.
    reader.cancel().catch(() => {})
    throw error
  }
}
