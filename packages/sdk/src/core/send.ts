// Who carries a request: undici, loaded on the first call so that importing the SDK stays cheap, or
// a function of the caller's, which gets a standard Request. Redirects are never followed by either:
// a key must not be sent to an address that the caller did not choose.

import type * as Undici from "undici"
import type { Settings } from "../options.ts"
import type { HttpMethod } from "./http-method.ts"

/** One HTTP request, ready to go. */
interface WireRequest {
  readonly method: HttpMethod
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | undefined
  readonly signal: AbortSignal
}

/** What is read of an answer. */
export interface WireResponse {
  readonly status: number
  /** Undefined when the answer has none. Names in lower case. */
  header(name: string): string | undefined
  /** Read once. */
  readonly body: AsyncIterable<Uint8Array>
  /** The whole body at once, where the carrier is faster at it than chunk by chunk. */
  text?(): Promise<string>
  /** Ends a body that is not wanted any more, so that its connection is freed. Never throws. */
  giveUp(): void
}

/** Sends a request and answers as soon as the headers are there. */
export type Send = (url: string, request: WireRequest) => Promise<WireResponse>

/** The sender that the settings ask for. */
export const sender = ({ dispatcher, fetch }: Pick<Settings, "fetch" | "dispatcher">): Send =>
  fetch === undefined ? undiciSender(dispatcher) : fetchSender(fetch)

const fetchSender =
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

const undiciSender = (dispatcher: Settings["dispatcher"]): Send => {
  let loading: Promise<typeof Undici> | undefined
  return async (url, { body, headers, method, signal }) => {
    const undici = await (loading ??= import("undici"))
    const response = await undici.request(url, {
      method,
      headers,
      signal,
      // Of its own accord undici gives up after 300 seconds; every attempt has a limit already.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Its types know streams of Node alone; it takes whatever is iterated.
      body: (body as string | undefined) ?? null,
      ...(dispatcher !== undefined && { dispatcher }),
    })
    return {
      status: response.statusCode,
      header: (name) => {
        const value = response.headers[name] // own keys: names of ours.
        return Array.isArray(value) ? value[0] : value
      },
      body: response.body,
      text: () => response.body.text(),
      giveUp: () => void response.body.on("error", () => {}).destroy(),
    }
  }
}
