// What a client can be told, and what holds when it is not told. An option comes before the
// environment, the environment before the default (spec 1.1). An empty variable is absent.

import type { Dispatcher } from "undici"
import { Credentials, type AccessToken } from "./core/credentials.ts"
import { checkBound, type Bound } from "./core/bound.ts"
import type { Hooks } from "./core/hooks.ts"
import { ConfigurationError } from "./errors/configuration-error.ts"

/** Options of `new Footfall(...)`; each one may be left out. */
export interface FootfallOptions {
  /** Key of the organization, `sk_` and 43 characters. Default: FOOTFALL_API_KEY. Backends only. */
  readonly apiKey?: string | undefined
  /**
   * Access token of a member, a JWT, or a function that gives one: it is asked before every attempt,
   * so it can renew a token in time. Default: FOOTFALL_ACCESS_TOKEN.
   */
  readonly accessToken?: AccessToken | undefined
  /**
   * Address of the server, a path prefix included. Default: FOOTFALL_BASE_URL, else
   * `http://127.0.0.1:4100`. Credentials, query or fragment in it are refused.
   */
  readonly baseUrl?: string | undefined
  /** Milliseconds for one attempt, headers and body together. 1 to 300,000, default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first one, for what is safe to repeat. 0 to 10, default 2. */
  readonly retriesMax?: number | undefined
  /**
   * Longest `Retry-After` the client waits for; a longer one is thrown at once.
   * Seconds, 0 to 3,600, default 60.
   */
  readonly retryAfterMaxSeconds?: number | undefined
  /**
   * Sends requests in place of undici, for example the `fetch` of an embedded server.
   * It gets one Request and answers one Response.
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** undici dispatcher to send through: a proxy, a pool, a mock. Not together with `fetch`. */
  readonly dispatcher?: Dispatcher | undefined
  /** Heard with every call: requests, answers and waits. */
  readonly hooks?: Hooks | undefined
}

/** Every setting of a client, checked and complete. */
export interface Settings {
  readonly credentials: Credentials
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly retriesMax: number
  readonly retryAfterMaxSeconds: number
  readonly fetch: ((request: Request) => Promise<Response>) | undefined
  readonly dispatcher: Dispatcher | undefined
  readonly hooks: Hooks | undefined
}

/** Bounds of the options that are numbers. */
export const bounds = {
  timeoutMs: { min: 1, max: 300_000 },
  retriesMax: { min: 0, max: 10 },
  retryAfterMaxSeconds: { min: 0, max: 3_600 },
} satisfies Record<string, Bound>

const baseUrlDefault = "http://127.0.0.1:4100"

/** Errors: ConfigurationError naming the option, what was expected, and never a credential. */
export function resolveOptions(
  options: FootfallOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  if (options.fetch !== undefined && options.dispatcher !== undefined) {
    throw new ConfigurationError("fetch and dispatcher exclude each other")
  }
  return {
    credentials: new Credentials({
      apiKey: options.apiKey ?? (environment["FOOTFALL_API_KEY"] || undefined),
      accessToken: options.accessToken ?? (environment["FOOTFALL_ACCESS_TOKEN"] || undefined),
    }),
    baseUrl: checkBaseUrl(options.baseUrl ?? (environment["FOOTFALL_BASE_URL"] || baseUrlDefault)),
    timeoutMs: checkBound("timeoutMs", options.timeoutMs ?? 30_000, bounds.timeoutMs),
    retriesMax: checkBound("retriesMax", options.retriesMax ?? 2, bounds.retriesMax),
    retryAfterMaxSeconds: checkBound(
      "retryAfterMaxSeconds",
      options.retryAfterMaxSeconds ?? 60,
      bounds.retryAfterMaxSeconds,
    ),
    fetch: options.fetch,
    dispatcher: options.dispatcher,
    hooks: options.hooks,
  }
}

/** The address without trailing slashes, so that a path can be appended. */
function checkBaseUrl(given: string): string {
  const url = URL.parse(given)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ConfigurationError(
      "baseUrl (FOOTFALL_BASE_URL) must be an absolute http: or https: address",
    )
  }
  // Not repeated in the message: what stands there may be a password.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(
      "baseUrl (FOOTFALL_BASE_URL) must not hold a user name, password, query or fragment",
    )
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "")
}
