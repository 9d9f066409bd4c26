// The one way to the server: puts a call into HTTP, repeats it where that is safe, and turns what
// comes back into an answer or an error of the SDK. Every attempt, wait and body is bounded.

import { ConnectionError, FootfallError } from "../errors/footfall-error.ts"
import { bounds, type Settings } from "../options.ts"
import { version } from "../version.ts"
import { readAnswer, type Answer, type RawAnswer } from "./answer.ts"
import type { ApiRequest } from "./api-request.ts"
import { aborted, attempt } from "./attempt.ts"
import { checkBound } from "./bound.ts"
import { ByteStream } from "./byte-stream.ts"
import { systemClock, type Clock } from "./clock.ts"
import type { CredentialHeader } from "./credentials.ts"
import type { Attempt, Hooks } from "./hooks.ts"
import { Pacing, routeOf } from "./pacing.ts"
import { redact } from "./redact.ts"
import { retryDelayMs } from "./retry.ts"
import { sender, type Send } from "./send.ts"
import { traced } from "./tracing.ts"
import { UploadSourceFailure } from "./upload.ts"

/** What holds for one call. */
interface CallSettings {
  readonly timeoutMs: number
  readonly retriesMax: number
  readonly traceHeaders: Readonly<Record<string, string>>
}

/** Carries the calls of one client. */
export class Transport {
  readonly #settings: Settings
  readonly #send: Send
  readonly #clock: Clock
  readonly #pacing = new Pacing()

  constructor(settings: Settings, clock: Clock = systemClock) {
    this.#settings = settings
    this.#send = sender(settings)
    this.#clock = clock
  }

  /**
   * Asks until there is an answer that is worth no further attempt, at most 1 + `retriesMax` times.
   * Errors: ApiError and its classes, ConnectionError, TimeoutError, AbortedError,
   * ConfigurationError.
   */
  request<Data, Meta>(request: ApiRequest): Promise<Answer<Data, Meta>> {
    return this.#call(request, async (attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings)
      return readAnswer<Data, Meta>(raw, secrets)
    })
  }

  /**
   * The same for an answer that is bytes: it is there when it begins to come, and then nothing is repeated.
   * Errors: as `request`; those of reading are the stream's.
   */
  stream(request: ApiRequest): Promise<ByteStream> {
    return this.#call(request, async (attempt, settings) => {
      const { raw, secrets } = await this.#attempt(request, attempt, settings, true)
      const { unread: response } = raw
      // A refusal is read, and thrown.
      if (response === null) return readAnswer<never, never>(raw, secrets).data
      const { signal } = request.options
      const { timeoutMs } = settings
      return new ByteStream({ response, endpoint: endpointOf(request), timeoutMs, signal })
    })
  }

  async #call<A>(
    request: ApiRequest,
    run: (attempt: Attempt, settings: CallSettings) => Promise<A>,
  ): Promise<A> {
    const { options } = request
    const timeoutMs = checkBound(
      "timeoutMs",
      options.timeoutMs ?? this.#settings.timeoutMs,
      bounds.timeoutMs,
    )
    const retriesMax = checkBound(
      "retriesMax",
      options.retriesMax ?? this.#settings.retriesMax,
      bounds.retriesMax,
    )
    return traced(request, this.#settings.baseUrl, (traceHeaders) =>
      this.#repeated(request, { timeoutMs, retriesMax, traceHeaders }, run),
    )
  }

  async #repeated<A>(
    request: ApiRequest,
    settings: CallSettings,
    run: (attempt: Attempt, settings: CallSettings) => Promise<A>,
  ): Promise<A> {
    const { retriesMax } = settings
    const { method, path } = request
    const route = routeOf(request)
    const attemptOf = (retriesDone: number): Attempt => ({
      method,
      path,
      route,
      attempt: retriesDone + 1,
    })
    // Whoever repeats calls themselves waits themselves too.
    if (retriesMax > 0) await this.#waitForPlace(request, attemptOf(0))
    for (let retriesDone = 0; ; retriesDone += 1) {
      const attempt = attemptOf(retriesDone)
      try {
        return await run(attempt, settings)
      } catch (error) {
        const delayMs = retryDelayMs({
          request,
          error,
          retriesDone,
          retriesMax,
          retryAfterMaxSeconds: this.#settings.retryAfterMaxSeconds,
          random: this.#clock.random(),
        })
        if (delayMs === null) throw error
        this.#callHook("onWait", request, { ...attempt, delayMs, error })
        await this.#wait(delayMs, request)
      }
    }
  }

  /** The `data` of the answer, for calls whose `meta` says nothing of its own. Errors: as `request`. */
  async requestData<Data>(request: ApiRequest): Promise<Data> {
    const { data } = await this.request<Data, unknown>(request)
    return data
  }

  async #waitForPlace(request: ApiRequest, attempt: Attempt): Promise<void> {
    const waitMaxMs = this.#settings.retryAfterMaxSeconds * 1000
    const delayMs = this.#pacing.reserve(attempt.route, this.#clock.nowMs(), waitMaxMs)
    if (delayMs === 0) return
    this.#callHook("onWait", request, { ...attempt, delayMs, error: null })
    await this.#wait(delayMs, request)
  }

  async #attempt(
    request: ApiRequest,
    attempted: Attempt,
    { timeoutMs, traceHeaders }: CallSettings,
    isStreamed = false,
  ): Promise<{ readonly raw: RawAnswer; readonly secrets: ReadonlyArray<string> }> {
    const secrets = [...this.#settings.credentials.secrets, ...(request.secrets ?? [])]
    const url = this.#url(request)
    const json = request.body === undefined ? undefined : JSON.stringify(request.body)
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
        return { ...ownHeaders, ...traceHeaders, ...headersOf(request, credential) }
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
    const durationMs = performance.now() - startedMs
    this.#callHook("onResponse", request, { ...attempted, ...raw, durationMs })
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
    let headers = {}
    for (const hooks of [this.#settings.hooks, options.hooks]) {
      const hook = hooks?.[name] as ((given: typeof event) => object | void) | undefined
      headers = { ...headers, ...hook?.(event) }
    }
    return headers
  }

  #url(request: ApiRequest): string {
    const url = new URL(this.#settings.baseUrl + request.path)
    for (const [name, value] of Object.entries(request.query ?? {})) {
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
      await this.#clock.wait(delayMs, signal)
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
    "user-agent": `footfall-sdk/${version}`,
    ...(credential !== undefined && { [credential.name]: credential.value }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  }
}

/** Names in lower case, so that one replaces the other. */
const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

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
