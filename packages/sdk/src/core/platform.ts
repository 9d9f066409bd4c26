// Runtime services for Node and Bun: undici, loaded on the first call to keep importing the SDK cheap, or the runtime's
// own `fetch` where undici doesn't work, and OpenTelemetry, if the application has set it up. The build for browsers and
// edge runtimes uses platform.web.ts instead.

import type * as Undici from "undici"
import { ConfigurationError } from "../errors/footfall-error.ts"
import type { Settings } from "../options.ts"
import { ownFetchSender, type Send } from "./send.ts"
import { responseOf, BufferedResponse } from "./buffered-response.ts"

/** The default sender of a client, if no `fetch` option is set. Errors: ConfigurationError for a dispatcher in Bun. */
export const runtimeSender = (settings: Pick<Settings, "dispatcher">): Send => {
  // Bun's undici has no dispatchers.
  if ("Bun" in globalThis || !hasUndici(process.versions.node)) return ownFetchSender(settings)
  let loading: Promise<typeof Undici> | undefined
  let proxy: Undici.Dispatcher | undefined
  return async (url, { body, ending, headers, isStreamed, method }) => {
    const undici = await (loading ??= import("undici"))
    ending.throwIfEnded()
    let dispatcher = settings.dispatcher ?? undici.getGlobalDispatcher()
    // Node's own undici has another class of that name. Any other dispatcher that the application has set knows what it does.
    const isPlain = settings.dispatcher === undefined && dispatcher.constructor.name === "Agent"
    if (isPlain && isProxied(url, process.env)) {
      dispatcher = proxy ??= new undici.EnvHttpProxyAgent(proxiesOf(process.env))
    }
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

/**
 * What `@opentelemetry/api` registered in this process, under the name that all its versions 1 share. An import of the
 * package would fail in every bundle of an application without it.
 */
export const openTelemetry = (): unknown =>
  (globalThis as Readonly<Record<symbol, unknown>>)[Symbol.for("opentelemetry.js.api.1")]

/**
 * Whether this version of Node runs undici 8. Older ones have a `fetch` of their own. Errors: ConfigurationError for a
 * Node without what the SDK needs.
 */
export const hasUndici = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > 20 || (major === 20 && minor >= 18))
    return major > 22 || (major === 22 && minor >= 19)
  throw new ConfigurationError(
    `@footfall/sdk needs Node 20.18 or newer; this is Node ${version}. Node 22.19 or newer is recommended`,
  )
}

type Environment = Readonly<Record<string, string | undefined>>

/** The proxies for undici, which refuses one without `http://`. curl and most other tools accept it. */
const proxiesOf = (environment: Environment): Undici.EnvHttpProxyAgent.Options => {
  const named = (name: string) => environment[name] ?? environment[name.toUpperCase()] // own keys: two names
  const [httpProxy, httpsProxy] = ["http_proxy", "https_proxy"].map((name) => {
    const text = named(name)
    return text && !text.includes("://") ? `http://${text}` : text
  })
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }) }
}

/**
 * Whether a variable names a proxy for the URL. undici reads the variables itself, and `NO_PROXY` too. This computer is
 * always reached directly, because no proxy can reach it.
 */
export const isProxied = ({ hostname, protocol }: URL, environment: Environment): boolean => {
  const isHere = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const names = protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"]
  // own keys: the names above.
  return !isHere && names.some((name) => environment[name] || environment[name.toUpperCase()])
}
