// An answer that is not a success. Statuses with a class of their own are in status-errors.ts; this
// one stands for every other status and for answers that are not Footfall's at all.

import type { ApiErrorCode } from "./api-error-code.ts"
import { FootfallError } from "./footfall-error.ts"

/** What an answer said. */
export interface ApiErrorInit {
  readonly status: number
  readonly code: ApiErrorCode
  readonly message: string
  readonly requestId: string | null
  readonly details: unknown
  readonly retryAfterSeconds: number | null
}

/** The server answered, but not with what was asked for. */
export class ApiError extends FootfallError {
  static {
    this.prototype.name = "ApiError"
  }

  /** HTTP status. */
  readonly status: number
  /** Why the server refused; `INVALID_RESPONSE` if the answer is not from Footfall. */
  readonly code: ApiErrorCode
  /** Quote it when you report a problem; null when the answer had none. */
  readonly requestId: string | null
  /** More about the code, as the API reference lists it; undefined if there is nothing more. */
  readonly details: unknown
  /** Seconds to wait before asking again; null when the server did not say. */
  readonly retryAfterSeconds: number | null

  constructor(init: ApiErrorInit) {
    super(init.message)
    this.status = init.status
    this.code = init.code
    this.requestId = init.requestId
    this.details = init.details
    this.retryAfterSeconds = init.retryAfterSeconds
  }

  /** @internal A success that breaks the contract, so that nothing in it can be relied on. */
  static invalidResponse(status: number, problem: string): ApiError {
    return new ApiError({
      status,
      code: "INVALID_RESPONSE",
      message: `HTTP ${status}, but not an answer of Footfall: ${problem}`,
      requestId: null,
      details: undefined,
      retryAfterSeconds: null,
    })
  }
}
