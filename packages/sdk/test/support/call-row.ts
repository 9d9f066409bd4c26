// One call of the client, and how it should arrive at the server.

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
