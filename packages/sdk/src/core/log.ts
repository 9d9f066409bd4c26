// The client's log, which the application has to switch on. An entry names the endpoint. It never includes the query, a
// body, a header or a server message, because those may hold credentials or personal data. By default entries go to
// standard error. If the application's own log function throws, the call fails with that error, as with hooks.

import type { HttpMethod } from "./http-method.ts"
import type { Attempt, AttemptAnswer, AttemptWait } from "./request-options.ts"
import { codeOf } from "../errors/footfall-error.ts"

/** From least to most verbose. */
export const logLevels = ["off", "error", "warn", "info", "debug"] as const

/** Writes entries of this level and all more important ones: `info` also writes `warn` and `error`. */
export type LogLevel = (typeof logLevels)[number]

/** One log entry: the message and its parts. */
export interface LogEntry {
  readonly level: Exclude<LogLevel, "off">
  /** The entry as text, for example `GET /v1/data: 200 in 12 ms (request 7f3c…)`. */
  readonly message: string
  readonly method: HttpMethod
  /** Path of the request, without the query. */
  readonly path: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** Receives log entries. */
export type WriteLog = (entry: LogEntry) => void

/** Writes to standard error in Node, and to the console in a browser. */
export const consoleLog: WriteLog = ({ level, message }) =>
  console[level === "error" ? "error" : "warn"](`footfall ${level}: ${message}`)

/** The client's log. */
export class Log {
  readonly #most: number
  readonly #write: WriteLog

  constructor(level: LogLevel, write: WriteLog) {
    this.#most = logLevels.indexOf(level)
    this.#write = write
  }

  request(attempt: Attempt): void {
    this.#entry("debug", attempt, `attempt ${attempt.attempt}`)
  }

  /** `secrets`: a proxy may echo them, even in the request id. */
  response(
    { durationMs, requestId, status, ...attempt }: AttemptAnswer,
    secrets: ReadonlyArray<string>,
  ): void {
    const id = requestId === null ? "" : ` (request ${redact(requestId, secrets)})`
    this.#entry("info", attempt, `${status} in ${Math.round(durationMs)} ms${id}`)
  }

  wait({ delayMs, error, ...attempt }: AttemptWait): void {
    const why = error === null ? "for the rate limit" : `after ${codeOf(error)}`
    this.#entry("warn", attempt, `waits ${delayMs} ms ${why}`)
  }

  failure(attempt: Attempt, error: unknown): void {
    this.#entry("error", attempt, `failed with ${codeOf(error)}`)
  }

  #entry(level: LogEntry["level"], { attempt, method, path }: Attempt, what: string): void {
    if (logLevels.indexOf(level) > this.#most) return
    this.#write({
      level,
      message: `${method} ${path}: ${what}`.replaceAll(/\p{Cc}/gu, "�"),
      method,
      path,
      attempt,
    })
  }
}

// Removes credentials from text that the SDK did not write, such as a proxy's response or a third-party error message.

/** Shorter strings are not credentials, and could match parts of ordinary words. spec 5.12 */
const secretLengthMin = 10

/** Returns the text without the secrets, in plain form and as JSON escapes them. */
export function redact(text: string, secrets: ReadonlyArray<string>): string {
  return secrets
    .flatMap((secret) => (secret.length < secretLengthMin ? [] : [secret, inJson(secret)]))
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text)
}

const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1)
