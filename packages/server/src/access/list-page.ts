// What the lists of this room have in common (decisions.md 1.6, 5.13): page size, limit, `meta`.
import { Schema } from "effect"
import { metaFields } from "../http/envelope.ts"
import type { ListPage } from "../http/keyed-lists.ts"

/** Rows of a page. decisions.md 1.6. */
export const pageSizeMax = 100
export const pageSizeDefault = 50

/** Organizations, members and API keys share a limit per user. decisions.md 10.2. */
export const accessLimit = { name: "organizations", limit: 60 }

/** Outside the Data API an unknown parameter is ignored. decisions.md 1.4. */
export const lenient = { errors: "all", onExcessProperty: "ignore", reportInput: true } as const

export const listMeta = Schema.Struct({
  limit: Schema.Int,
  offset: Schema.Int,
  total: Schema.Int,
  hasMore: Schema.Boolean,
  nextCursor: Schema.NullOr(Schema.String),
  ...metaFields,
})

/** `total` is always known: these lists are short enough to be counted in time. */
export const listMetaOf = <Row>(
  { hasMore, nextCursor, offset, total }: ListPage<Row>,
  limit: number,
) => ({ limit, offset, total: total ?? 0, hasMore, nextCursor })
