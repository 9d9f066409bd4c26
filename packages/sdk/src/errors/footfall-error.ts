// The root of the SDK's errors, and those that the SDK throws without an answer from the server. The only other error
// it throws is a TypeError for an argument that cannot be sent. No error holds a credential or a query string.

/** Base of every error of the SDK: a message for people and a `code` for programs. */
export abstract class FootfallError extends Error {
  /** SCREAMING_SNAKE: an `ApiErrorCode` of the server, or one of the SDK's own. */
  abstract readonly code: string
  /** The name of the class, which a minifier leaves as it is. */
  declare abstract readonly _tag: string

  /** @internal Names and tags classes as they are exported, whatever a bundler or minifier calls them. */
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

/** The call was aborted by its `signal`, during an attempt or between two. `cause` is the signal's reason. */
export class AbortedError extends FootfallError {
  declare readonly _tag: "AbortedError"
  readonly code = "ABORTED"
}

/**
 * The connection failed: refused, reset, unresolvable, or cut off in the middle of the answer. The server may or may
 * not have acted on the request.
 */
export class ConnectionError extends FootfallError {
  declare readonly _tag: "ConnectionError"
  readonly code = "CONNECTION_FAILED"
}

/** The last attempt took longer than `timeoutMs`. The server may or may not have acted on the request. */
export class TimeoutError extends FootfallError {
  declare readonly _tag: "TimeoutError"
  readonly code = "TIMEOUT"
  readonly timeoutMs: number

  constructor(message: string, timeoutMs: number) {
    super(message)
    this.timeoutMs = timeoutMs
  }
}

/** The code of any error, as logs and traces name it. Never its message, which may name people. */
export const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return /^\w{1,64}$/.test(code) ? code : "UNKNOWN"
}

FootfallError.nameClasses({ ConfigurationError, AbortedError, ConnectionError, TimeoutError })
