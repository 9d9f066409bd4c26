// A body that is read while it comes, at the pace of its reader: never held whole, never read ahead by more
// than the connection's own buffers. Read once. A wait for the next bytes has a limit; the time the reader
// takes has none.

import { ConnectionError } from "../errors/connection-error.ts"
import { FootfallError } from "../errors/footfall-error.ts"
import { TimeoutError } from "../errors/timeout-error.ts"
import { aborted } from "./attempt.ts"
import type { WireResponse } from "./send.ts"

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
 * Errors while it is read: TimeoutError, AbortedError, ConnectionError when it breaks off: what was read till
 * then is not the whole.
 */
export class ByteStream implements AsyncIterable<Uint8Array> {
  readonly #init: ByteStreamInit

  constructor(init: ByteStreamInit) {
    this.#init = init
  }

  /** As the server names the file; null when it does not. */
  get fileName(): string | null {
    const header = this.#init.response.header("content-disposition") ?? ""
    return /filename="([^"/\\]+)"/.exec(header)?.[1] ?? null
  }

  /** Null when the server does not tell it before. */
  get byteSize(): number | null {
    const header = this.#init.response.header("content-length")
    return header === undefined ? null : Number(header)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { endpoint, response, signal, timeoutMs } = this.#init
    const ended = Promise.withResolvers<never>()
    // It rejects between two reads too, when nobody listens.
    ended.promise.catch(() => {})
    const onAbort = (): void => ended.reject(aborted(endpoint, signal))
    signal?.addEventListener("abort", onAbort, { once: true })
    if (signal?.aborted) onAbort()
    const chunks = response.body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const timer = setTimeout(() => {
          ended.reject(new TimeoutError(`${endpoint}: no bytes within ${timeoutMs} ms`, timeoutMs))
        }, timeoutMs)
        const next = await Promise.race([chunks.next(), ended.promise]).finally(() =>
          clearTimeout(timer),
        )
        if (next.done) return
        yield next.value
      }
    } catch (error) {
      if (error instanceof FootfallError) throw error
      throw new ConnectionError(`${endpoint}: the answer broke off before its end`)
    } finally {
      signal?.removeEventListener("abort", onAbort)
      response.giveUp()
    }
  }

  /** The same as a web stream, for instance for the body of a Response. */
  toWebStream(): ReadableStream<Uint8Array> {
    return ReadableStream.from(this)
  }

  /**
   * Writes the file. It has its name when it is whole; before, or when something fails, there is none, and one
   * that was there before stays. `onBytes` hears of all bytes so far. Gives the bytes written. Only where there
   * is a file system.
   */
  async toFile(path: string, onBytes?: (bytes: number) => void): Promise<number> {
    // By its default: a bundler may leave of a module of Node nothing else.
    const { default: files } = await import("node:fs/promises")
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
