// What most lists have in common (spec 1.6): how many rows a page has, and what is in `meta`.
import { Schema } from "effect"
import { metaFields } from "./envelope.ts"
import type { ListPage } from "./keyed-lists.ts"

/** Rows of a page. */
export const pageSizeMax = 100
export const pageSizeDefault = 50

export const listMeta = Schema.Struct({
  limit: Schema.Int,
  offset: Schema.Int,
  total: Schema.Int,
  hasMore: Schema.Boolean,
  nextCursor: Schema.NullOr(Schema.String),
  ...metaFields,
})

/** `total` is always known: these lists are counted without a time limit. */
export const listMetaOf = <Row>(
  { hasMore, nextCursor, offset, total }: ListPage<Row>,
  limit: number,
) => ({ limit, offset, total: total ?? 0, hasMore, nextCursor })
