// Identified visitors: the list, and one person with their journey (service.md, GET /v1/data;
// decisions.md 2.1, 5.1). The list is walked by cursor or by page number; both find a page by key.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import {
  type CursorRefused,
  type CursorScope,
  cursorLifetimeSeconds,
  decodeCursor,
  encodeCursor,
} from "../http/cursor.ts"
import { Secrets } from "../http/secrets.ts"
import { Pixels, type PixelNotFound } from "../pixels/pixels.ts"
import type { PixelScope, PixelScopeRow } from "../pixels/store.ts"
import { hashEmail } from "../visits/email-address.ts"
import {
  type ListKey,
  type ListPosition,
  type ListScope,
  scopeHash,
  type SuppressedFilter,
} from "./list-scope.ts"
import { PageBoundaries } from "./page-boundaries.ts"
import type { SessionRow } from "./session-row.ts"
import { VisitorStore } from "./store.ts"
import { type Timeframe, windowStart } from "./timeframe.ts"
import type { VisitorRow } from "./visitor-row.ts"

/** Visitors of a page. service.md, Limits. */
export const visitorPageSize = 50
/** Sessions of a journey. decisions.md 10.3. */
export const journeySessionsMax = 50

export class VisitorNotFound extends Schema.TaggedError<VisitorNotFound>()("VisitorNotFound", {}) {}

export interface VisitorFilter extends PixelScope {
  readonly organizationId: string
  readonly timeframe: Timeframe
  readonly suppressed: SuppressedFilter
}

export interface VisitorList {
  readonly visitors: ReadonlyArray<VisitorRow>
  readonly page: number
  readonly total: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
  readonly coverage: Coverage
  readonly scope: PixelScopeRow
}

/** Whether all data of the window was there to be read. decisions.md 2.1. */
export interface Coverage {
  readonly partial: boolean
  readonly from: string | null
}

export interface VisitorJourney {
  readonly visitor: VisitorRow
  /** First session in window and scope. */
  readonly first: SessionRow | undefined
  /** Newest first, at most 50. */
  readonly sessions: ReadonlyArray<SessionRow>
  readonly scope: PixelScopeRow
}

interface VisitorsShape {
  /**
   * One page of people with an event in window and scope, last seen first. Errors: PixelNotFound for
   * an unknown pixel id, CursorRefused for a cursor that is not of this list.
   */
  list(
    filter: VisitorFilter,
    position: { readonly page: number } | { readonly cursor: string },
  ): Effect.Effect<VisitorList, PixelNotFound | CursorRefused>
  /** One person by any of their addresses. Errors: VisitorNotFound, also outside scope and window. */
  find(
    filter: VisitorFilter,
    email: string,
  ): Effect.Effect<VisitorJourney, PixelNotFound | VisitorNotFound>
}

const route = "GET /v1/data"

/** Where a page begins, and what its traversal has fixed. */
interface Start {
  readonly page: number
  readonly asOf: DateTime.Utc
  readonly position: ListPosition
  /** Rows at the position that stand before the page: 0 or 1. */
  readonly rowsBefore: number
  readonly total: number | undefined
}

const make = Effect.gen(function* () {
  const store = yield* VisitorStore
  const pixels = yield* Pixels
  const boundaries = yield* PageBoundaries
  const secrets = yield* Secrets

  const listScope = (
    filter: VisitorFilter,
    pixelScope: PixelScopeRow,
    asOf: DateTime.Utc,
  ): ListScope => ({
    organizationId: filter.organizationId,
    pixelId: isWholeOrganization(filter) ? undefined : (pixelScope.pixelId ?? undefined),
    isEmpty: pixelScope.pixels === 0 && !isWholeOrganization(filter),
    timeframe: filter.timeframe,
    asOf,
    from: windowStart(filter.timeframe, asOf),
    suppressed: filter.suppressed,
  })

  const list = Effect.fn("Visitors.list")(function* (
    filter: VisitorFilter,
    position: { readonly page: number } | { readonly cursor: string },
  ) {
    const now = yield* DateTime.now
    const pixelScope = yield* pixels.scope(filter.organizationId, filter)
    const nowScope = listScope(filter, pixelScope, now)
    const binding = { o: filter.organizationId, r: route, f: scopeHash(nowScope) }
    const start = yield* "cursor" in position
      ? startAtCursor(position.cursor, binding, now)
      : startAtPage(position.page, traversalOf(binding), now)
    const scope = listScope(filter, pixelScope, start.asOf)
    const [read, total] = yield* Effect.all(
      [
        readPage(scope, start),
        start.total !== undefined || scope.isEmpty
          ? Effect.succeed(start.total ?? 0)
          : store.count(scope),
      ],
      { concurrency: "unbounded" },
    )
    const { page } = start
    const traversal = traversalOf(binding)
    if (page === 1) yield* boundaries.remember(traversal, 1, { after: undefined, total })
    if (read.before !== undefined) {
      yield* boundaries.remember(traversal, page, { after: read.before, total })
    }
    const coverage = coverageOf(scope, pixelScope.retentionDays)
    const answered = { visitors: read.visitors, page, total, coverage, scope: pixelScope }
    const last = read.visitors.at(-1)
    if (last === undefined || !read.hasMore)
      return { ...answered, hasMore: false, nextCursor: null }
    yield* boundaries.remember(traversal, page + 1, { after: keyOf(last), total })
    const nextCursor = encodeCursor(secrets, {
      ...binding,
      a: DateTime.formatIso(start.asOf),
      k: keyOf(last),
      n: page * visitorPageSize,
      c: total,
      exp: secondsOf(now) + cursorLifetimeSeconds,
    })
    return { ...answered, hasMore: true, nextCursor }
  })

  const startAtCursor = (text: string, scope: CursorScope, now: DateTime.Utc) =>
    Effect.map(
      decodeCursor(secrets, text, { scope, nowSeconds: secondsOf(now) }),
      (cursor): Start => ({
        page: Math.floor(cursor.n / visitorPageSize) + 1,
        asOf: DateTime.makeUnsafe(cursor.a),
        position: { after: [cursor.k[0] ?? "", cursor.k[1] ?? ""] },
        rowsBefore: 0,
        total: cursor.c,
      }),
    )

  /** A page asked for out of the blue begins one row early: that row is its boundary from then on. */
  const startAtPage = Effect.fnUntraced(function* (
    page: number,
    traversal: string,
    now: DateTime.Utc,
  ): Effect.fn.Return<Start> {
    if (page === 1) {
      return { page, asOf: now, position: { offset: 0 }, rowsBefore: 0, total: undefined }
    }
    const known = yield* boundaries.find(traversal, page)
    const total = known?.total ?? (yield* boundaries.find(traversal, 1))?.total
    if (known?.after !== undefined) {
      return { page, asOf: now, position: { after: known.after }, rowsBefore: 0, total }
    }
    const offset = (page - 1) * visitorPageSize - 1
    return { page, asOf: now, position: { offset }, rowsBefore: 1, total }
  })

  const readPage = Effect.fnUntraced(function* (scope: ListScope, start: Start) {
    const limit = start.rowsBefore + visitorPageSize + 1
    const rows = scope.isEmpty ? [] : yield* store.list(scope, start.position, limit)
    const before = start.rowsBefore === 0 ? undefined : rows[0]
    const visitors = rows.slice(start.rowsBefore, start.rowsBefore + visitorPageSize)
    return {
      visitors,
      hasMore: rows.length === limit,
      before: before === undefined ? undefined : keyOf(before),
    }
  })

  const find = Effect.fn("Visitors.find")(function* (filter: VisitorFilter, email: string) {
    const pixelScope = yield* pixels.scope(filter.organizationId, filter)
    const scope = listScope(filter, pixelScope, yield* DateTime.now)
    if (scope.isEmpty) return yield* new VisitorNotFound()
    const hash = hashEmail(email.trim().toLowerCase()).sha256
    const visitor = yield* store.find(scope, hash)
    if (visitor === undefined) return yield* new VisitorNotFound()
    const [sessions, [first]] = yield* Effect.all(
      [
        store.sessions(scope, { emailHash: hash }, { order: "desc", limit: journeySessionsMax }),
        store.sessions(scope, { emailHash: hash }, { order: "asc", limit: 1 }),
      ],
      { concurrency: "unbounded" },
    )
    return { visitor, sessions, first, scope: pixelScope }
  })

  return { list, find } satisfies VisitorsShape
})

const coverageOf = ({ asOf, from }: ListScope, retentionDays: number | null): Coverage => {
  const kept = retentionDays === null ? undefined : DateTime.subtract(asOf, { days: retentionDays })
  const partial = kept !== undefined && (from === undefined || DateTime.isLessThan(from, kept))
  const start = partial ? kept : from
  return { partial, from: start === undefined ? null : DateTime.formatIso(start) }
}

const keyOf = (row: VisitorRow): ListKey => [row.lastSeenAt, row.emailHash]

const secondsOf = (time: DateTime.Utc): number => Math.floor(time.epochMilliseconds / 1000)

/** What numbered pages are remembered under: the same list asked for by the same organization. */
const traversalOf = ({ f, o }: CursorScope): string => `${o} ${f}`

const isWholeOrganization = ({ domain, pixelId }: PixelScope) =>
  domain === undefined && pixelId === undefined

export class Visitors extends Context.Service<Visitors, VisitorsShape>()(
  "@footfall/server/visitors/Visitors",
) {
  static readonly layer = Layer.effect(Visitors, make)
}
