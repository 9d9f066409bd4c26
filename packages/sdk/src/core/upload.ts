// A body that is sent while it is read: never held whole, never read ahead of the connection by more
// than a chunk or two, and read once.

/** Bytes of a known type, in the order they are to be sent. */
export interface Upload {
  readonly contentType: string
  readonly chunks: UploadSource
  /** Milliseconds for the answer, once the last chunk has been taken. */
  readonly answerTimeoutMs: number
}

/** One piece of text or bytes, or any stream of such pieces: a file, a generator, a web stream. */
export type UploadSource = UploadChunk | Iterable<UploadChunk> | AsyncIterable<UploadChunk>

/** Text is sent as UTF-8. Pieces of 16 KiB and more travel best. */
export type UploadChunk = string | Uint8Array

/** The caller's source failed; `cause` is its error, which the call then fails with. */
export class UploadSourceFailure extends Error {}

/** What the body of one request reports while it is sent. */
export interface UploadObserver {
  /** A chunk was taken, because the connection had room for it. */
  readonly onChunk: () => void
  /** The source has ended, so there is only the answer to wait for. */
  readonly onEnd: () => void
  readonly onFailure: (failure: UploadSourceFailure) => void
  /** The request has ended, so nothing more is wanted. */
  readonly isOver: () => boolean
}

/** The body for one request. Given up early, it ends the source's iteration. */
export function uploadBody(
  { chunks }: Upload,
  observer: UploadObserver,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(encoded(chunks, observer))
}

async function* encoded(
  chunks: UploadSource,
  { onChunk, onEnd, onFailure, isOver }: UploadObserver,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  const isWhole = typeof chunks === "string" || chunks instanceof Uint8Array
  try {
    for await (const chunk of isWhole ? [chunks] : chunks) {
      // undici 8.12 goes on reading the body of a request that was aborted, without a pause.
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
