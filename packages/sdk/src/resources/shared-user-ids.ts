// User ids that strangers share, so they no longer join browsers. spec 15.2.12

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"

/** `footfall.pixels.sharedUserIds`. Needs an API key or a member's access token. */
export class SharedUserIds {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the user ids of a pixel that strangers share, newest first, at most 100. Errors: NotFoundError.
   */
  list(pixelId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<SharedUserId>> {
    return this.#transport.requestData({
      method: "GET",
      path: path`/v1/data/pixels/${pixelId}/shared-user-ids`,
      credentials: "either",
      options,
    })
  }

  /** Lets a user id join browsers again, once your site no longer sends it for strangers. Errors: NotFoundError. */
  release(pixelId: string, id: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/data/pixels/${pixelId}/shared-user-ids/${id}`,
      credentials: "either",
      options,
    })
  }
}

/** A user id that a source sent from more than 20 browsers with more than 3 email addresses within 7 days. */
export interface SharedUserId {
  readonly id: string
  /** As the source sent it; null if it is an email address. */
  readonly userId: string | null
  /** When the server found that strangers share it. */
  readonly sharedAt: string
}
