// The base of the SDK's errors, and the errors that need no response from the server. The only other error the SDK
// throws is a TypeError, for an argument that it cannot send. No error holds a credential or a query string.

import type { HttpMethod } from "../core/http-method.ts"

/** The names of a class and of its parents, on its prototype. The same symbol in every copy of the SDK. */
const classNames: unique symbol = Symbol.for("@footfall/sdk/error")

/** Base class of all SDK errors: a human-readable message and a machine-readable `code`. */
export abstract class FootfallError extends Error {
  /** HTTP method of the call that failed; undefined if nothing was to be sent. */
  declare readonly method?: HttpMethod
  /** Path of the call that failed, with `:id` in place of each id, such as `/v1/data/pixels/:id`. */
  declare readonly route?: string
  /** Upper case with underscores: an `ApiErrorCode` from the server, or one of the SDK's own codes. */
  abstract readonly code: string
  /** The class name, unchanged by minifiers. */
  declare abstract readonly _tag: string

  /**
   * @internal Sets the name and tag of each class to its exported name, in case a bundler or minifier renames it.
   */
  static nameClasses(classes: Readonly<Record<string, { prototype: FootfallError }>>): void {
    for (const [name, { prototype }] of Object.entries(classes)) {
      const parents: ReadonlyArray<string> = Reflect.get(prototype, classNames) ?? ["FootfallError"]
      Object.assign(prototype, { name, _tag: name })
      Object.defineProperty(prototype, classNames, { value: [name, ...parents] })
    }
  }

  /**
   * @internal An application can hold two copies of the SDK, as ES module and CommonJS or in the realm of a test runner.
   * An error of one is an instance of the class of that name in the other.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true
    if (typeof value !== "object" || value === null) return false
    const names: unknown = Reflect.get(value, classNames)
    // A class of the application that extends one of ours has only its own instances.
    const isOurs = this === FootfallError || Object.hasOwn(this.prototype, classNames)
    const name = this === FootfallError ? "FootfallError" : this.prototype._tag
    return isOurs && Array.isArray(names) && names.includes(name)
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
  /** The server's certificate is not trusted, or it does not speak HTTP or TLS. A retry can't help. */
  readonly isPermanent: boolean

  constructor(message: string, { isPermanent = false }: { readonly isPermanent?: boolean } = {}) {
    super(message)
    this.isPermanent = isPermanent
  }
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
