// The scope of a list of visitors: organization, pixel scope, window, suppression filter and rule.
import { type DateTime, Schema } from "effect"
import type { Sites } from "../../collect/pixels/store.ts"
import type { RuleNode } from "./query/rule.ts"
import type { Period } from "./timeframe.ts"

export const SuppressedFilter = Schema.Literals(["include", "exclude", "only"])
export type SuppressedFilter = typeof SuppressedFilter.Type

/** The order of a list: last seen first, or highest score first. */ // spec 1.6.14
export const ListOrder = Schema.Literals(["last_seen", "score"])
export type ListOrder = typeof ListOrder.Type

export interface ListScope {
  readonly organizationId: string
  readonly pixelId: Sites
  /** The scope has no pixel, so it has no visitors. */
  readonly isEmpty: boolean
  readonly timeframe: Period
  /** When the list is read. Ages of click ids, and of what a rule asks for, are measured from here. */
  readonly asOf: DateTime.Utc
  /** Start of the window; undefined for the whole history. */
  readonly from: DateTime.Utc | undefined
  /** Where a window that ends before `asOf` ends; exclusive. */
  readonly until?: DateTime.Utc | undefined
  readonly suppressed: SuppressedFilter
  /** Which visitors qualify; absent means all of them. */
  readonly rule?: RuleNode
  readonly q?: SearchText | undefined
  /** Default: last seen first. */
  readonly sort?: ListOrder | undefined
}

/** A part of the name or of an address. */
export interface SearchText {
  readonly text: string
  /** The hash that someone with this whole address is known by, or the text itself if it is a hash. */
  readonly emailHash: string
}

/** The scope without its moving window: binds a cursor and names a traversal. */
export const scopeFilters = ({
  isEmpty,
  pixelId,
  q,
  rule,
  sort,
  suppressed,
  timeframe,
}: ListScope) => [
  pixelId ?? null,
  isEmpty,
  timeframe,
  suppressed,
  ...(rule === undefined ? [] : [rule]),
  ...(q === undefined ? [] : [q.text]),
  ...(sort === "score" ? [{ sort }] : []),
]
