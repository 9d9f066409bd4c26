// What can be asked of a visitor's sessions, and what a page of them says about itself.
// Source: spec 5.1.

import type { ResponseMeta } from "./response-meta.ts"
import type { Timeframe } from "./timeframe.ts"

/** Window, scope and position of a session list. */
export interface SessionListParams {
  /** Default `30d`. */
  readonly timeframe?: Timeframe | undefined
  /** Id of one pixel. Default: all of the organization's. */
  readonly pixelId?: string | undefined
  /** Sessions to a page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** `meta.nextCursor` of an earlier page, with the same visitor, window and scope. */
  readonly cursor?: string | undefined
}

/** Position of one page of sessions. */
export interface SessionListMeta extends ResponseMeta {
  /** Moment the window reaches back from; the first page fixes it for the whole walk. */
  readonly asOf: string
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque, signed, valid for 24 hours; null on the last page. */
  readonly nextCursor: string | null
}
