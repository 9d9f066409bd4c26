// The one way to the server: puts a call into HTTP, repeats it where that is safe, and turns what
// comes back into an answer or an error of the SDK. Every attempt, wait and body is bounded.

import { ConnectionError, FootfallError } from "../errors/footfall-error.ts"
import { bounds, refuseOldNames, type Settings, stalenessOf } from "../options.ts"
import { version } from "../version.ts"
import { readAnswer, type Answer, type RawAnswer } from "./answer.ts"
import { ApiCall, type Answered } from "./api-call.ts"
import { type ApiRequest, type Asked, prepared } from "./api-request.ts"
import { atCursor, PagedList, type Position } from "./paged-list.ts"
import { aborted, attempt } from "./attempt.ts"
import { checkBound } from "./bound.ts"
import { ByteStream } from "./byte-stream.ts"
import { systemClock, type Clock } from "./clock.ts"
import type { CredentialHeader } from "./credentials.ts"
import type { Attempt, Hooks } from "./hooks.ts"
import { isBrowser } from "./is-browser.ts"
import type { PageMeta } from "./page.ts"
import { Pacing, routeOf } from "./pacing.ts"
import type { Path } from "./path.ts"
import { runtimeSender } from "./platform.ts"
import { redact } from "./redact.ts"
import type { CreateOptions } from "./request-options.ts"
import { retryDelayMs } from "./retry.ts"
import { fetchSender, type Send } from "./send.ts"
import { traced } from "./tracing.ts"
import { UploadSourceFailure } from "./upload.ts"

/** A call without its method and path. */
type Call = Omit<ApiRequest, "method" | "path">

/** One attempt and its result. */
type Run<Data> = (
  request: ApiRequest,
  attempt: Attempt,
  settings: CallSettings,
) => Promise<Answered<Data>>

/** What holds for one call. */
interface CallSettings {
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly settingHeaders: Readonly<Record<string, string>>
}

/** Who calls: a signal that may be another one for each call. */
export interface Scope {
  signal?: AbortSignal | undefined
}

/** What the transports of one client share. */
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

/** Carries the calls of one client. */
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

  /** The same transport, whose calls and waits the signal of the scope ends too. */
  within(scope: Scope): Transport {
    const shared = { send: this.#send, pacing: this.#pacing, scope }
    return new Transport(this.#settings, this.#clock, shared)
  }

  /** The signal of the call and that of the scope in one. */
  #ended(signal: AbortSignal | undefined): AbortSignal | undefined {
    const outer = this.#scope.signal
    if (signal === undefined || outer === undefined) return signal ?? outer
    return AbortSignal.any([signal, outer])
  }

  /**
   * Asks until there is an answer that is worth no further attempt, at most 1 + `maxRetries` times.
   * Errors: ApiError and its classes, ConnectionError, TimeoutError, AbortedError,
   * ConfigurationError.
   */
  request<Data, Meta>(asked: Asked): ApiCall<Answer<Data, Meta>> {
    return this.#call(asked, async (request, attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings)
      return { data: readAnswer<Data, Meta>(raw, secrets), head: raw.head }
    })
  }

  /**
   * The same for an answer that is bytes: it is there when it begins to come, and then nothing is repeated.
   * Errors: as `request`; those of reading are the stream's.
   */
  stream(asked: Asked): ApiCall<ByteStream> {
    return this.#call(asked, async (request, attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings, true)
      const { head, unread: response } = raw
      // A refusal is read, and thrown.
      if (response === null) return readAnswer<never, never>(raw, secrets).data
      const { signal } = request.options
      const { timeoutMs } = settings
      const endpoint = endpointOf(request)
      return { data: new ByteStream({ response, endpoint, timeoutMs, signal }), head }
    })
  }

  #call<Data>(asked: Asked, run: Run<Data>): ApiCall<Data> {
    return new ApiCall(this.#answered(asked, run))
  }

  async #answered<Data>(asked: Asked, run: Run<Data>): Promise<Answered<Data>> {
    const given = prepared(asked)
    const signal = this.#ended(given.options.signal)
    const options = { ...given.options, signal }
    const request = { ...given, options }
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
    const staleness: Readonly<Record<string, string>> =
      maxStaleness === undefined ? {} : { "footfall-max-staleness": String(maxStaleness) }
    return traced(request, this.#host, (traceHeaders) => {
      const settingHeaders = { ...traceHeaders, ...staleness }
      return this.#repeated(request, { timeoutMs, maxRetries, settingHeaders }, run)
    })
  }

  async #repeated<Data>(
    request: ApiRequest,
    settings: CallSettings,
    run: Run<Data>,
  ): Promise<Answered<Data>> {
    const { maxRetries } = settings
    const { method, path } = request
    const route = routeOf(request)
    const attemptOf = (retriesDone: number): Attempt => ({
      method,
      path,
      route,
      attempt: retriesDone + 1,
    })
    // Whoever repeats calls themselves waits themselves too.
    if (maxRetries > 0) await this.#waitForPlace(request, attemptOf(0))
    for (let retriesDone = 0; ; retriesDone += 1) {
      const attempt = attemptOf(retriesDone)
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

  /** The `data` of the answer, for calls whose `meta` says nothing of its own. Errors: as `request`. */
  requestData<Data>(asked: Asked): ApiCall<Data> {
    return this.#call(asked, async (request, attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings)
      return { data: readAnswer<Data, unknown>(raw, secrets).data, head: raw.head }
    })
  }

  get<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "GET", path })
  }

  post<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "POST", path })
  }

  /** A POST that creates something once, however often it is repeated. */
  create<Data>(
    path: Path,
    call: Omit<Call, "options"> & { readonly options: CreateOptions },
  ): ApiCall<Data> {
    const { idempotencyKey = crypto.randomUUID() } = call.options
    return this.post(path, { ...call, idempotencyKey })
  }

  patch<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "PATCH", path })
  }

  delete<Data>(path: Path, call: Call): ApiCall<Data> {
    return this.requestData({ ...call, method: "DELETE", path })
  }

  list<Item, Meta extends PageMeta>(
    path: Path,
    params: Position,
    call: Call,
  ): PagedList<Item, Meta> {
    return new PagedList<Item, Meta>((cursor) =>
      this.request({
        ...call,
        method: "GET",
        path,
        query: { ...atCursor(params, cursor) },
      }),
    )
  }

  async #waitForPlace(request: ApiRequest, attempt: Attempt): Promise<void> {
    const waitMaxMs = this.#settings.retryAfterMaxSeconds * 1000
    const delayMs = this.#pacing.reserve(attempt.route, this.#clock.nowMs(), waitMaxMs)
    if (delayMs === 0) return
    this.#settings.log?.wait({ ...attempt, delayMs, error: null })
    this.#callHook("onWait", request, { ...attempt, delayMs, error: null })
    await this.#wait(delayMs, request)
  }

  async #attempt(
    request: ApiRequest,
    attempted: Attempt,
    { timeoutMs, settingHeaders }: CallSettings,
    isStreamed = false,
  ): Promise<{ readonly raw: RawAnswer; readonly secrets: ReadonlyArray<string> }> {
    const secrets = [...this.#settings.credentials.secrets, ...(request.secrets ?? [])]
    const url = this.#url(request)
    const json = request.body === undefined ? undefined : JSON.stringify(request.body)
    this.#settings.log?.request(attempted)
    const ownHeaders = lowerCase(this.#callHook("onRequest", request, attempted))
    const startedMs = performance.now()
    const raw = await attempt({
      send: this.#send,
      endpoint: endpointOf(request),
      url,
      method: request.method,
      headers: async () => {
        const credential = await this.#settings.credentials.header(request.credentials)
        if (credential !== undefined) secrets.push(credential.secret)
        return { ...ownHeaders, ...settingHeaders, ...headersOf(request, credential) }
      },
      body: request.upload ?? json,
      isStreamed,
      timeoutMs,
      signal: request.options.signal,
      nowMs: this.#clock.nowMs,
    }).catch((error: unknown) => {
      throw this.#failure(request, error, secrets)
    })
    this.#pace(attempted.route, raw)
    if (raw.rateLimit !== null) request.onRateLimit?.(raw.rateLimit)
    const answer = { ...attempted, ...raw, durationMs: performance.now() - startedMs }
    this.#settings.log?.response(answer, secrets)
    this.#callHook("onResponse", request, answer)
    return { raw, secrets }
  }

  #failure(request: ApiRequest, error: unknown, secrets: ReadonlyArray<string>): unknown {
    if (error instanceof FootfallError) return error
    if (error instanceof UploadSourceFailure) return error.cause
    const reason = redact(causes(error), secrets)
    return new ConnectionError(
      `${endpointOf(request)} at ${this.#settings.baseUrl} failed: ${reason}`,
    )
  }

  #pace(route: string, { rateLimit, retryAfterSeconds, status }: RawAnswer): void {
    const nowMs = this.#clock.nowMs()
    if (rateLimit !== null) this.#pacing.heard(route, rateLimit, nowMs)
    if (status === 429) this.#pacing.refused(route, retryAfterSeconds ?? 0, nowMs)
  }

  /** The hook of the client, then that of the call. */
  #callHook<Name extends keyof Hooks>(
    name: Name,
    { options }: ApiRequest,
    event: Parameters<NonNullable<Hooks[Name]>>[0],
  ): Readonly<Record<string, string>> {
    const { hooks: ofClient } = this.#settings
    if (ofClient === undefined && options.hooks === undefined) return none
    let headers = {}
    for (const hooks of [ofClient, options.hooks]) {
      const hook = hooks?.[name] as ((given: typeof event) => object | void) | undefined
      headers = { ...headers, ...hook?.(event) }
    }
    return headers
  }

  #url(request: ApiRequest): string {
    // A path starts with "/" (api-request.ts), so behind a host it never names another one.
    const { path, query, search } = request
    const address = `${this.#settings.baseUrl}${path}${search === undefined ? "" : `?${search}`}`
    if (query === undefined) return address
    const url = new URL(address)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
    return url.href
  }

  #wait(delayMs: number, request: ApiRequest): Promise<void> {
    return this.sleep(delayMs, endpointOf(request), request.options.signal)
  }

  /** The present, as waits are measured. Units: milliseconds. */
  nowMs(): number {
    return this.#clock.nowMs()
  }

  /** Waits. `what`: what is waited for, as the error names it. Errors: AbortedError. */
  async sleep(delayMs: number, what: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#clock.wait(delayMs, this.#ended(signal))
    } catch {
      throw aborted(what, signal)
    }
  }
}

function headersOf(
  { accept = "application/json", body, upload, idempotencyKey }: ApiRequest,
  credential: CredentialHeader | undefined,
): Readonly<Record<string, string>> {
  const contentType = upload?.contentType ?? (body === undefined ? undefined : "application/json")
  return {
    accept,
    // A browser has a name of its own.
    ...(!isBrowser() && { "user-agent": `footfall-sdk/${version}` }),
    ...(credential !== undefined && { [credential.name]: credential.value }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  }
}

/** Headers of no hook. */
const none: Readonly<Record<string, string>> = {}

/** Names in lower case, so that one replaces the other. */
const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  headers === none
    ? none
    : Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )

/** Method and path; never the query, which may hold an address. */
function endpointOf(request: ApiRequest): string {
  return `${request.method} ${request.path}`
}

/** Longest chain of causes that a message includes. */
const causesMax = 5

// The errors themselves are not kept: a foreign one may hold the request and its headers.
function causes(error: unknown): string {
  const messages: Array<string> = []
  for (let each = error; each instanceof Error && messages.length < causesMax; each = each.cause) {
    const code = "code" in each && typeof each.code === "string" ? each.code : ""
    const message = each.message.includes(code) ? each.message : `${each.message} (${code})`
    messages.push(message.trim())
  }
  return messages.filter(Boolean).join(": ") || "the sending function gave no reason"
}
