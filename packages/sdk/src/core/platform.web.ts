// What the SDK asks of its runtime, as browsers and edge runtimes have it: their own `fetch`, and nothing that a
// bundler would have to find. The build puts it in place of platform.ts.

import { ConfigurationError } from "../errors/footfall-error.ts"
import type { Settings } from "../options.ts"
import { isBrowser } from "./is-browser.ts"
import type * as node from "./platform.ts"
import { fetchSender } from "./send.ts"

/** Errors: ConfigurationError for a dispatcher, which only Node can send through. */
export const runtimeSender: typeof node.runtimeSender = ({
  dispatcher,
}: Pick<Settings, "dispatcher">) => {
  if (dispatcher !== undefined) {
    throw new ConfigurationError("dispatcher works in Node only: use fetch to send requests")
  }
  const send = fetchSender((request) => fetch(request))
  return async (url, request) => {
    const { body } = request
    const isWhole = !(body instanceof ReadableStream) || !mustGather()
    return send(url, { ...request, body: isWhole ? body : await new Response(body).blob() })
  }
}

/**
 * Browsers, and workers in them, can't send a body while it is read. Cloudflare Workers can: they have the class of a
 * worker's globals too, but no location.
 */
const mustGather = (): boolean =>
  isBrowser() || ("WorkerGlobalScope" in globalThis && "location" in globalThis)

/** Spans are for servers. */
export const loadOpenTelemetry: typeof node.loadOpenTelemetry = () =>
  Promise.reject(new Error("OpenTelemetry is used in Node only"))
