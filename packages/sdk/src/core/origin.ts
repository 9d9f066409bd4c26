// Where the application made a call. An error is created long after, in code that no line of the application is part of, so
// its stack would only show the SDK.

import { FootfallError } from "../errors/footfall-error.ts"

export class Origin {
  /** Written as text only when it is read, so that a successful call pays little for it. Absent in some runtimes. */
  declare readonly stack?: string

  /** `entry`: the function or class whose caller is the first line. */
  constructor(entry: Function) {
    Error.captureStackTrace?.(this, entry)
  }

  /** Gives one of the SDK's errors the stack of the call, and returns the error. */
  mark(error: unknown): unknown {
    const frames = this.stack?.indexOf("\n    at ") ?? -1
    if (error instanceof FootfallError && frames !== -1) {
      error.stack = `${error.name}: ${error.message}${this.stack!.slice(frames)}`
    }
    return error
  }
}
