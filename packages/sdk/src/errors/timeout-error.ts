// No whole answer within the time of one attempt.

import { FootfallError } from "./footfall-error.ts"

/** The last attempt took longer than `timeoutMs`. Whether the server acted is not known. */
export class TimeoutError extends FootfallError {
  static {
    this.prototype.name = "TimeoutError"
  }

  readonly code = "TIMEOUT"
  readonly timeoutMs: number

  constructor(message: string, timeoutMs: number) {
    super(message)
    this.timeoutMs = timeoutMs
  }
}
