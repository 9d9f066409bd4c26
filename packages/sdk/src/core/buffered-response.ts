// One undici response, read whole. As a dispatch handler it reads the body in one step. `request()`
// would build a stream for it, which costs more than the rest of a small call.

import type { Dispatcher } from "undici"
import type { Ending } from "./ending.ts"
import type { WireResponse } from "./send.ts"
import { ApiError } from "../errors/api-error.ts"

type ReceivedHeaders = Dispatcher.ResponseData["headers"]

const decoder = new TextDecoder()

/**
 * Rejects with undici's error, the attempt's early end, or ApiError `INVALID_RESPONSE` above the
 * limit.
 */
export class BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #ending: Ending
  readonly #resolve: (response: WireResponse) => void
  readonly #reject: (error: Error) => void
  #status = 0
  #headers: ReceivedHeaders = {}
  #chunks: Array<Uint8Array> = []
  #bytes = 0

  constructor(
    ending: Ending,
    resolve: (response: WireResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#ending = ending
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#ending.onEnd((reason) => controller.abort(reason))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedHeaders,
  ): void {
    // 1xx responses precede the final one.
    this.#status = status
    this.#headers = headers
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength
    if (this.#bytes > responseBytesMax) controller.abort(bodyTooLarge(this.#status))
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const isOne = this.#chunks.length === 1
    const bytes = isOne ? this.#chunks[0] : Buffer.concat(this.#chunks, this.#bytes)
    this.#resolve(responseOf(this.#status, this.#headers, decoder.decode(bytes)))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error)
  }
}

/** A response with the headers as undici returns them. */
export const responseOf = (
  status: number,
  received: ReceivedHeaders,
  body: WireResponse["body"],
): WireResponse => ({
  status,
  headers: () => headersOf(received),
  header: (name) => {
    const value = received[name] // own keys: only the SDK's header names are looked up.
    return Array.isArray(value) ? value[0] : value
  },
  body,
})

const headersOf = (received: ReceivedHeaders): Headers => {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return headers
}

// The size limit of a response body.

/**
 * Largest response body to read. For comparison: 50 visitors with 100 pages of 2,048 characters
 * each are 10 MiB.
 */
export const responseBytesMax = 64 * 1024 * 1024

/** The error for a body above the limit. */
export const bodyTooLarge = (status: number): ApiError =>
  ApiError.invalidResponse(status, `a body above ${responseBytesMax} bytes`)
