// Whether a failed attempt is repeated, and after how long. Repeated is only what cannot happen
// twice: idempotent methods, a POST that is repeatable or has an idempotency key (also while the server still works at
// an earlier attempt, which is 409 with Retry-After), and anything answered 429, because the server refuses it before it acts; an upload never, because it was read already.
// Waits have full jitter, so clients do not return in step.
import { ApiError } from "../errors/api-error.ts"
import { ConnectionError, TimeoutError } from "../errors/footfall-error.ts"
import type { ApiRequest } from "./api-request.ts"

/** Upper end of the first random wait; it doubles with each further one. */
export const backoffBaseMs = 500
/** Upper end of every random wait. */
export const backoffMaxMs = 8_000

const idempotentMethods: ReadonlySet<ApiRequest["method"]> = new Set(["GET", "PUT", "DELETE"])
const transientStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

/** What a decision to repeat rests on. */
export interface RetrySituation {
  readonly request: Pick<ApiRequest, "method" | "idempotencyKey" | "isRepeatable" | "upload">
  readonly error: unknown
  /** Attempts already repeated: 0 after the first failure. */
  readonly retriesDone: number
  readonly maxRetries: number
  readonly retryAfterMaxSeconds: number
  /** At least 0, below 1. */
  readonly random: number
}

/**
 * Milliseconds to wait before the next attempt, or null to give up: a random part of at most
 * `backoffMaxMs`, after the whole `Retry-After` where the server sent one.
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
  return error instanceof ConnectionError || error instanceof TimeoutError
}

/** The server is still working at an earlier attempt whose answer was lost. */
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

// The `Retry-After` header in both its forms (RFC 9110, 10.2.3). Anything else counts as absent:
// Date.parse alone would read "1.5" as a date long past and make the client retry at once.

const seconds = /^\d{1,10}$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Whole seconds from `nowMs` until the server wants to be asked again, rounded up; or null. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  const value = header?.trim() ?? ""
  if (seconds.test(value)) return Number(value)
  if (!httpDate.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
}
