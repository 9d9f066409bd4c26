// One call as a resource describes it: what to ask, in words of the API, without address, headers
// or time. spec 1.7

import { ConfigurationError } from "../errors/footfall-error.ts"
import type { CredentialKind } from "./credentials.ts"
import type { HttpMethod } from "./hooks.ts"
import type { Path } from "./path.ts"
import type { RateLimitState } from "./rate-limit-state.ts"
import type { RequestOptions } from "./request-options.ts"
import type { Upload } from "./upload.ts"

/** A call as a resource writes it down; what it makes of its arguments is made with the call, and fails with it. */
export type Asked = AskedRequest | (() => AskedRequest)

interface AskedRequest extends Omit<ApiRequest, "path" | "route" | "search"> {
  /** A string may have a query. */
  readonly path: Path
}

/** The call ready to send. Errors: those of its arguments; ConfigurationError for a path that does not start with `/`. */
export const prepared = (asked: Asked): ApiRequest => {
  const request = typeof asked === "function" ? asked() : asked
  const { path: given } = request
  if (typeof given === "function") return { ...request, path: given(), route: given.route }
  // Glued to the address, ".example.com/" would name another host, and the credential would go there.
  if (!String(given).startsWith("/")) {
    throw new ConfigurationError('path must start with "/", for example "/v1/data/account"')
  }
  const [, path = "", search] = /^([^?#]*)(?:\?([^#]*))?/.exec(given) ?? []
  return { ...request, path, search }
}

/** A call to the API. */
export interface ApiRequest {
  readonly method: HttpMethod
  /** Below the base address, without a query; ids in it go through `path`. */
  readonly path: string
  /** What calls of the same endpoint have in common. Default: the path with `:id` for what looks like an id. */
  readonly route?: string
  /** The query of a path that came with one, as it was written. */
  readonly search?: string | undefined
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Media type of the answer. Default: JSON. */
  readonly accept?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent in place of `body`, while it is read. It is read once, so the call is never repeated. */
  readonly upload?: Upload
  /** Makes a POST safe to repeat. */
  readonly idempotencyKey?: string
  /** A POST that only asks, or that done twice is as done once: as safe to repeat as a PUT. */
  readonly isRepeatable?: boolean
  /** Called with the rate limit of every response that has one. */
  readonly onRateLimit?: (state: RateLimitState) => void
  readonly credentials: CredentialKind
  /** What in the body is a credential, and so is taken out of everything printed. */
  readonly secrets?: ReadonlyArray<string>
  readonly options: RequestOptions
}
