// The base of the SDK's errors, and the errors that need no response from the server. The only other error the SDK
// throws is a TypeError, for an argument that it cannot send. No error holds a credential or a query string.

/** Base class of all SDK errors: a human-readable message and a machine-readable `code`. */
export abstract class FootfallError extends Error {
  /** Upper case with underscores: an `ApiErrorCode` from the server, or one of the SDK's own codes. */
  abstract readonly code: string
  /** The class name, unchanged by minifiers. */
  declare abstract readonly _tag: string

  /**
   * @internal Sets the name and tag of each class to its exported name, in case a bundler or minifier renames it.
   */
  static nameClasses(classes: Readonly<Record<string, { prototype: FootfallError }>>): void {
    for (const [name, { prototype }] of Object.entries(classes)) {
      Object.assign(prototype, { name, _tag: name })
    }
  }
}

/** An option or environment variable is missing or invalid. Thrown before anything is sent. */
export class ConfigurationError extends FootfallError {
  declare readonly _tag: "ConfigurationError"
  /** `CREDENTIALS_MISSING`: the call needs a credential that the client does not have. */
  readonly code: "CONFIGURATION_INVALID" | "CREDENTIALS_MISSING"

  constructor(message: string, code: ConfigurationError["code"] = "CONFIGURATION_INVALID") {
    super(message)
    this.code = code
  }
}

/** The call's `signal` aborted it, during an attempt or between attempts. `cause` is the signal's reason. */
export class AbortedError extends FootfallError {
  declare readonly _tag: "AbortedError"
  readonly code = "ABORTED"
}

/**
 * The connection failed: it was refused, reset or cut off during the response, or the host name was not found. The
 * server may or may not have processed the request.
 */
export class ConnectionError extends FootfallError {
  declare readonly _tag: "ConnectionError"
  readonly code = "CONNECTION_FAILED"
}

/** The last attempt took longer than `timeoutMs`. The server may or may not have processed the request. */
export class TimeoutError extends FootfallError {
  declare readonly _tag: "TimeoutError"
  readonly code = "TIMEOUT"
  readonly timeoutMs: number

  constructor(message: string, timeoutMs: number) {
    super(message)
    this.timeoutMs = timeoutMs
  }
}

/** The error's code for logs and traces. Never its message, which may contain personal data. */
export const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return /^\w{1,64}$/.test(code) ? code : "UNKNOWN"
}

FootfallError.nameClasses({ ConfigurationError, AbortedError, ConnectionError, TimeoutError })
