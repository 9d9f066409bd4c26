// Decides whether to retry a failed attempt, and after how long. Only calls that are safe to repeat are retried:
// idempotent methods, and a POST that is repeatable or has an idempotency key. A 429 is retried for every call, because
// the server rejects it before it does anything. An upload is never retried: its source was already read.
import { ApiError } from "../errors/api-error.ts"
import { ConnectionError, TimeoutError } from "../errors/footfall-error.ts"
import type { ApiRequest } from "./api-request.ts"

/** Maximum of the first random wait. It doubles with each retry. */
export const backoffBaseMs = 500
/** Maximum of any random wait. */
export const backoffMaxMs = 8_000

const idempotentMethods: ReadonlySet<ApiRequest["method"]> = new Set(["GET", "PUT", "DELETE"])
const transientStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/** The facts that decide about a retry. */
export interface RetrySituation {
  readonly request: Pick<ApiRequest, "method" | "idempotencyKey" | "isRepeatable" | "upload">
  readonly error: unknown
  /** Retries so far: 0 after the first failure. */
  readonly retriesDone: number
  readonly maxRetries: number
  readonly retryAfterMaxSeconds: number
  /** At least 0, below 1. */
  readonly random: number
}

/**
 * Milliseconds to wait before the next attempt, or null to give up. The wait is random, at most `backoffMaxMs`. If the
 * server sent a `Retry-After`, that time is added in full.
 */
export function retryDelayMs(situation: RetrySituation): number | null {
  const { request, error, retriesDone, maxRetries, retryAfterMaxSeconds, random } = situation
  const mayPass = isTransient(error) || isStillRunning(request, error)
  if (retriesDone >= maxRetries || !mayPass || !isRepeatable(request, error)) return null
  const askedSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
  if (askedSeconds > retryAfterMaxSeconds) return null
  const backoffMs = Math.min(backoffMaxMs, backoffBaseMs * 2 ** retriesDone)
  return Math.round(askedSeconds * 1000 + random * backoffMs)
}

function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return transientStatuses.has(error.status)
  if (error instanceof ConnectionError) return !error.isPermanent
  return error instanceof TimeoutError
}

/** Whether the server is still working on an earlier attempt whose response was lost. */
function isStillRunning({ idempotencyKey }: RetrySituation["request"], error: unknown): boolean {
  const isConflict = error instanceof ApiError && error.status === 409
  return isConflict && idempotencyKey !== undefined && error.retryAfterSeconds !== null
}

function isRepeatable(request: RetrySituation["request"], error: unknown): boolean {
  if (request.upload !== undefined) return false
  if (error instanceof ApiError && error.status === 429) return true
  if (idempotentMethods.has(request.method) || request.isRepeatable === true) return true
  return request.method === "POST" && request.idempotencyKey !== undefined
}

// Reads both formats of the `Retry-After` header (RFC 9110, 10.2.3). Any other value counts as missing: Date.parse
// alone would read "1.5" as a date far in the past, and the client would retry at once.

const seconds = /^\d{1,10}$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds from `nowMs` until the server accepts a retry, rounded up; or null. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  const value = header?.trim() ?? ""
  if (seconds.test(value)) return Number(value)
  if (!httpDate.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
