// One request over a kept connection and its response, as a handler for undici's dispatch. The status line is the
// response: the body is read up to its limit, and a body that is too long, too slow or breaks off does not change the
// result (spec 1.9, 8.1). Neither requests nor decodes a content encoding.
import type { Dispatcher } from "undici"
import { type Exchanged, firstValues } from "./exchange.ts"
import { NoAnswer } from "./outbound-error.ts"

export interface OutboundRequest {
  /** Default POST. */
  readonly method?: "DELETE" | "GET" | "PATCH" | "POST" | "PUT"
  readonly url: string
  /** All headers to send, except `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For everything together: name look-up, connection, TLS, request and response. */
  readonly timeoutMs: number
  /** Maximum size of the response body; the rest is cut off. Default: 64 KiB. */
  readonly bytesMax?: number
}

/** The parts of an address that each request needs, read once. */
export interface Endpoint {
  readonly origin: string
  readonly host: string
  /** With the query. */
  readonly path: string
}

export interface OutboundAnswer extends Exchanged {
  /** Whether the body was cut: it was too long, too slow, or broke off. */
  readonly bodyIsCut: boolean
}

// spec 1.9
export const answerBytesMax = 65_536
/** Maximum number of 1xx responses before the final one. */
const informationalMax = 10

export class Sending implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number
  readonly #settle: (result: OutboundAnswer | Error) => void
  #controller: Dispatcher.DispatchController | undefined
  #informational = 0
  #head: Pick<Exchanged, "headers" | "status"> | undefined
  #chunks: Array<Uint8Array> = []
  #length = 0
  #isOver = false

  /** `settle`: called once, unless `abort` comes first. */
  constructor(bytesMax: number, settle: (result: OutboundAnswer | Error) => void) {
    this.#bytesMax = bytesMax
    this.#settle = settle
  }

  begin(connections: Dispatcher, path: string, request: OutboundRequest): void {
    const { body = null, headers, method = "POST" } = request
    if (!this.#isOver) connections.dispatch({ method, path, headers, body }, this)
  }

  /** Ends the connection. A request that waits for one is not sent. */
  abort(): void {
    if (!this.#isOver) this.#end(false)
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.#end(false)
    this.#settle(error)
  }

  /** Returns what has arrived of the response; undefined before its headers. */
  answer(bodyIsCut: boolean): OutboundAnswer | undefined {
    if (this.#head === undefined) return undefined
    return {
      ...this.#head,
      body: Buffer.concat(this.#chunks, this.#length),
      bodyIsCut,
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(ended)
    else this.#controller = controller
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Dispatcher.ResponseData["headers"],
  ): void {
    if (status >= 200) this.#head = { status, headers: firstValues(headers) }
    else if (++this.#informational > informationalMax) {
      throw new NoAnswer({ code: "INFORMATIONAL_FLOOD" })
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isOver) return
    const room = this.#bytesMax - this.#length
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#length += Math.min(chunk.length, room)
    if (chunk.length > room) this.#finish(true)
  }

  onResponseEnd(): void {
    if (!this.#isOver) this.#finish(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    if (this.#head === undefined) this.fail(error)
    else this.#finish(true)
  }

  #finish(bodyIsCut: boolean): void {
    const answer = this.answer(bodyIsCut)!
    this.#end(!bodyIsCut)
    this.#settle(answer)
  }

  #end(isWhole: boolean): void {
    this.#isOver = true
    if (!isWhole) this.#controller?.abort(ended)
  }
}

/** Made once, because most of the time of an error is its stack. */
const ended = new Error("The request has ended.")

// The beginning of a response body as text that can be stored and shown (spec 2.16, 2.20, 8.1).

/** Units: bytes. */
const snippetBytesMax = 1_024

/** Null for an empty body. */
export const snippetOf = (body: Uint8Array): string | null => {
  const text = Buffer.from(body.subarray(0, snippetBytesMax)).toString("utf8")
  // Replacing invalid text may need more bytes, so they are counted again.
  const bytes = Buffer.from(text.replaceAll("\u0000", " "))
  const kept = bytes
    .subarray(0, snippetBytesMax)
    .toString("utf8")
    .replace(/(?<!\uFFFD)\uFFFD+$/, "")
  return kept === "" ? null : kept
}
