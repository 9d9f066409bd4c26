// What can be asked of the visitor list and of the look-up by email.
// Source: spec 5.1.

import type { PixelScope } from "./pixel-scope.ts"
import type { Timeframe } from "./timeframe.ts"

/** Window, scope, filter and position of a visitor list. */
export type VisitorListParams = PixelScope &
  VisitorListPosition & {
    /** Default `7d`. */
    readonly timeframe?: Timeframe | undefined
    /** Default `include`. */
    readonly suppressed?: SuppressedFilter | undefined
  }

/** Address, window, scope and filter of a look-up. */
export type VisitorGetParams = PixelScope & {
  /** Any known address of the person. Never empty. */
  readonly email: string
  /** Default `all`. */
  readonly timeframe?: Timeframe | undefined
  /** Default `include`; a person the filter leaves out is a NotFoundError. */
  readonly suppressed?: SuppressedFilter | undefined
}

/** Where reading starts: at a page, or where an earlier traversal stopped, never both. */
export type VisitorListPosition =
  | {
      /** 1-based, default 1. */
      readonly page?: number | undefined
      readonly cursor?: undefined
    }
  | {
      readonly page?: undefined
      /** `meta.nextCursor` of an earlier page, with the same window, scope and filter. */
      readonly cursor?: string | undefined
    }

/** Whether suppressed visitors are listed, left out, or the only ones listed. */
export type SuppressedFilter = "include" | "exclude" | "only"
