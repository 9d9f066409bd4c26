// Who carries a request: undici, loaded on the first call so that importing the SDK stays cheap, or
// a function of the caller's, which gets a standard Request. Redirects are never followed by either:
// a key must not travel to an address nobody chose.

import type { Settings } from "../options.ts"

/** One HTTP request, ready to go. */
interface WireRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | undefined
  readonly signal: AbortSignal
}

/** The part of a Response that is read. */
export interface WireResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
}

/** Sends a request and answers as soon as the headers are there. */
export type Send = (url: string, request: WireRequest) => Promise<WireResponse>

/** The sender that the settings ask for. */
export function sender(settings: Pick<Settings, "fetch" | "dispatcher">): Send {
  const { fetch, dispatcher } = settings
  if (fetch !== undefined) {
    return (url, { method, headers, body, signal }) =>
      fetch(
        new Request(url, {
          method,
          headers,
          body: body ?? null,
          signal,
          redirect: "manual",
          duplex: "half",
        }),
      )
  }
  return async (url, { method, headers, body, signal }) => {
    const undici = await import("undici")
    // Of its own accord undici gives up after 300 seconds; every attempt has a limit already.
    const unlimited = (dispatcher ?? undici.getGlobalDispatcher()).compose(
      (dispatch) => (options, handler) =>
        dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
    )
    return undici.fetch(url, {
      method,
      headers,
      body: body ?? null,
      signal,
      redirect: "manual",
      duplex: "half",
      dispatcher: unlimited,
    })
  }
}
