// One call of the client, and the request that the server should receive.

import type { Footfall } from "../../src/index.ts"

/** A request without its credentials. */
export interface Sent {
  /** Method and path. */
  readonly line: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type Row = readonly [
  name: string,
  call: (footfall: Footfall) => PromiseLike<unknown>,
  sent: Sent,
]
