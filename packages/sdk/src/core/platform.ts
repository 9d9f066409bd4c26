// Runtime services for Node and Bun: undici, loaded on the first call to keep importing the SDK cheap, or Bun's own
// `fetch`, and OpenTelemetry, if the application has installed it. The build for browsers and edge runtimes uses
// platform.web.ts instead.

import type * as Undici from "undici"
import type { Settings } from "../options.ts"
import { ownFetchSender, type Send } from "./send.ts"
import { responseOf, BufferedResponse } from "./buffered-response.ts"

/** The default sender of a client, if no `fetch` option is set. Errors: ConfigurationError for a dispatcher in Bun. */
export const runtimeSender = (settings: Pick<Settings, "dispatcher">): Send => {
  // Bun's undici has no dispatchers.
  if ("Bun" in globalThis) return ownFetchSender(settings)
  let loading: Promise<typeof Undici> | undefined
  return async (url, { body, ending, headers, isStreamed, method }) => {
    const undici = await (loading ??= import("undici"))
    ending.throwIfEnded()
    const dispatcher = settings.dispatcher ?? undici.getGlobalDispatcher()
    const options = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      // undici would give up after 300 seconds by default. Every attempt already has a time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      // undici's types accept Node streams only, but it accepts any iterable.
      body: (body as string | undefined) ?? null,
    }
    if (!isStreamed) {
      return new Promise((resolve, reject) => {
        dispatcher.dispatch(options, new BufferedResponse(ending, resolve, reject))
      })
    }
    const { origin, ...request } = options
    const response = await undici.request(origin, {
      ...request,
      dispatcher,
      signal: ending.signal(),
    })
    return responseOf(response.statusCode, response.headers, {
      [Symbol.asyncIterator]: () => response.body[Symbol.asyncIterator](),
      giveUp: () => void response.body.on("error", () => {}).destroy(),
    })
  }
}

/** Rejects if the package is not installed. */
export const loadOpenTelemetry = () => import("@opentelemetry/api")
