// What a page of the visitor list says about itself. Source: spec 1.6 and 2.1.

import type { ResponseMeta } from "./response-meta.ts"

/** Position, size and reach of one page of visitors. */
export interface VisitorListMeta extends ResponseMeta {
  /** 1-based; goes on counting when the list is read by cursor. */
  readonly page: number
  readonly hasMore: boolean
  /** Opaque, valid for 24 hours with the same window and scope; null on the last page. */
  readonly nextCursor: string | null
  /** People in window, scope and filter, counted when the first page was answered. */
  readonly total: number
  readonly coverage?: Coverage
  readonly scope: Scope
}

/** How much of the requested window the answer rests on. */
export interface Coverage {
  /** True when not all data of the window was taken into account. */
  readonly partial: boolean
  /** Moment of the oldest data used. ISO 8601, UTC, milliseconds. */
  readonly from: string | null
}

/** The pixels the question covered; `pixels` 0 tells an unknown domain from a quiet one. */
export interface Scope {
  readonly pixels: number
  readonly activePixels: number
  /** Last event any of these pixels received. ISO 8601, UTC, milliseconds. */
  readonly lastEventAt: string | null
}
