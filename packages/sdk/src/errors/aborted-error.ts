// The caller's own signal ended the call. `cause` is the reason the caller gave.

import { FootfallError } from "./footfall-error.ts"

/** The call was aborted by its `signal`, during an attempt or during a wait between two. */
export class AbortedError extends FootfallError {
  static {
    this.prototype.name = "AbortedError"
  }

  readonly code = "ABORTED"
}
