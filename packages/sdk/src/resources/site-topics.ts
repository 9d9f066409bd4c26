// Stored site analyses. spec 2.18 and 5.7
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { PagedList } from "../core/paged-list.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta } from "../extensions/common.ts"
import type { SiteTopic } from "./topics.ts"

/** `footfall.siteTopics`. Accepts an API key or an access token. */
export class SiteTopics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the site analyses the organization saved, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<StoredSiteAnalysis, ListMeta> {
    return this.#transport.list("/v1/intent/site-topics", params, {
      credentials: "either",
      options,
    })
  }
}

/** An analysis that was requested with credentials, and therefore stored. */
export interface StoredSiteAnalysis {
  /** Id of the analysis. */
  readonly id: string
  /** The requested URL. */
  readonly url: string
  /** Name of the company that the site names; null if it names none. */
  readonly company: string | null
  /** What the site says it is about; null if it says nothing. */
  readonly summary: string | null
  /** Words that the page uses most, at most 30. */
  readonly keywords: ReadonlyArray<string>
  /** Topics of the catalog that fit: at most 20, most similar first. */
  readonly topics: ReadonlyArray<SiteTopic>
  /** When the analysis was created. */
  readonly createdAt: string
}
