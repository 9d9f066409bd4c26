// Sends requests, with the runtime's own sender (platform.ts, platform.web.ts) or with the caller's `fetch` function,
// which receives a standard Request. Neither follows redirects: a key must not go to an address that the caller did not
// choose.

import { ConfigurationError } from "../errors/footfall-error.ts"
import type { Settings } from "../options.ts"
import type { Ending } from "./ending.ts"
import type { HttpMethod } from "./http-method.ts"

/** An HTTP request, ready to send. */
export interface WireRequest {
  readonly method: HttpMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | ReadableStream<Uint8Array> | undefined
  /** Leaves the response body open for streaming. */
  readonly isStreamed: boolean
  /** When the attempt ends early, the request is cancelled. */
  readonly ending: Ending
}

/** The parts of a response that the SDK uses. */
export interface WireResponse {
  readonly status: number
  /** Undefined if the response has no such header. Names are in lower case. */
  header(name: string): string | undefined
  headers(): Headers
  /** Text, if the sender has already read the body. */
  readonly body: string | OpenBody
}

/** A body that can be read once. */
export interface OpenBody extends AsyncIterable<Uint8Array> {
  /** Cancels a body that is no longer needed and frees its connection. Never throws. */
  giveUp(): void
}

/** Sends a request. Returns when the response headers arrive, or with the whole body. */
export type Send = (url: URL, request: WireRequest) => Promise<WireResponse>

/** Sends with a function that works like `fetch`. */
export const fetchSender =
  (fetch: NonNullable<Settings["fetch"]>): Send =>
  async (url, { body, ending, headers, method }) => {
    const response = await fetch(
      new Request(url, {
        method,
        headers,
        body: body ?? null,
        signal: ending.signal(),
        redirect: "manual",
        duplex: "half",
      }),
    )
    const reader = response.body?.getReader()
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      headers: () => new Headers(response.headers),
      body: {
        [Symbol.asyncIterator]: () => chunksOf(reader),
        // Cancelling a body that has already failed rejects. Ignore that.
        giveUp: () => void reader?.cancel().catch(() => {}),
      },
    }
  }

/**
 * Sends with the `fetch` of a runtime that has no undici. Errors: ConfigurationError for a dispatcher, which works in
 * Node only.
 */
export const ownFetchSender = ({ dispatcher }: Pick<Settings, "dispatcher">): Send => {
  if (dispatcher === undefined) return fetchSender((request) => fetch(request))
  throw new ConfigurationError(
    "dispatcher works in Node 22.19 and newer only: use fetch to send requests",
  )
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
