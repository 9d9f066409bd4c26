// Sends one request and reads one response, within one time limit and one size limit. It ends on time even if the
// sending function ignores its signal.
import { ApiError } from "../errors/api-error.ts"
import { AbortedError, type FootfallError, TimeoutError } from "../errors/footfall-error.ts"
import type { RawAnswer } from "./answer.ts"
import type { HttpMethod } from "./hooks.ts"
import { readRateLimitState } from "./rate-limit-state.ts"
import { retryAfterSeconds } from "./retry.ts"
import type { Send, WireResponse } from "./send.ts"
import { type Upload, uploadBody, type UploadObserver, type UploadSourceFailure } from "./upload.ts"

// Reads a response body as text, up to a size limit. If reading ends early because the body is too large, fails or is
// aborted, the body is cancelled to free the connection.

/** Largest response body to read. 50 visitors with 100 pages of 2,048 characters each are 10 MiB. */
export const responseBytesMax = 64 * 1024 * 1024

/**
 * Reads the whole body. After an abort it may return a partial body, but nothing awaits the result by then. Errors:
 * ApiError `INVALID_RESPONSE` above the limit; connection errors.
 */
async function readText(response: WireResponse, signal: AbortSignal): Promise<string> {
  // A body is never longer than its content-length. `text()` needs no listener here, because the signal itself cancels
  // it.
  const isBounded = Number(response.header("content-length") ?? Infinity) <= responseBytesMax
  if (isBounded && response.text !== undefined && !signal.aborted) return response.text()
  const giveUp = () => response.giveUp()
  signal.addEventListener("abort", giveUp, { once: true })
  try {
    signal.throwIfAborted()
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

/** What to send, how, and within which limits. */
export interface AttemptInit {
  readonly send: Send
  /** How error messages name the request: method and path, without the query. */
  readonly endpoint: string
  readonly url: string
  readonly method: HttpMethod
  /** Called within the time limit, because getting a token may take time. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  readonly body: string | Upload | undefined
  /** Leaves the body of a successful response unread, so that it can be streamed. */
  readonly isStreamed?: boolean
  /**
   * For the whole attempt. With an upload, each chunk restarts it, and after the last chunk the response has its own
   * limit.
   */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly nowMs: () => number
}

/**
 * Errors: TimeoutError, AbortedError, ApiError `INVALID_RESPONSE` (too large), UploadSourceFailure. Anything that
 * `send`, `headers` or the connection throws passes through unchanged.
 */
export async function attempt(init: AttemptInit): Promise<RawAnswer> {
  const { endpoint, signal, timeoutMs } = init
  if (signal?.aborted) throw aborted(endpoint, signal)
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (error: FootfallError | UploadSourceFailure): void => {
    ended.reject(error)
    controller.abort(error)
  }
  const onAbort = (): void => end(aborted(endpoint, signal))
  signal?.addEventListener("abort", onAbort, { once: true })
  const limit = (limitMs: number) =>
    setTimeout(() => {
      end(new TimeoutError(`${endpoint}: no complete response within ${limitMs} ms`, limitMs))
    }, limitMs)
  let isOver = false
  let timer = limit(timeoutMs)
  const restartLimit = (limitMs: number): void => {
    clearTimeout(timer)
    timer = limit(limitMs)
  }
  try {
    return await Promise.race([
      exchange(init, controller.signal, {
        onChunk: () => restartLimit(timeoutMs),
        onEnd: () => {
          if (typeof init.body === "object") restartLimit(init.body.answerTimeoutMs)
        },
        onFailure: end,
        isOver: () => isOver,
      }),
      ended.promise,
    ])
  } finally {
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}

/** The error for a call that the caller's signal ended. The signal's reason is the cause. */
export function aborted(endpoint: string, signal: AbortSignal | undefined): AbortedError {
  return new AbortedError(`${endpoint}: aborted by its signal`, { cause: signal?.reason })
}

async function exchange(
  init: AttemptInit,
  signal: AbortSignal,
  observer: UploadObserver,
): Promise<RawAnswer> {
  const { send, url, method } = init
  const headers = await init.headers()
  // The time limit may have passed while the headers were prepared. If so, send nothing.
  signal.throwIfAborted()
  const body = typeof init.body === "object" ? uploadBody(init.body, observer) : init.body
  const response = await send(url, { method, headers, body, signal })
  const header = (name: string): string | null => response.header(name) ?? null
  const { status } = response
  const requestId = header("x-request-id")
  const isUnread = init.isStreamed === true && status >= 200 && status <= 299
  return {
    status,
    contentType: header("content-type"),
    requestId,
    head: { status, requestId, headers: () => response.headers() },
    location: header("location"),
    retryAfterSeconds: retryAfterSeconds(header("retry-after"), init.nowMs()),
    rateLimit: readRateLimitState(header),
    text: isUnread ? "" : await readText(response, signal),
    unread: isUnread ? response : null,
    header: (name) => header(name.toLowerCase()),
  }
}
