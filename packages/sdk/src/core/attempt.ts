// Sends one request and reads one response, within one time limit and one size limit. It ends on time even if the
// sending function ignores its signal.
import { AbortedError, type FootfallError, TimeoutError } from "../errors/footfall-error.ts"
import type { RawResponse } from "./response.ts"
import { bodyTooLarge, responseBytesMax } from "./buffered-response.ts"
import { deferred } from "./deferred.ts"
import { Ending } from "./ending.ts"
import type { HttpMethod } from "./http-method.ts"
import { readRateLimitState } from "./rate-limit-state.ts"
import { retryAfterSeconds } from "./retry.ts"
import type { OpenBody, Send } from "./send.ts"
import { type Upload, uploadBody, type UploadObserver, type UploadSourceFailure } from "./upload.ts"

/**
 * Reads the whole body as text. If reading ends early because the body is too large, fails or is aborted, the body is
 * cancelled to free the connection. Errors: ApiError `INVALID_RESPONSE` above the limit; connection errors.
 */
async function readText(status: number, body: OpenBody, ending: Ending): Promise<string> {
  try {
    const decoder = new TextDecoder()
    let text = ""
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > responseBytesMax) throw bodyTooLarge(status)
      text += decoder.decode(chunk, { stream: true })
      ending.throwIfEnded()
    }
    return text + decoder.decode()
  } catch (error) {
    body.giveUp()
    throw error
  }
}

type SentHeaders = Readonly<Record<string, string>>

/** What to send, how, and within which limits. */
export interface AttemptInit {
  readonly send: Send
  /** How error messages name the request: method and path, without the query. */
  readonly endpoint: string
  readonly url: URL
  readonly method: HttpMethod
  /** Called within the time limit, because getting a token may take time. */
  readonly headers: () => SentHeaders | Promise<SentHeaders>
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
export function attempt(init: AttemptInit): Promise<RawResponse> {
  const { endpoint, signal, timeoutMs } = init
  if (signal?.aborted) return Promise.reject(aborted(endpoint, signal))
  const { promise, reject, resolve } = deferred<RawResponse>()
  const ending = new Ending()
  const limit = (limitMs: number) =>
    setTimeout(() => {
      end(new TimeoutError(`${endpoint}: no complete response within ${limitMs} ms`, limitMs))
    }, limitMs)
  let timer = limit(timeoutMs)
  const restartLimit = (limitMs: number): void => {
    clearTimeout(timer)
    timer = limit(limitMs)
  }
  let isOver = false
  const finish = (): void => {
    isOver = true
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
  const end = (error: FootfallError | UploadSourceFailure): void => {
    if (isOver) return
    finish()
    reject(error)
    ending.end(error)
  }
  const onAbort = (): void => end(aborted(endpoint, signal))
  signal?.addEventListener("abort", onAbort, { once: true })
  const exchanged = exchange(init, ending, {
    onChunk: () => restartLimit(timeoutMs),
    onEnd: () => {
      if (typeof init.body === "object") restartLimit(init.body.answerTimeoutMs)
    },
    onFailure: end,
    isOver: () => isOver,
  })
  exchanged.then(
    (answer) => {
      finish()
      resolve(answer)
    },
    (error: unknown) => {
      finish()
      reject(error)
    },
  )
  return promise
}

/** The error for a call that the caller's signal ended. The signal's reason is the cause. */
export function aborted(endpoint: string, signal: AbortSignal | undefined): AbortedError {
  return new AbortedError(`${endpoint}: aborted by its signal`, { cause: signal?.reason })
}

async function exchange(
  init: AttemptInit,
  ending: Ending,
  observer: UploadObserver,
): Promise<RawResponse> {
  const { isStreamed = false, method, send, url } = init
  const given = init.headers()
  const headers = given instanceof Promise ? await given : given
  // The time limit may have passed while the headers were prepared. If so, send nothing.
  ending.throwIfEnded()
  const sent = typeof init.body === "object" ? uploadBody(init.body, observer) : init.body
  const response = await send(url, { method, headers, body: sent, isStreamed, ending })
  const header = (name: string): string | null => response.header(name) ?? null
  const { body, status } = response
  if (typeof body === "object") ending.onEnd(() => body.giveUp())
  const requestId = header("x-request-id")
  const isUnread = isStreamed && status >= 200 && status <= 299 && typeof body === "object"
  return {
    status,
    contentType: header("content-type"),
    requestId,
    head: { status, requestId, headers: () => response.headers() },
    location: header("location"),
    retryAfterSeconds: retryAfterSeconds(header("retry-after"), init.nowMs()),
    rateLimit: readRateLimitState(header),
    text: isUnread ? "" : typeof body === "string" ? body : await readText(status, body, ending),
    unread: isUnread ? body : null,
    header: (name) => header(name.toLowerCase()),
  }
}
