// One call as a resource describes it: what to ask, in words of the API, without address, headers
// or time.

import type { CredentialKind } from "./credentials.ts"
import type { RequestOptions } from "./request-options.ts"

/** A call to the API. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Below the base address; ids in it go through `path`. */
  readonly path: string
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Makes a POST safe to repeat (decisions.md 1.7). */
  readonly idempotencyKey?: string
  readonly credentials: CredentialKind
  readonly options: RequestOptions
}
