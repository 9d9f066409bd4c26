// Sends requests, with the runtime's own sender (platform.ts, platform.web.ts) or with the caller's `fetch` function,
// which receives a standard Request. Neither follows redirects: a key must not go to an address that the caller did not
// choose.

import type { Settings } from "../options.ts"
import type { HttpMethod } from "./hooks.ts"

/** An HTTP request, ready to send. */
interface WireRequest {
  readonly method: HttpMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | ReadableStream<Uint8Array> | undefined
  readonly signal: AbortSignal
}

/** The parts of a response that the SDK uses. */
export interface WireResponse {
  readonly status: number
  /** Undefined if the response has no such header. Names are in lower case. */
  header(name: string): string | undefined
  headers(): Headers
  /** Can be read once. */
  readonly body: AsyncIterable<Uint8Array>
  /** Returns the whole body at once. Set only if that is faster than reading chunks. */
  text?(): Promise<string>
  /** Cancels a body that is no longer needed and frees its connection. Never throws. */
  giveUp(): void
}

/** Sends a request and returns as soon as the response headers arrive. */
export type Send = (url: string, request: WireRequest) => Promise<WireResponse>

/** Sends with a function that works like `fetch`. */
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
      // Cancelling a body that has already failed rejects. Ignore that.
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
