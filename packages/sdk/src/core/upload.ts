// A body that is sent while it is read: never held whole, never read ahead of the connection by more
// than a chunk or two, and read once.

import { streamOf } from "./stream-of.ts"

/** Bytes of a known type, in the order they are to be sent. */
export interface Upload {
  readonly contentType: string
  readonly chunks: UploadSource
  /** Milliseconds for the answer, once the last chunk has been taken. */
  readonly answerTimeoutMs: number
}

/**
 * One piece of text or bytes, a Blob (in a browser also the File of an input), or any stream of such pieces: a file,
 * a generator, a web stream. Browsers gather a stream before they send it; a Blob they send as it is.
 */
export type UploadSource = UploadChunk | Blob | Iterable<UploadChunk> | AsyncIterable<UploadChunk>

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
): Blob | ReadableStream<Uint8Array> {
  if (!(chunks instanceof Blob)) return streamOf(encoded(chunks, observer))
  // It is sent whole by the runtime, which does not say how far it is.
  observer.onEnd()
  return chunks
}

async function* encoded(
  chunks: Exclude<UploadSource, Blob>,
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
