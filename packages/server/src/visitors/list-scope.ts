// What a list of visitors is taken from: organization, pixel scope, window, suppression filter and rule.
import { type DateTime, Schema } from "effect"
import type { RuleNode } from "./query/rule.ts"
import type { Timeframe } from "./timeframe.ts"

export const SuppressedFilter = Schema.Literals(["include", "exclude", "only"])
export type SuppressedFilter = typeof SuppressedFilter.Type

export interface ListScope {
  readonly organizationId: string
  /** Undefined: every pixel of the organization. */
  readonly pixelId: string | undefined
  /** The scope is a domain without a pixel: no one is in it. */
  readonly isEmpty: boolean
  readonly timeframe: Timeframe
  /** The moment the window ends, and from which the age of click ids is measured. */
  readonly asOf: DateTime.Utc
  /** Start of the window; undefined for all of the history. */
  readonly from: DateTime.Utc | undefined
  readonly suppressed: SuppressedFilter
  /** Which of them qualify; absent: everyone. */
  readonly rule?: RuleNode
}

/** Everything of the scope but the moving window: binds a cursor and names a traversal. */
export const scopeFilters = ({ isEmpty, pixelId, rule, suppressed, timeframe }: ListScope) => [
  pixelId ?? null,
  isEmpty,
  timeframe,
  suppressed,
  ...(rule === undefined ? [] : [rule]),
]
