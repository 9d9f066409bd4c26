// Whether a failed attempt is repeated, and after how long. Repeated is only what cannot happen
// twice: idempotent methods, a POST that is repeatable or has an idempotency key, and anything answered
// 429, because the server refuses it before it acts; an upload never, because it was read already.
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
  readonly retriesMax: number
  readonly retryAfterMaxSeconds: number
  /** At least 0, below 1. */
  readonly random: number
}

/**
 * Milliseconds to wait before the next attempt, or null to give up: a random part of at most
 * `backoffMaxMs`, after the whole `Retry-After` where the server sent one.
 */
export function retryDelayMs(situation: RetrySituation): number | null {
  const { request, error, retriesDone, retriesMax, retryAfterMaxSeconds, random } = situation
  if (retriesDone >= retriesMax || !isTransient(error) || !isRepeatable(request, error)) return null
  const askedSeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0
  if (askedSeconds > retryAfterMaxSeconds) return null
  const backoffMs = Math.min(backoffMaxMs, backoffBaseMs * 2 ** retriesDone)
  return Math.round(askedSeconds * 1000 + random * backoffMs)
}

function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return transientStatuses.has(error.status)
  return error instanceof ConnectionError || error instanceof TimeoutError
}

function isRepeatable(request: RetrySituation["request"], error: unknown): boolean {
  if (request.upload !== undefined) return false
  if (error instanceof ApiError && error.status === 429) return true
  if (idempotentMethods.has(request.method) || request.isRepeatable === true) return true
  return request.method === "POST" && request.idempotencyKey !== undefined
}
