// Runtime services for browsers and edge runtimes: the built-in `fetch`, and no import that a bundler would have to
// resolve. The build replaces platform.ts with this file.

import { isBrowser } from "./credentials.ts"
import type * as node from "./platform.ts"
import { ownFetchSender } from "./send.ts"

/** Errors: ConfigurationError for a dispatcher. */
export const runtimeSender: typeof node.runtimeSender = (settings) => {
  const send = ownFetchSender(settings)
  return async (url, request) => {
    const { body } = request
    const isWhole = !(body instanceof ReadableStream) || !mustBuffer()
    return send(url, { ...request, body: isWhole ? body : await new Response(body).blob() })
  }
}

/**
 * Browsers and their workers can't stream a request body. Cloudflare Workers can. They define `WorkerGlobalScope` too,
 * but have no `location`.
 */
const mustBuffer = (): boolean =>
  isBrowser() || ("WorkerGlobalScope" in globalThis && "location" in globalThis)

/** The SDK creates spans in Node only. */
export const openTelemetry: typeof node.openTelemetry = () => undefined
