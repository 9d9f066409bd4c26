// The one way to the server: puts a call into HTTP, repeats it where that is safe, and turns what
// comes back into an answer or an error of the SDK. Every attempt, wait and body is bounded.

import { ConnectionError } from "../errors/connection-error.ts"
import { FootfallError } from "../errors/footfall-error.ts"
import { bounds, type Settings } from "../options.ts"
import { version } from "../version.ts"
import { readAnswer, type Answer } from "./answer.ts"
import type { ApiRequest } from "./api-request.ts"
import { aborted, attempt } from "./attempt.ts"
import { checkBound } from "./bound.ts"
import { systemClock, type Clock } from "./clock.ts"
import type { CredentialHeader } from "./credentials.ts"
import { redact } from "./redact.ts"
import { retryDelayMs } from "./retry.ts"
import { sender, type Send } from "./send.ts"
import { UploadSourceFailure } from "./upload.ts"

/** Carries the calls of one client. */
export class Transport {
  readonly #settings: Settings
  readonly #send: Send
  readonly #clock: Clock

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
  async request<Data, Meta>(request: ApiRequest): Promise<Answer<Data, Meta>> {
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
    for (let retriesDone = 0; ; retriesDone += 1) {
      try {
        return await this.#attempt(request, timeoutMs)
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
        await this.#wait(delayMs, request)
      }
    }
  }

  /** The `data` of the answer, for calls whose `meta` says nothing of its own. Errors: as `request`. */
  async requestData<Data>(request: ApiRequest): Promise<Data> {
    const { data } = await this.request<Data, unknown>(request)
    return data
  }

  async #attempt<Data, Meta>(request: ApiRequest, timeoutMs: number): Promise<Answer<Data, Meta>> {
    const secrets = [...this.#settings.credentials.secrets, ...(request.secrets ?? [])]
    const url = this.#url(request)
    const json = request.body === undefined ? undefined : JSON.stringify(request.body)
    try {
      const raw = await attempt({
        send: this.#send,
        endpoint: endpointOf(request),
        url,
        method: request.method,
        headers: async () => {
          const credential = await this.#settings.credentials.header(request.credentials)
          if (credential !== undefined) secrets.push(credential.secret)
          return headersOf(request, credential)
        },
        body: request.upload ?? json,
        timeoutMs,
        signal: request.options.signal,
        nowMs: this.#clock.nowMs,
      })
      if (raw.rateLimit !== null) request.onRateLimit?.(raw.rateLimit)
      return readAnswer(raw, secrets)
    } catch (error) {
      if (error instanceof FootfallError) throw error
      if (error instanceof UploadSourceFailure) throw error.cause
      const reason = redact(causes(error), secrets)
      throw new ConnectionError(
        `${endpointOf(request)} at ${this.#settings.baseUrl} failed: ${reason}`,
      )
    }
  }

  #url(request: ApiRequest): string {
    const url = new URL(this.#settings.baseUrl + request.path)
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.append(name, String(value))
    }
    return url.href
  }

  async #wait(delayMs: number, request: ApiRequest): Promise<void> {
    const { signal } = request.options
    try {
      await this.#clock.wait(delayMs, signal)
    } catch {
      throw aborted(endpointOf(request), signal)
    }
  }
}

function headersOf(
  { body, upload, idempotencyKey }: ApiRequest,
  credential: CredentialHeader | undefined,
): Readonly<Record<string, string>> {
  const contentType = upload?.contentType ?? (body === undefined ? undefined : "application/json")
  return {
    accept: "application/json",
    "user-agent": `footfall-sdk/${version}`,
    ...(credential !== undefined && { [credential.name]: credential.value }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  }
}

/** Method and path; never the query, which may hold an address. */
function endpointOf(request: ApiRequest): string {
  return `${request.method} ${request.path}`
}

/** Deepest chain of causes that is told. */
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
