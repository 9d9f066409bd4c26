// Runtime services for Node and Bun: undici, loaded on the first call to keep importing the SDK cheap, and
// OpenTelemetry, if the application has installed it. The build for browsers and edge runtimes uses platform.web.ts
// instead.

import type * as Undici from "undici"
import type { Settings } from "../options.ts"
import type { Send } from "./send.ts"

/** The default sender of a client, if no `fetch` option is set. */
export const runtimeSender = ({ dispatcher }: Pick<Settings, "dispatcher">): Send => {
  let loading: Promise<typeof Undici> | undefined
  return async (url, { body, headers, method, signal }) => {
    const undici = await (loading ??= import("undici"))
    const response = await undici.request(url, {
      method,
      headers,
      signal,
      // undici would give up after 300 seconds by default. Every attempt already has a time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      // undici's types accept Node streams only, but it accepts any iterable.
      body: (body as string | undefined) ?? null,
      ...(dispatcher !== undefined && { dispatcher }),
    })
    const { headers: received } = response
    return {
      status: response.statusCode,
      headers: () => headersOf(received),
      header: (name) => {
        const value = received[name] // own keys: we only look up our own header names.
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

/** Rejects if the package is not installed. */
export const loadOpenTelemetry = () => import("@opentelemetry/api")
