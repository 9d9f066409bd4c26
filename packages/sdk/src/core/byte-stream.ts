// A body that is read while it comes, at the pace of its reader: never held whole, never read ahead by more
// than the connection's own buffers. Read once. A wait for the next bytes has a limit; the time the reader
// takes has none.

import { ConnectionError, FootfallError, TimeoutError } from "../errors/footfall-error.ts"
import { aborted } from "./attempt.ts"
import type { WireResponse } from "./send.ts"
import { streamOf } from "./stream-of.ts"

/** How a body is read. */
export interface ByteStreamInit {
  readonly response: WireResponse
  /** What messages call the request: method and path, without the query. */
  readonly endpoint: string
  /** Milliseconds for the next bytes, once they are wanted. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * The bytes of a file, in order.
 * Errors while it is read: TimeoutError, AbortedError, ConnectionError when it breaks off. What was read until
 * then is incomplete.
 */
export class ByteStream implements AsyncIterable<Uint8Array> {
  readonly #init: ByteStreamInit

  constructor(init: ByteStreamInit) {
    this.#init = init
  }

  /** The file name that the server sent; null when it sent none. */
  get fileName(): string | null {
    const header = this.#init.response.header("content-disposition") ?? ""
    return /filename="([^"/\\]+)"/.exec(header)?.[1] ?? null
  }

  /** Size of the file; null when the server did not send it. */
  get byteSize(): number | null {
    const header = this.#init.response.header("content-length")
    return header === undefined ? null : Number(header)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { endpoint, response, signal, timeoutMs } = this.#init
    // One promise for each read: one for the whole file would keep every chunk that was ever raced with it.
    let end: (error: FootfallError) => void = () => {}
    const onAbort = (): void => end(aborted(endpoint, signal))
    signal?.addEventListener("abort", onAbort, { once: true })
    const chunks = response.body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const read = Promise.withResolvers<IteratorResult<Uint8Array, unknown>>()
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
      if (error instanceof FootfallError) throw error
      throw new ConnectionError(`${endpoint}: the connection closed before the end of the response`)
    } finally {
      signal?.removeEventListener("abort", onAbort)
      response.giveUp()
    }
  }

  /** The same as a web stream, for example for the body of a Response. */
  toWebStream(): ReadableStream<Uint8Array> {
    return streamOf(this)
  }

  /**
   * Writes the file. It gets its name once it is complete; until then, and after an error, an earlier file of that
   * name stays as it was. `onBytes` is called with the bytes so far. Returns the bytes written. Needs a file system.
   */
  async toFile(path: string, onBytes?: (bytes: number) => void): Promise<number> {
    // Not imported: a bundler for browsers would look for it.
    const files = globalThis.process?.getBuiltinModule("node:fs/promises")
    if (files === undefined) throw new TypeError("toFile needs a runtime with a file system")
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
