// User ids that strangers share, so they no longer join browsers. spec 15.2.12
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

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
   * Returns the user ids that strangers share, newest first, at most 100. A source sent each of them from more than
   * 20 browsers with more than 3 email addresses within 7 days, so it no longer joins browsers. `userId` is null if
   * it is an email address. The list is not paged. Errors: NotFoundError.
   */
  list(pixelId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<SharedUserId>> {
    return this.#transport.get(path`/v1/data/pixels/${pixelId}/shared-user-ids`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Lets a user id join browsers again. Correct what your site sends as `userId` first: the server counts from zero,
   * and finds an id that strangers still share again. Errors: NotFoundError.
   */
  release(pixelId: string, sharedUserId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(
      path`/v1/data/pixels/${pixelId}/shared-user-ids/${sharedUserId}`,
      { credentials: "either", options },
    )
  }
}

/** A user id that a source sent from more than 20 browsers with more than 3 email addresses within 7 days. */
export interface SharedUserId {
  /** Id of the entry. */
  readonly id: string
  /** As the source sent it; null if it is an email address. */
  readonly userId: string | null
  /** When the server found that strangers share it. */
  readonly sharedAt: string
}
