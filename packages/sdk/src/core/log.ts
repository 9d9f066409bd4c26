// What a client writes about its work, where the application switches it on. An entry names the endpoint, never the
// query, a body, a header or a message of the server: those may hold a credential or name people. Two promises hold an
// entry back from doing harm: it is written to standard error by default, and an error of the application's own log
// function is that of the call, as with hooks.

import type { Attempt, AttemptAnswer, AttemptWait, HttpMethod } from "./hooks.ts"
import { redact } from "./redact.ts"
import { codeOf } from "../errors/footfall-error.ts"

/** From the level that tells nothing to the one that tells most. */
export const logLevels = ["off", "error", "warn", "info", "debug"] as const

/** The least important entries that are written: `info` writes those of `warn` and `error` too. */
export type LogLevel = (typeof logLevels)[number]

/** One line of the log, and its parts. */
export interface LogEntry {
  readonly level: Exclude<LogLevel, "off">
  /** The entry as a sentence, for example `GET /v1/data: 200 in 12 ms (request 7f3c…)`. */
  readonly message: string
  readonly method: HttpMethod
  /** Path of the request, without the query. */
  readonly path: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** Where entries go. */
export type WriteLog = (entry: LogEntry) => void

/** Standard error in Node, the console in a browser. */
export const consoleLog: WriteLog = ({ level, message }) =>
  console[level === "error" ? "error" : "warn"](`footfall ${level}: ${message}`)

/** The log of a client. */
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

  /** `secrets`: a proxy may send back what it was sent, also as the id of the request. */
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
