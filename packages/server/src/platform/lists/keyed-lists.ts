// Pages of a list, by cursor or by offset. Both are found by key (spec 1.6), so a deep page costs as much as the first.
// A cursor is bound to organization, route and filters. The ends of pages requested by offset are remembered
// (page-boundaries.ts) until the list changes. The caller defines the rows.
import { Context, DateTime, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import type { ListKey, ListStart } from "../database/lists.ts"
import { OnReplica } from "../database/on-replica.ts"
import { Replica } from "../database/replica.ts"
import {
  cursorExpiry,
  type CursorRefused,
  type CursorScope,
  decodeCursor,
  encodeCursor,
  ListCursor,
} from "./cursor.ts"
import { PageBoundaries } from "./page-boundaries.ts"
import { Secrets } from "../secrets/secrets.ts"

/** Where the page starts, as requested: after a cursor, or after a number of rows. */
export type ListPosition = { readonly cursor: string } | { readonly offset: number }

export interface ListQuestion {
  readonly organizationId: string
  readonly route: string
  /** Every scope and filter parameter of the list: JSON values, always in the same order. */
  readonly filters: ReadonlyArray<unknown>
  readonly position: ListPosition
  /** Rows per page. May differ from page to page. */
  readonly limit: number
}

/** How to read and count a list's rows as of a given time. */
export interface ListSource<Row, E = never> {
  /** Fails when the list's parent does not exist. Runs after the cursor is checked and before rows are read. */
  readonly parent?: Effect.Effect<unknown, E>
  rows(start: ListStart, limit: number, asOf: DateTime.Utc): Effect.Effect<ReadonlyArray<Row>, E>
  /** Null when counting took too long. */
  count(asOf: DateTime.Utc): Effect.Effect<number | null, E>
  /** The sort key of a row; never contains an address, a name or a URL. */
  keyOf(row: Row): ListKey
  /**
   * Changes with every write that may move or change rows. Remembered page ends include it, so they become unknown when
   * the list changes. Omit it for short lists, whose pages are found by offset.
   */
  readonly version?: Effect.Effect<string, E>
  /** Whether the rows may be read from the replica: those that no one changes by a request. */ // spec 18.5
  readonly mayLag?: true
}

export interface ListPage<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Rows before this page; also counted when paging by cursor. */
  readonly offset: number
  readonly asOf: DateTime.Utc
  /** Counted with the first page and repeated on later pages of the same traversal. */
  readonly total: number | null
  readonly hasMore: boolean
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** A position in the list, and what is fixed for the whole traversal. */
interface Place {
  readonly offset: number
  readonly asOf: DateTime.Utc
  readonly start: ListStart
  /** Rows to drop from the start of the result: 0 or 1. */
  readonly rowsBefore: number
  readonly total: number | null | undefined
  /** The log position at which the previous page was read, if there is a replica. */
  readonly atLeast?: string | undefined
}

interface ListRequest {
  readonly question: ListQuestion
  readonly scope: CursorScope
  readonly atCursor: Place | undefined
  readonly now: DateTime.Utc
}

/** Decodes a list cursor. */
const openCursor = decodeCursor(ListCursor)

const make = Effect.gen(function* () {
  const boundaries = yield* PageBoundaries
  const secrets = yield* Secrets
  const replica = yield* Replica

  const placeAtCursor = (text: string, scope: CursorScope, now: DateTime.Utc) =>
    Effect.map(
      openCursor(secrets, text, {
        now,
        isInScope: ({ f, o, r }) => o === scope.o && r === scope.r && f === scope.f,
      }),
      (cursor): Place => ({
        offset: cursor.n,
        asOf: DateTime.makeUnsafe(cursor.a),
        start: { after: cursor.k },
        rowsBefore: 0,
        total: cursor.c,
        atLeast: cursor.l,
      }),
    )

  /** A page requested without its predecessor is read one row early; that row is remembered as its boundary. */
  const placeAtOffset = Effect.fnUntraced(function* (
    offset: number,
    traversal: string | undefined,
    now: DateTime.Utc,
  ): Effect.fn.Return<Place> {
    if (offset === 0 || traversal === undefined)
      return { offset, asOf: now, start: { offset }, rowsBefore: 0, total: undefined }
    const known = yield* boundaries.find(traversal, offset)
    const total = (known ?? (yield* boundaries.find(traversal, 0)))?.total
    return known?.after === undefined
      ? { offset, asOf: now, start: { offset: offset - 1 }, rowsBefore: 1, total }
      : { offset, asOf: now, start: { after: known.after }, rowsBefore: 0, total }
  })

  const page = Effect.fn("KeyedLists.page")(function* <Row, E = never>(
    question: ListQuestion,
    source: ListSource<Row, E>,
  ): Effect.fn.Return<ListPage<Row>, CursorRefused | E> {
    const { filters, organizationId, position, route } = question
    const now = yield* DateTime.now
    const scope = { o: organizationId, r: route, f: hashOf(filters) }
    const atCursor =
      "cursor" in position ? yield* placeAtCursor(position.cursor, scope, now) : undefined
    // Parameters are checked before objects. spec 1.4
    if (source.parent !== undefined) yield* source.parent
    const read = readAt({ question, scope, atCursor, now }, source)
    return yield* source.mayLag === true
      ? replica.read(organizationId, read, atCursor?.atLeast)
      : read
  })

  const readAt = Effect.fnUntraced(function* <Row, E>(
    { atCursor, now, question, scope }: ListRequest,
    source: ListSource<Row, E>,
  ): Effect.fn.Return<ListPage<Row>, E> {
    const { limit, position, route } = question
    // Only pages read by offset are remembered, because a cursor may be older than the list. The version is read before
    // the rows, so a write in between makes the boundaries unknown instead of wrong. A replica reaches a version later
    // than the primary, so each has its own boundaries.
    const traversal =
      "cursor" in position || source.version === undefined
        ? undefined
        : `${scope.o} ${route} ${scope.f} ${yield* source.version} ${yield* OnReplica}`
    const place =
      atCursor ?? (yield* placeAtOffset("offset" in position ? position.offset : 0, traversal, now))
    const { asOf, offset, rowsBefore, start } = place
    const [read, total] = yield* Effect.all(
      [
        source.rows(start, rowsBefore + limit + 1, asOf),
        place.total === undefined ? source.count(asOf) : Effect.succeed(place.total),
      ],
      { concurrency: "unbounded" },
    )
    const before = rowsBefore === 0 ? undefined : read[0]
    const remember = (at: number, after: ListKey | undefined) =>
      traversal === undefined ? Effect.void : boundaries.remember(traversal, at, { after, total })
    if (offset === 0) yield* remember(0, undefined)
    if (before !== undefined) yield* remember(offset, source.keyOf(before))
    const rows = read.slice(rowsBefore, rowsBefore + limit)
    const last = rows.at(-1)
    if (last === undefined || read.length <= rowsBefore + limit) {
      return { rows, offset, asOf, total, hasMore: false, nextCursor: null }
    }
    const after = source.keyOf(last)
    yield* remember(offset + limit, after)
    const readAtLeast = source.mayLag === true ? yield* replica.position : undefined
    const nextCursor = encodeCursor(secrets, {
      ...scope,
      a: DateTime.formatIso(asOf),
      k: after,
      n: offset + limit,
      c: total,
      ...(readAtLeast === undefined ? {} : { l: readAtLeast }),
      exp: cursorExpiry(now),
    })
    return { rows, offset, asOf, total, hasMore: true, nextCursor }
  })

  return { page }
})

export class KeyedLists extends Context.Service<
  KeyedLists,
  {
    /**
     * Reads one page.
     *
     * *Errors*: CursorRefused for a cursor of another list or an expired one; errors of the source. *Guarantee*: rows
     * and total of a page are read as of the same time, the cursor's or now.
     */
    page<Row, E = never>(
      question: ListQuestion,
      source: ListSource<Row, E>,
    ): Effect.Effect<ListPage<Row>, CursorRefused | E>
  }
>()("@footfall/server/lists/KeyedLists") {
  static readonly layer = Layer.effect(KeyedLists, make)
}

const hashOf = (filters: ReadonlyArray<unknown>): string =>
  createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 22)
