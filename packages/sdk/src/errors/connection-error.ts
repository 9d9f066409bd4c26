// No answer, or only part of one: refused, reset, unresolvable, or cut off inside the body.

import { FootfallError } from "./footfall-error.ts"

/** The connection failed. Whether the server acted on the request is not known. */
export class ConnectionError extends FootfallError {
  static {
    this.prototype.name = "ConnectionError"
  }

  readonly code = "CONNECTION_FAILED"
}
