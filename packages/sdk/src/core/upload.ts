// A request body that is streamed. It is never held in memory as a whole, is read at most a chunk or two ahead of the
// connection, and can be read once.

/** Data of a known content type, in sending order. */
export interface Upload {
  readonly contentType: string
  readonly chunks: UploadSource
  /** Milliseconds to wait for the response after the last chunk. */
  readonly answerTimeoutMs: number
}

/**
 * A string or bytes, a Blob (in a browser also the File of an input), or any stream of strings or bytes: a file, a
 * generator, a web stream. Browsers collect a stream in memory before they send it. They send a Blob as it is.
 */
export type UploadSource = UploadChunk | Blob | Iterable<UploadChunk> | AsyncIterable<UploadChunk>

/** Text is sent as UTF-8. Chunks of 16 KiB or more are most efficient. */
export type UploadChunk = string | Uint8Array

/** The caller's source failed. `cause` is its error, and the call fails with that error. */
export class UploadSourceFailure extends Error {}

/** Callbacks for the progress of one request body. */
export interface UploadObserver {
  /** The connection took a chunk. */
  readonly onChunk: () => void
  /** The source has ended; only the response is still to come. */
  readonly onEnd: () => void
  readonly onFailure: (failure: UploadSourceFailure) => void
  /** Whether the request has ended, so that no more chunks are needed. */
  readonly isOver: () => boolean
}

/** Creates the body of one request. If the request ends early, the source's iterator is closed. */
export function uploadBody(
  { chunks }: Upload,
  observer: UploadObserver,
): Blob | ReadableStream<Uint8Array> {
  if (!(chunks instanceof Blob)) return streamOf(encoded(chunks, observer))
  // The runtime sends a Blob as a whole and does not report progress.
  observer.onEnd()
  return chunks
}

async function* encoded(
  chunks: Exclude<UploadSource, Blob>,
  { onChunk, onEnd, onFailure, isOver }: UploadObserver,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  const isBuffered = typeof chunks === "string" || chunks instanceof Uint8Array
  try {
    for await (const chunk of isBuffered ? [chunks] : chunks) {
      // undici 8.12 keeps reading the body of an aborted request without a pause.
      if (isOver()) return
      onChunk()
      yield typeof chunk === "string" ? encoder.encode(chunk) : chunk
    }
    onEnd()
  } catch (cause) {
    onFailure(new UploadSourceFailure("the source of the upload failed", { cause }))
    throw cause
  }
}

/**
 * Turns an iterable into a web stream, as `ReadableStream.from` does, which some browsers lack. It reads only when the
 * stream's reader asks, and stops when the reader stops.
 */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel(reason) {
        await iterator.return?.(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
