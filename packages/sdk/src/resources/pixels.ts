// The pixels of the organization. Source: service.md, GET /v1/data/pixels; decisions.md 5.2.

import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Pixel } from "./pixel.ts"
import type { ResponseMeta } from "./response-meta.ts"

/** `footfall.pixels`. Needs an API key. */
export class Pixels {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every pixel that is not deleted, newest first; the list is not paged. */
  async list(options: RequestOptions = {}): Promise<ReadonlyArray<Pixel>> {
    const answer = await this.#transport.request<ReadonlyArray<Pixel>, ResponseMeta>({
      method: "GET",
      path: "/v1/data/pixels",
      credentials: "apiKey",
      options,
    })
    return answer.data
  }
}
