// All communication with the server: sends a call over HTTP, retries it if that is safe, and turns the result into data
// or an SDK error. Every attempt, wait and body has a limit.

import { ConnectionError, FootfallError } from "../errors/footfall-error.ts"
import { bounds, refuseOldNames, type Settings, stalenessOf } from "../options.ts"
import { version } from "../version.ts"
import { readResponse, type ApiResponse, type RawResponse } from "./response.ts"
import { ApiCall, type CallResult } from "./api-call.ts"
import { type ApiRequest, type RequestInput, prepareRequest } from "./api-request.ts"
import { atCursor, PagedList, type PageMeta, type Position } from "./paged-list.ts"
import { aborted, attempt } from "./attempt.ts"
import { checkBound } from "./bound.ts"
import { ByteStream } from "./byte-stream.ts"
import { causes, permanentCause } from "./causes.ts"
import { systemClock, type Clock } from "./clock.ts"
import { type CredentialHeader, isBrowser } from "./credentials.ts"
import type { Attempt, CreateOptions, Hooks } from "./request-options.ts"
import { Origin } from "./origin.ts"
import { Pacing, routeOf } from "./pacing.ts"
import type { Path } from "./path.ts"
import { runtimeSender } from "./platform.ts"
import { redact } from "./log.ts"
import { retryDelayMs } from "./retry.ts"
import { fetchSender, type Send } from "./send.ts"
import { traced } from "./tracing.ts"
import { UploadSourceFailure } from "./upload.ts"

/** A call without its method and path. */
type Call = Omit<ApiRequest, "method" | "path">

interface ListCall extends Call {
  readonly method?: "GET" | "POST"
  readonly rows?: string
}

/** Makes one attempt and returns its result. */
type Run<Data> = (
  request: ApiRequest,
  attempt: Attempt,
  settings: CallSettings,
) => Promise<CallResult<Data>>

/** The settings of one call. */
interface CallSettings {
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly settingHeaders: Readonly<Record<string, string>>
}

/** Adds a signal to all calls of a transport. The signal can change between calls. */
export interface Scope {
  signal?: AbortSignal | undefined
}

/** What all transports of one client share. */
interface Shared {
  readonly send: Send
  readonly pacing: Pacing
  readonly scope: Scope
}

const fresh = (settings: Settings): Shared => ({
  send: settings.fetch === undefined ? runtimeSender(settings) : fetchSender(settings.fetch),
  pacing: new Pacing(),
  scope: {},
})

/** Sends the calls of one client. */
export class Transport {
  readonly #settings: Settings
  readonly #send: Send
  readonly #clock: Clock
  readonly #pacing: Pacing
  readonly #scope: Scope
  readonly #host: string

  constructor(settings: Settings, clock: Clock = systemClock, shared: Shared = fresh(settings)) {
    this.#settings = settings
    this.#clock = clock
    this.#send = shared.send
    this.#pacing = shared.pacing
    this.#scope = shared.scope
    this.#host = new URL(settings.baseUrl).hostname
  }

  /** The same transport, with calls and waits that also end when the scope's signal aborts. */
  within(scope: Scope): Transport {
    const shared = { send: this.#send, pacing: this.#pacing, scope }
    return new Transport(this.#settings, this.#clock, shared)
  }

  /** Combines the signals of the call and the scope. */
  #combineSignals(signal: AbortSignal | undefined): AbortSignal | undefined {
    const outer = this.#scope.signal
    if (signal === undefined || outer === undefined) return signal ?? outer
    return AbortSignal.any([signal, outer])
  }

  /**
   * Sends a request and retries it, at most 1 + `maxRetries` attempts in total. Errors: ApiError and its classes,
   * ConnectionError, TimeoutError, AbortedError, ConfigurationError.
   */
  request<Data, Meta>(input: RequestInput): ApiCall<ApiResponse<Data, Meta>> {
    return this.#call(input, async (request, attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings)
      return { data: readResponse<Data, Meta>(raw, secrets), head: raw.head }
    })
  }

  /**
   * Like `request`, for a response of bytes. It resolves when the body starts to arrive; nothing is retried after that.
   * Errors: same as `request`. The stream throws errors that occur while it is read.
   */
  stream(input: RequestInput): ApiCall<ByteStream> {
    return this.#call(input, async (request, attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings, true)
      const { head, header, unread: body } = raw
      // Not a success: read the body and throw its error.
      if (body === null) return readResponse<never, never>(raw, secrets).data
      const { signal } = request.options
      const { timeoutMs } = settings
      const endpoint = endpointOf(request)
      const locate = (error: FootfallError) => located(error, request)
      return { data: new ByteStream({ body, header, endpoint, locate, timeoutMs, signal }), head }
    })
  }

  #call<Data>(input: RequestInput, run: Run<Data>): ApiCall<Data> {
    return new ApiCall(this.#execute(input, run, new Origin(this.#call)))
  }

  async #execute<Data>(
    input: RequestInput,
    run: Run<Data>,
    origin: Origin,
  ): Promise<CallResult<Data>> {
    const prepared = prepareRequest(input)
    const signal = this.#combineSignals(prepared.options.signal)
    const options = { ...prepared.options, signal }
    const request = { ...prepared, options }
    try {
      return await this.#prepared(request, run)
    } catch (error) {
      throw origin.mark(located(error, request))
    }
  }

  async #prepared<Data>(request: ApiRequest, run: Run<Data>): Promise<CallResult<Data>> {
    const { options } = request
    refuseOldNames(options)
    const timeoutMs = checkBound(
      "timeoutMs",
      options.timeoutMs ?? this.#settings.timeoutMs,
      bounds.timeoutMs,
    )
    const maxRetries = checkBound(
      "maxRetries",
      options.maxRetries ?? this.#settings.maxRetries,
      bounds.maxRetries,
    )
    const maxStaleness = stalenessOf(options) ?? this.#settings.maxStalenessSeconds
    return traced(request, this.#host, (traceHeaders) => {
      const settingHeaders =
        maxStaleness === undefined
          ? traceHeaders
          : { ...traceHeaders, "footfall-max-staleness": String(maxStaleness) }
      return this.#withRetries(request, { timeoutMs, maxRetries, settingHeaders }, run)
    })
  }

  async #withRetries<Data>(
    request: ApiRequest,
    settings: CallSettings,
    run: Run<Data>,
  ): Promise<CallResult<Data>> {
    const { maxRetries } = settings
    const { method, path } = request
    const route = routeOf(request)
    // With retries off, the caller handles the waits as well.
    if (maxRetries > 0) {
      const waiting = this.#waitForPlace(request, { method, path, route, attempt: 1 })
      if (waiting !== undefined) await waiting
    }
    for (let retriesDone = 0; ; retriesDone += 1) {
      const attempt = { method, path, route, attempt: retriesDone + 1 }
      try {
        return await run(request, attempt, settings)
      } catch (error) {
        const delayMs = retryDelayMs({
          request,
          error,
          retriesDone,
          maxRetries,
          retryAfterMaxSeconds: this.#settings.retryAfterMaxSeconds,
          random: this.#clock.random(),
        })
        if (delayMs === null) {
          this.#settings.log?.failure(attempt, error)
          throw error
        }
        this.#settings.log?.wait({ ...attempt, delayMs, error })
        this.#callHook("onWait", request, { ...attempt, delayMs, error })
        await this.#wait(delayMs, request)
      }
    }
  }

  /**
   * Returns only the `data` of the response, for calls whose `meta` has nothing specific. Errors: same as `request`.
   */
  requestData<Data>(input: RequestInput): ApiCall<Data> {
    return this.#call(input, async (request, attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings)
      return { data: readResponse<Data, unknown>(raw, secrets).data, head: raw.head }
    })
  }

  get<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "GET", path })
  }

  post<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "POST", path })
  }

  /** A POST that creates an object. The idempotency key makes sure that retries create it only once. */
  create<Data>(
    path: Path,
    call: Omit<Call, "options"> & { readonly options: CreateOptions },
  ): ApiCall<Data> {
    const { idempotencyKey = crypto.randomUUID() } = call.options
    return this.post(path, { ...call, idempotencyKey })
  }

  put<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "PUT", path })
  }

  patch<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "PATCH", path })
  }

  delete<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "DELETE", path })
  }

  /** `rows`: the member of `data` with the rows, if `data` has more. The others become part of `meta`. */
  list<Item, Meta extends PageMeta>(
    path: Path,
    params: Position,
    { method = "GET", rows, ...call }: ListCall,
  ): PagedList<Item, Meta> {
    const request = <Data, PartOfMeta>(cursor: string | undefined) => {
      const sent = { ...atCursor(params, cursor) }
      const input = method === "GET" ? { query: sent } : { body: sent }
      return this.request<Data, PartOfMeta>({ ...call, ...input, method, path })
    }
    if (rows === undefined) return new PagedList((cursor) => request(cursor))
    return new PagedList((cursor) =>
      request<Readonly<Record<string, ReadonlyArray<Item>>>, Meta>(cursor).map(({ data, meta }) => {
        // own keys: `rows` is a constant of the resource, never a name from outside.
        const { [rows]: items = [], ...others } = data
        return { data: items, meta: { ...others, ...meta } }
      }),
    )
  }

  /** Undefined if there is no need to wait. */
  #waitForPlace(request: ApiRequest, attempt: Attempt): Promise<void> | undefined {
    const waitMaxMs = this.#settings.retryAfterMaxSeconds * 1000
    const delayMs = this.#pacing.reserve(attempt.route, this.#clock.nowMs(), waitMaxMs)
    if (delayMs === 0) return undefined
    this.#settings.log?.wait({ ...attempt, delayMs, error: null })
    this.#callHook("onWait", request, { ...attempt, delayMs, error: null })
    return this.#wait(delayMs, request)
  }

  async #attempt(
    request: ApiRequest,
    attempted: Attempt,
    { timeoutMs, settingHeaders }: CallSettings,
    isStreamed = false,
  ): Promise<{ readonly raw: RawResponse; readonly secrets: ReadonlyArray<string> }> {
    const { credentials, log } = this.#settings
    const secrets = [...credentials.secrets, ...(request.secrets ?? []).filter(isGiven)]
    const url = this.#url(request)
    const json = request.body === undefined ? undefined : JSON.stringify(request.body)
    log?.request(attempted)
    const ownHeaders = lowerCase(this.#callHook("onRequest", request, attempted))
    const headersWith = (credential: CredentialHeader | undefined) => {
      if (credential !== undefined) secrets.push(credential.secret)
      return headersOf({ ...ownHeaders, ...settingHeaders }, request, credential)
    }
    const startedMs = performance.now()
    let raw: RawResponse
    try {
      raw = await attempt({
        send: this.#send,
        endpoint: endpointOf(request),
        url,
        method: request.method,
        headers: () => {
          const credential = credentials.header(request.credentials)
          return credential instanceof Promise
            ? credential.then(headersWith)
            : headersWith(credential)
        },
        body: request.upload ?? json,
        isStreamed,
        timeoutMs,
        signal: request.options.signal,
        nowMs: this.#clock.nowMs,
      })
    } catch (error) {
      throw this.#failure(request, error, secrets)
    }
    this.#pace(attempted.route, raw)
    if (raw.rateLimit !== null) request.onRateLimit?.(raw.rateLimit)
    if (log !== undefined || this.#hasHooks(request)) {
      const answer = { ...attempted, ...raw, durationMs: performance.now() - startedMs }
      log?.response(answer, secrets)
      this.#callHook("onResponse", request, answer)
    }
    return { raw, secrets }
  }

  #failure(request: ApiRequest, error: unknown, secrets: ReadonlyArray<string>): unknown {
    if (error instanceof FootfallError) return error
    if (error instanceof UploadSourceFailure) return error.cause
    const reason = redact(causes(error), secrets)
    const advice = permanentCause(error)
    return new ConnectionError(
      `${endpointOf(request)} at ${this.#settings.baseUrl} failed: ${reason}${advice === undefined ? "" : `. ${advice}`}`,
      { isPermanent: advice !== undefined },
    )
  }

  #pace(route: string, { rateLimit, retryAfterSeconds, status }: RawResponse): void {
    const nowMs = this.#clock.nowMs()
    if (rateLimit !== null) this.#pacing.recordState(route, rateLimit, nowMs)
    if (status === 429) this.#pacing.recordRejection(route, retryAfterSeconds ?? 0, nowMs)
  }

  #hasHooks({ options }: ApiRequest): boolean {
    return this.#settings.hooks !== undefined || options.hooks !== undefined
  }

  /** Calls the client's hook, then the call's hook. */
  #callHook<Name extends keyof Hooks>(
    name: Name,
    request: ApiRequest,
    event: Parameters<NonNullable<Hooks[Name]>>[0],
  ): Readonly<Record<string, string>> {
    if (!this.#hasHooks(request)) return none
    let headers = {}
    for (const hooks of [this.#settings.hooks, request.options.hooks]) {
      const hook = hooks?.[name] as ((input: typeof event) => object | void) | undefined
      headers = { ...headers, ...hook?.(event) }
    }
    return headers
  }

  #url({ path, query = none, search }: ApiRequest): URL {
    // The path starts with "/" (see api-request.ts), so it cannot change the host.
    const url = new URL(
      `${this.#settings.baseUrl}${path}${search === undefined ? "" : `?${search}`}`,
    )
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
    return url
  }

  #wait(delayMs: number, request: ApiRequest): Promise<void> {
    return this.sleep(delayMs, endpointOf(request), request.options.signal)
  }

  /** The current time of the clock that waits use. Units: milliseconds. */
  nowMs(): number {
    return this.#clock.nowMs()
  }

  /** Waits. `what`: how the error names what it waits for. Errors: AbortedError. */
  async sleep(delayMs: number, what: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#clock.wait(delayMs, this.#combineSignals(signal))
    } catch {
      throw aborted(what, signal)
    }
  }
}

const userAgent = `footfall-sdk/${version}`

/** Adds the SDK's own headers to others, which they replace. */
function headersOf(
  headers: Record<string, string>,
  { accept = "application/json", body, idempotencyKey, upload }: ApiRequest,
  credential: CredentialHeader | undefined,
): Readonly<Record<string, string>> {
  const contentType = upload?.contentType ?? (body === undefined ? undefined : "application/json")
  headers["accept"] = accept
  // A browser sends its own user agent.
  if (!isBrowser()) headers["user-agent"] = userAgent
  if (credential !== undefined) headers[credential.name] = credential.value
  if (contentType !== undefined) headers["content-type"] = contentType
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey
  return headers
}

const isGiven = (secret: string | null | undefined): secret is string =>
  secret !== undefined && secret !== null

/** No headers from hooks. */
const none: Readonly<Record<string, string>> = {}

/** Converts names to lower case, so that duplicates replace each other. */
const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  headers === none
    ? none
    : Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )

/** The error, with the method and route of its call. The route has no ids. */
function located(error: unknown, request: ApiRequest): unknown {
  const { method } = request
  const isLocated = !(error instanceof FootfallError) || error.method !== undefined
  return isLocated
    ? error
    : Object.assign(error, { method, route: routeOf(request).slice(method.length + 1) })
}

/** Method and path. Never the query, which may contain an email address. */
function endpointOf(request: ApiRequest): string {
  return `${request.method} ${request.path}`
}
