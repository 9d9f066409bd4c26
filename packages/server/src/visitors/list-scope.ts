// What a list of visitors is taken from: organization, pixel scope, window and suppression filter,
// and where in it a page begins.
import type { DateTime } from "effect"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import type { Timeframe } from "./timeframe.ts"

export const SuppressedFilter = Schema.Literals(["include", "exclude", "only"])
export type SuppressedFilter = typeof SuppressedFilter.Type

export interface ListScope {
  readonly organizationId: string
  /** Undefined: every pixel of the organization. */
  readonly pixelId: string | undefined
  /** The scope is a domain without a pixel: nobody is in it. */
  readonly isEmpty: boolean
  readonly timeframe: Timeframe
  /** The moment the window ends at, and the age of click ids is told from. */
  readonly asOf: DateTime.Utc
  /** Start of the window; undefined for all of the history. */
  readonly from: DateTime.Utc | undefined
  readonly suppressed: SuppressedFilter
}

/** Sort key of a row: `lastSeenAt` in scope, descending, then `emailHash`, ascending. decisions.md 1.6. */
export type ListKey = readonly [lastSeenAt: string, emailHash: string]

export type ListPosition =
  | { readonly after: ListKey }
  /** Rows to pass over, through the index alone; 0 for the first page. */
  | { readonly offset: number }

/** What binds a cursor, and names a traversal: everything of the scope but the moving window. */
export const scopeHash = ({ isEmpty, pixelId, suppressed, timeframe }: ListScope): string =>
  createHash("sha256")
    .update(JSON.stringify([pixelId ?? null, isEmpty, timeframe, suppressed]))
    .digest("base64url")
    .slice(0, 22)
