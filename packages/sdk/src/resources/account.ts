// The state of the organization: credits, pixels, intent access.
// Source: spec 2.5 and 5.3.

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { AccountStatus } from "./account-status.ts"

/** `footfall.account`. Needs an API key. */
export class Account {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The state now; answered also while the organization is suspended or expired. */
  get(options: RequestOptions = {}): Promise<AccountStatus> {
    return this.#transport.requestData({
      method: "GET",
      path: "/v1/data/account",
      credentials: "apiKey",
      options,
    })
  }
}
