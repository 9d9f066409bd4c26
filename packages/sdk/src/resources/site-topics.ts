// The site analyses that were made with credentials. Source: spec 5.7.

import { atCursor } from "../core/at-cursor.ts"
import { PagedList } from "../core/paged-list.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import type { StoredSiteAnalysis } from "./site-analysis.ts"

/** `footfall.siteTopics`. Takes an API key or an access token. */
export class SiteTopics {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every stored analysis, newest first; 20 to a page by default. Errors: BadRequestError. */
  list(
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<StoredSiteAnalysis, ListMeta> {
    return new PagedList<StoredSiteAnalysis, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: "/v1/intent/site-topics",
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      }),
    )
  }
}
