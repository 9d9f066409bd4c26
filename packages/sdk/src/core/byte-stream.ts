// A response body that is streamed at the reader's pace. It is never held in memory as a whole, and never read ahead
// beyond the connection's own buffers. It can be read once. Waiting for the next bytes has a time limit; the reader
// itself can take as long as it needs.

import { ConnectionError, FootfallError, TimeoutError } from "../errors/footfall-error.ts"
import { deferred } from "./deferred.ts"
import { aborted } from "./attempt.ts"
import type { RawResponse } from "./response.ts"
import type { OpenBody } from "./send.ts"
import { streamOf } from "./upload.ts"

/** How to read a body. */
export interface ByteStreamInit {
  readonly body: OpenBody
  /** Returns a response header. */
  readonly header: RawResponse["header"]
  /** How error messages name the request: method and path, without the query. */
  readonly endpoint: string
  /** Names the call in an error. */
  readonly locate: (error: FootfallError) => unknown
  /** Maximum wait for the next bytes, in milliseconds, from when the reader asks for them. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * The bytes of a file, in order. Errors while reading: TimeoutError, AbortedError, and ConnectionError if the
 * connection closes early. After an error, the bytes already read are incomplete.
 */
export class ByteStream implements AsyncIterable<Uint8Array> {
  readonly #init: ByteStreamInit

  constructor(init: ByteStreamInit) {
    this.#init = init
  }

  /** The file name that the server sent; null if it sent none. */
  get fileName(): string | null {
    const header = this.#init.header("content-disposition") ?? ""
    return /filename="([^"/\\]+)"/.exec(header)?.[1] ?? null
  }

  /** Size of the file in bytes; null if the server did not send it. */
  get byteSize(): number | null {
    const header = this.#init.header("content-length")
    return header === null ? null : Number(header)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { body, endpoint, signal, timeoutMs } = this.#init
    // A new promise for each read. A single promise for the whole file would keep every chunk it was raced with in
    // memory.
    let end: (error: FootfallError) => void = () => {}
    const onAbort = (): void => end(aborted(endpoint, signal))
    signal?.addEventListener("abort", onAbort, { once: true })
    const chunks = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const read = deferred<IteratorResult<Uint8Array, unknown>>()
        end = read.reject
        const timer = setTimeout(() => {
          end(new TimeoutError(`${endpoint}: no bytes within ${timeoutMs} ms`, timeoutMs))
        }, timeoutMs)
        if (signal?.aborted) onAbort()
        else chunks.next().then(read.resolve, read.reject)
        const next = await read.promise.finally(() => clearTimeout(timer))
        if (next.done) return
        yield next.value
      }
    } catch (error) {
      throw this.#init.locate(
        error instanceof FootfallError
          ? error
          : new ConnectionError(
              `${endpoint}: the connection closed before the end of the response`,
            ),
      )
    } finally {
      signal?.removeEventListener("abort", onAbort)
      body.giveUp()
    }
  }

  /** Returns the bytes as a web stream, for example for the body of a Response. */
  toWebStream(): ReadableStream<Uint8Array> {
    return streamOf(this)
  }

  /**
   * Writes the bytes to a file. The file appears under its name only when it is complete. Until then, and after an
   * error, an existing file of that name stays unchanged. `onBytes` is called with the number of bytes written so far.
   * Returns the total number of bytes. Needs a file system.
   */
  async toFile(path: string, onBytes?: (bytes: number) => void): Promise<number> {
    // Not a static import, because a bundler for browsers would try to resolve it.
    const files = globalThis.process?.getBuiltinModule("node:fs/promises")
    if (files === undefined) throw new TypeError("toFile requires a runtime with a file system")
    const part = `${path}.${crypto.randomUUID()}.part`
    const file = await files.open(part, "wx")
    try {
      let bytes = 0
      for await (const chunk of this) {
        await file.writeFile(chunk)
        bytes += chunk.byteLength
        onBytes?.(bytes)
      }
      await file.sync()
      await file.close()
      await files.rename(part, path)
      return bytes
    } catch (error) {
      await file.close()
      await files.rm(part, { force: true })
      throw error
    }
  }
}
