// What a page of a qualification query says about itself. Source: spec 2.1 and 5.1.

import type { ResponseMeta } from "./response-meta.ts"
import type { Coverage } from "./visitor-list-meta.ts"

/** Position, size and reach of one page of qualified visitors. */
export interface VisitorQueryMeta extends ResponseMeta {
  /** 1-based; goes on counting when the list is read by cursor. */
  readonly page: number
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours with the same question; null on the last page. */
  readonly nextCursor: string | null
  /** Qualified people, counted with the first page; null when counting took above 2 seconds. */
  readonly total: number | null
  readonly coverage?: Coverage
}
