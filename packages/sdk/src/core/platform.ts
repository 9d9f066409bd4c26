// What the SDK asks of its runtime, as Node and Bun have it: undici, loaded on the first call so that importing
// the SDK stays cheap, and OpenTelemetry, where the application installed it. The build for browsers and edge
// runtimes has platform.web.ts in its place.

import type * as Undici from "undici"
import type { Settings } from "../options.ts"
import type { Send } from "./send.ts"

/** The sender of a client whose options name none. */
export const runtimeSender = ({ dispatcher }: Pick<Settings, "dispatcher">): Send => {
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
    const { headers: received } = response
    return {
      status: response.statusCode,
      headers: () => headersOf(received),
      header: (name) => {
        const value = received[name] // own keys: names of ours.
        return Array.isArray(value) ? value[0] : value
      },
      body: response.body,
      text: () => response.body.text(),
      giveUp: () => void response.body.on("error", () => {}).destroy(),
    }
  }
}

const headersOf = (
  received: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>,
): Headers => {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return headers
}

/** Rejects where the package is not installed. */
export const loadOpenTelemetry = () => import("@opentelemetry/api")
