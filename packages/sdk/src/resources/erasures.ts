// What erasures did, without anything about the people. spec 2.26 and 5.1
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta } from "../extensions/common.ts"
import type { ErasureReceipt } from "./visitors.ts"

/** `footfall.erasures`. Accepts an API key or an access token. A viewer's token can only read. */
export class Erasures {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the receipts of erasures, newest first. They contain nothing about the person. Errors: BadRequestError
   * (`INVALID_CURSOR`).
   */
  list(
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<ErasureReceipt, ListMeta> {
    return this.#transport.list("/v1/data/erasures", params, { credentials: "either", options })
  }

  /** Returns the receipt of one erasure, with what its destinations have answered so far. Errors: NotFoundError. */
  get(erasureId: string, options: RequestOptions = {}): ApiCall<ErasureReceipt> {
    return this.#transport.get(path`/v1/data/erasures/${erasureId}`, {
      credentials: "either",
      options,
    })
  }
}
