// Lists in requests and responses (spec 1.6): their parameters, the `meta` of a page, and the error for a bad cursor.
import { Effect, Schema } from "effect"
import type { CursorRefused } from "../lists/cursor.ts"
import { type EmptyList, hintIfEmpty } from "./empty-lists.ts"
import { refuse } from "./errors.ts"
import type { ListPage, ListPosition } from "../lists/keyed-lists.ts"
import { metaFields } from "./envelope.ts"

/** `limit` from 1 to `limitMax`, `offset` from 0, `cursor`. */
export const listParameters = (limitMax: number) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: limitMax })),
  ).annotateKey({ description: `Page size, 1 to ${limitMax}.` }),
  offset: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })),
  ),
  cursor: Schema.optionalKey(Schema.String),
})

/** Where the page starts. Fails with BadRequest when both parameters are given. */
export const positionOf = (query: {
  readonly offset?: number
  readonly cursor?: string
}): Effect.Effect<ListPosition, Effect.Error<ReturnType<typeof exclusive>>> => {
  const { cursor, offset } = query
  if (cursor === undefined) return Effect.succeed({ offset: offset ?? 0 })
  return offset === undefined ? Effect.succeed({ cursor }) : exclusive("/query/offset", "cursor")
}

/** The error for two parameters that cannot be combined; `path` points at the rejected one. */
export const exclusive = (path: string, other: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `The parameters ${path.slice(path.lastIndexOf("/") + 1)} and ${other} cannot be combined.`,
    details: {
      issues: [{ path, code: "mutually_exclusive", message: `Cannot be combined with ${other}.` }],
    },
  })

export const cursorRefused = ({ reason }: CursorRefused) =>
  refuse({
    code: "INVALID_CURSOR",
    message: `Invalid cursor: ${reason}.`,
    details: { reason },
  })

/** Maximum rows per page. */
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

/** `total` is always known, because these lists are counted without a time limit. `list`: the hint when it is empty. */
export const listMetaOf = <Row>(
  { hasMore, nextCursor, offset, rows, total }: ListPage<Row>,
  limit: number,
  list?: EmptyList,
) => ({
  limit,
  offset,
  total: total ?? 0,
  hasMore,
  nextCursor,
  ...(list === undefined || total !== 0 ? {} : hintIfEmpty(rows, list)),
})
