// Pages of a list, by cursor or by offset. A cursor finds its page by key, so a deep page costs as much as the first
// (spec 1.6). It is bound to organization, route and filters. The caller defines the rows.
import { Context, DateTime, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import type { ListKey, ListStart } from "../database/lists.ts"
import { Replica } from "../database/replica.ts"
import {
  cursorExpiry,
  type CursorRefused,
  type CursorScope,
  decodeCursor,
  encodeCursor,
  ListCursor,
} from "./cursor.ts"
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
  /** Whether the rows may be read from the replica: those that no one changes by a request. */ // spec 18.5
  readonly mayLag?: true
}

export interface ListPage<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Rows before this page; also counted when paging by cursor. */
  readonly offset: number
  readonly asOf: DateTime.Utc
  /** Counted with a page that is requested by offset, and repeated on the pages that its cursor leads to. */
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
  /** Undefined if it is not counted yet. */
  readonly total: number | null | undefined
  /** The log position at which the previous page was read, if there is a replica. */
  readonly atLeast?: string | undefined
}

interface ListRequest {
  readonly limit: number
  readonly scope: CursorScope
  readonly place: Place
  readonly now: DateTime.Utc
}

/** Decodes a list cursor. */
const openCursor = decodeCursor(ListCursor)

const make = Effect.gen(function* () {
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
        total: cursor.c,
        atLeast: cursor.l,
      }),
    )

  const page = Effect.fn("KeyedLists.page")(function* <Row, E = never>(
    question: ListQuestion,
    source: ListSource<Row, E>,
  ): Effect.fn.Return<ListPage<Row>, CursorRefused | E> {
    const { filters, limit, organizationId, position, route } = question
    const now = yield* DateTime.now
    const scope = { o: organizationId, r: route, f: filtersHash(filters) }
    const place: Place =
      "cursor" in position
        ? yield* placeAtCursor(position.cursor, scope, now)
        : { offset: position.offset, asOf: now, start: position, total: undefined }
    // Parameters are checked before objects. spec 1.4
    if (source.parent !== undefined) yield* source.parent
    const read = readAt({ limit, scope, place, now }, source)
    return yield* source.mayLag === true ? replica.read(organizationId, read, place.atLeast) : read
  })

  const readAt = Effect.fnUntraced(function* <Row, E>(
    { limit, now, place, scope }: ListRequest,
    source: ListSource<Row, E>,
  ): Effect.fn.Return<ListPage<Row>, E> {
    const { asOf, offset, start } = place
    const [read, total] = yield* Effect.all(
      [
        source.rows(start, limit + 1, asOf),
        place.total === undefined ? source.count(asOf) : Effect.succeed(place.total),
      ],
      { concurrency: "unbounded" },
    )
    const rows = read.slice(0, limit)
    const last = rows.at(-1)
    if (last === undefined || read.length <= limit) {
      return { rows, offset, asOf, total, hasMore: false, nextCursor: null }
    }
    const readAtLeast = source.mayLag === true ? yield* replica.position : undefined
    const nextCursor = encodeCursor(secrets, {
      ...scope,
      a: DateTime.formatIso(asOf),
      k: source.keyOf(last),
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

/** Binds a cursor to scope and filters without naming them. */
export const filtersHash = (filters: ReadonlyArray<unknown>): string =>
  createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 22)
