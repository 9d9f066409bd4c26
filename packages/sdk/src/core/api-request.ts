// One call as a resource describes it: what to request, without the address, headers or time limit. spec 1.7

import { ConfigurationError } from "../errors/footfall-error.ts"
import type { CredentialKind } from "./credentials.ts"
import type { HttpMethod } from "./http-method.ts"
import type { RequestOptions } from "./request-options.ts"
import type { Path } from "./path.ts"
import type { RateLimitState } from "./rate-limit-state.ts"
import type { Upload } from "./upload.ts"

/**
 * A request as a resource describes it. A function runs when the call is made, so an error in its arguments rejects the
 * call.
 */
export type RequestInput = RequestDescription | (() => RequestDescription)

interface RequestDescription extends Omit<ApiRequest, "path" | "route" | "search"> {
  /** A string may include a query. */
  readonly path: Path
}

/**
 * Prepares a call for sending. Errors: those of its arguments; ConfigurationError for a path that does not start with
 * `/`.
 */
export const prepareRequest = (input: RequestInput): ApiRequest => {
  const request = typeof input === "function" ? input() : input
  const { path: given } = request
  if (typeof given === "function") return { ...request, path: given(), route: given.route }
  // ".example.com/", appended to the base URL, would form another host name, which would then
  // receive the credential.
  if (!String(given).startsWith("/")) {
    throw new ConfigurationError('path must start with "/", for example "/v1/data/account"')
  }
  const [, path = "", search] = /^([^?#]*)(?:\?([^#]*))?/.exec(given) ?? []
  return { ...request, path, search }
}

/** A call to the API. */
export interface ApiRequest {
  readonly method: HttpMethod
  /** Relative to the base URL, without a query. Insert ids with `path`. */
  readonly path: string
  /**
   * The same for all calls to an endpoint. Default: the path with `:id` in place of everything that looks like an id.
   */
  readonly route?: string
  /** The query that was part of the path, unchanged. */
  readonly search?: string | undefined
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Media type of the response. Default: JSON. */
  readonly accept?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Streamed in place of `body`. The source can be read only once, so the call is never retried. */
  readonly upload?: Upload
  /** Makes a POST safe to repeat. */
  readonly idempotencyKey?: string
  /** A POST that only reads, or that has the same effect when repeated. It is as safe to retry as a PUT. */
  readonly isRepeatable?: boolean
  /** Called with the rate limit of every response that reports one. */
  readonly onRateLimit?: (state: RateLimitState) => void
  readonly credentials: CredentialKind
  /** Credentials in the body. The SDK removes them from everything it prints. */
  readonly secrets?: ReadonlyArray<string | null | undefined>
  readonly options: RequestOptions
}
