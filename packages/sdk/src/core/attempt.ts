// One request, one answer: from the first byte sent to the last byte read, inside one time limit
// and one size limit. It ends on time even if the function that sends ignores its signal.

import { AbortedError, type FootfallError, TimeoutError } from "../errors/footfall-error.ts"
import type { RawAnswer } from "./answer.ts"
import { readRateLimitState } from "./rate-limit-state.ts"
import { readText } from "./read-text.ts"
import { retryAfterSeconds } from "./retry-after.ts"
import type { HttpMethod } from "./http-method.ts"
import type { Send } from "./send.ts"
import { uploadBody, type Upload, type UploadObserver, type UploadSourceFailure } from "./upload.ts"

/** What to send, by what, and within which limits. */
export interface AttemptInit {
  readonly send: Send
  /** What messages call the request: method and path, without the query. */
  readonly endpoint: string
  readonly url: string
  readonly method: HttpMethod
  /** Asked for inside the time limit: a token may have to be fetched first. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  readonly body: string | Upload | undefined
  /** Leaves the body of a success unread, to be read while it comes. */
  readonly isStreamed?: boolean
  /**
   * For the whole attempt. With an upload, each chunk restarts it, and after the last
   * one the answer has a limit of its own.
   */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly nowMs: () => number
}

/**
 * Errors: TimeoutError, AbortedError, ApiError `INVALID_RESPONSE` (too large), UploadSourceFailure;
 * whatever `send`, `headers` or the connection throws passes through unchanged.
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

/** The caller's signal ended the call; the reason it gave is the cause. */
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
  // The time may have run out meanwhile, and then nothing is sent any more.
  signal.throwIfAborted()
  const body = typeof init.body === "object" ? uploadBody(init.body, observer) : init.body
  const response = await send(url, { method, headers, body, signal })
  const header = (name: string): string | null => response.header(name) ?? null
  const isUnread = init.isStreamed === true && response.status >= 200 && response.status <= 299
  return {
    status: response.status,
    contentType: header("content-type"),
    requestId: header("x-request-id"),
    location: header("location"),
    retryAfterSeconds: retryAfterSeconds(header("retry-after"), init.nowMs()),
    rateLimit: readRateLimitState(header),
    text: isUnread ? "" : await readText(response, signal),
    unread: isUnread ? response : null,
    header: (name) => header(name.toLowerCase()),
  }
}
