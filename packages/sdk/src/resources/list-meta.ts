// What a page of a list by offset says about itself. Source: spec 1.6 and 5.4.

import type { ResponseMeta } from "./response-meta.ts"

/** Position and size of one page. */
export interface ListMeta extends ResponseMeta {
  /** Rows of the whole list, counted when the first page was answered. */
  readonly total: number
  readonly limit: number
  /** Goes on counting when the list is read by cursor. */
  readonly offset: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours; null on the last page. */
  readonly nextCursor: string | null
}
