// The client's options and their defaults. An option overrides the environment, and the environment overrides the
// default. An empty variable is ignored. spec 1.1

import type { Dispatcher } from "undici"
import { Credentials, type AccessToken } from "./core/credentials.ts"
import { checkBound, type Bound } from "./core/bound.ts"
import type { Hooks } from "./core/request-options.ts"
import { consoleLog, Log, logLevels, type LogLevel, type WriteLog } from "./core/log.ts"
import { ConfigurationError } from "./errors/footfall-error.ts"

/** Options of `new Footfall(...)`, all optional. */
export interface FootfallOptions {
  /** API key: `sk_` and 43 characters. Use it on servers only. Default: FOOTFALL_API_KEY. */
  readonly apiKey?: string | undefined
  /**
   * A member's access token (a JWT), or a function that returns one. The client calls the function before every
   * attempt, so it can renew the token in time. Default: FOOTFALL_ACCESS_TOKEN.
   */
  readonly accessToken?: AccessToken | undefined
  /**
   * The server's URL, including any path prefix. Default: FOOTFALL_BASE_URL, else `http://127.0.0.1:4100`. It must
   * not include credentials, a query or a fragment.
   */
  readonly baseUrl?: string | undefined
  /** Time limit for one attempt, from headers to the end of the body. Milliseconds, 1 to 300,000, default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Retries after the first attempt, for calls that are safe to repeat. 0 to 10, default 2. */
  readonly maxRetries?: number | undefined
  /**
   * Longest `Retry-After` that the client waits for. If the server asks for more, the call throws immediately. Seconds, 0
   * to 3,600, default 60.
   */
  readonly retryAfterMaxSeconds?: number | undefined
  /**
   * Maximum age of the data if the server has a read replica. Seconds, 0 to 3,600. Use 0 to read what you just wrote.
   * Default: what the server allows.
   */
  readonly maxStalenessSeconds?: number | undefined
  /**
   * Sends requests instead of undici, for example the `fetch` of an embedded server. It receives a Request and returns
   * a Response.
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * The undici dispatcher that sends requests: a pool, a mock, a proxy. Default: undici's global dispatcher, or the
   * proxy in HTTPS_PROXY or HTTP_PROXY. Cannot be combined with `fetch`.
   */
  readonly dispatcher?: Dispatcher | undefined
  /** Called on every request, response and wait. */
  readonly hooks?: Hooks | undefined
  /**
   * What the client logs. `error`: failed calls. `warn`: also waits. `info`: also every response. `debug`: also every
   * attempt. It never logs credentials, queries or bodies. Default: FOOTFALL_LOG, else `off`.
   */
  readonly logLevel?: LogLevel | undefined
  /** Receives the log entries. Default: the console, which is standard error in Node. */
  readonly log?: WriteLog | undefined
}

/** All settings of a client, validated, with defaults applied. */
export interface Settings {
  readonly credentials: Credentials
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly retryAfterMaxSeconds: number
  readonly maxStalenessSeconds: number | undefined
  readonly fetch: ((request: Request) => Promise<Response>) | undefined
  readonly dispatcher: Dispatcher | undefined
  readonly hooks: Hooks | undefined
  readonly log: Log | undefined
}

/** Bounds of the numeric options. */
export const bounds = {
  timeoutMs: { min: 1, max: 300_000 },
  maxRetries: { min: 0, max: 10 },
  retryAfterMaxSeconds: { min: 0, max: 3_600 },
  maxStalenessSeconds: { min: 0, max: 3_600 },
} satisfies Record<string, Bound>

const baseUrlDefault = "http://127.0.0.1:4100"

/** Errors: ConfigurationError with the option and what was expected, never with a credential. */
export function resolveOptions(
  options: FootfallOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  refuseOldNames(options)
  if (options.fetch !== undefined && options.dispatcher !== undefined) {
    throw new ConfigurationError("fetch and dispatcher cannot be used together: set one of them")
  }
  return {
    credentials: new Credentials({
      apiKey: options.apiKey ?? (environment["FOOTFALL_API_KEY"] || undefined),
      accessToken: options.accessToken ?? (environment["FOOTFALL_ACCESS_TOKEN"] || undefined),
    }),
    baseUrl: checkBaseUrl(options.baseUrl ?? (environment["FOOTFALL_BASE_URL"] || baseUrlDefault)),
    timeoutMs: checkBound("timeoutMs", options.timeoutMs ?? 30_000, bounds.timeoutMs),
    maxRetries: checkBound("maxRetries", options.maxRetries ?? 2, bounds.maxRetries),
    retryAfterMaxSeconds: checkBound(
      "retryAfterMaxSeconds",
      options.retryAfterMaxSeconds ?? 60,
      bounds.retryAfterMaxSeconds,
    ),
    maxStalenessSeconds: stalenessOf(options),
    fetch: options.fetch,
    dispatcher: options.dispatcher,
    hooks: options.hooks,
    log: logOf(options, environment["FOOTFALL_LOG"] || "off"),
  }
}

/** Errors: ConfigurationError if the value is out of bounds. */
export function stalenessOf({ maxStalenessSeconds }: { maxStalenessSeconds?: number | undefined }) {
  return maxStalenessSeconds === undefined
    ? undefined
    : checkBound("maxStalenessSeconds", maxStalenessSeconds, bounds.maxStalenessSeconds)
}

/** Errors: ConfigurationError for an option that has been renamed. */
export function refuseOldNames(options: object): void {
  if (!Object.hasOwn(options, "retriesMax")) return
  throw new ConfigurationError("retriesMax was renamed to maxRetries: rename the option")
}

function logOf({ log, logLevel }: FootfallOptions, byEnvironment: string): Log | undefined {
  const given: string = logLevel ?? byEnvironment
  const level = logLevels.find((each) => each === given)
  if (level === undefined) {
    throw new ConfigurationError(
      `logLevel (FOOTFALL_LOG) must be ${logLevels.join(", ")}; received ${JSON.stringify(given)}`,
    )
  }
  return level === "off" ? undefined : new Log(level, log ?? consoleLog)
}

/** Removes trailing slashes, so that a path can be appended. */
function checkBaseUrl(given: string): string {
  const url = URL.parse(given)
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ConfigurationError(
      "baseUrl (FOOTFALL_BASE_URL) must be an absolute http: or https: URL",
    )
  }
  // The message does not include the value, which may hold a password.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(
      "baseUrl (FOOTFALL_BASE_URL) must not contain a user name, password, query or fragment",
    )
  }
  const baseUrl = `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "")
  if (baseUrl.endsWith("/v1")) {
    throw new ConfigurationError(
      "baseUrl (FOOTFALL_BASE_URL) must not end in /v1, which the client adds: remove it",
    )
  }
  return baseUrl
}
