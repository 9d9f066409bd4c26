// Who carries a request: the runtime's own sender (platform.ts, platform.web.ts), or a function of the
// caller's, which gets a standard Request. Redirects are never followed by either: a key must not be sent to
// an address that the caller did not choose.

import type { Settings } from "../options.ts"
import type { HttpMethod } from "./hooks.ts"

/** One HTTP request, ready to go. */
interface WireRequest {
  readonly method: HttpMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | ReadableStream<Uint8Array> | undefined
  readonly signal: AbortSignal
}

/** What is read of an answer. */
export interface WireResponse {
  readonly status: number
  /** Undefined when the answer has none. Names in lower case. */
  header(name: string): string | undefined
  headers(): Headers
  /** Read once. */
  readonly body: AsyncIterable<Uint8Array>
  /** The whole body at once, where the carrier is faster at it than chunk by chunk. */
  text?(): Promise<string>
  /** Ends a body that is not wanted any more, so that its connection is freed. Never throws. */
  giveUp(): void
}

/** Sends a request and answers as soon as the headers are there. */
export type Send = (url: string, request: WireRequest) => Promise<WireResponse>

/** Sends by a function of the form of `fetch`. */
export const fetchSender =
  (fetch: NonNullable<Settings["fetch"]>): Send =>
  async (url, { body, headers, method, signal }) => {
    const response = await fetch(
      new Request(url, {
        method,
        headers,
        body: body ?? null,
        signal,
        redirect: "manual",
        duplex: "half",
      }),
    )
    const reader = response.body?.getReader()
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      headers: () => new Headers(response.headers),
      body: chunksOf(reader),
      // Cancelling a body that has already failed rejects, which does not matter.
      giveUp: () => void reader?.cancel().catch(() => {}),
    }
  }

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const read = await reader?.read()
    if (read === undefined || read.done) return
    yield read.value
  }
}
