// Identified visitors: the list, and one person with their journey (spec 2.1, 5.1). The list is paged by cursor or page
// number; both find pages by key.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { CursorRefused } from "../../platform/lists/cursor.ts"
import { KeyedLists } from "../../platform/lists/keyed-lists.ts"
import type { ListKey, ListStart } from "../../platform/database/lists.ts"
import { Pixels, type PixelNotFound } from "../../collect/pixels/pixels.ts"
import type { PixelScope, PixelScopeRow } from "../../collect/pixels/store.ts"
import { emailHashOf, normalizeEmail } from "../../collect/visits/email-address.ts"
import { type Coverage, Coverages } from "./coverages/coverages.ts"
import { countMsMax, type QueryTooSlow, type RulesBusy, RuleTurns } from "./query/rule-turns.ts"
import {
  type ListOrder,
  type ListScope,
  scopeFilters,
  type SuppressedFilter,
} from "./list-scope.ts"
import type { RuleNode } from "./query/rule.ts"
import type { SessionRow } from "./sessions/session-row.ts"
import { SessionStore } from "./sessions/store.ts"
import { VisitorStore } from "./store.ts"
import { boundsOf, type Period } from "./timeframe.ts"
import type { VisitorRow } from "./visitor-row.ts"

/** Default number of visitors per page. */ // spec 10.3
const visitorPageSize = 50
/** Sessions in a journey. */ // spec 10.3
export const journeySessionsMax = 50

export class VisitorNotFound extends Schema.TaggedError<VisitorNotFound>()("VisitorNotFound", {}) {}

export interface VisitorFilter extends PixelScope {
  readonly organizationId: string
  readonly timeframe: Period
  readonly suppressed: SuppressedFilter
  /** A part of the name or of an address. */
  readonly q?: string | undefined
  /** Only those whose owner or tags match. */
  readonly rule?: RuleNode | undefined
  /** Default: last seen first. */
  readonly sort?: ListOrder | undefined
}

export interface VisitorList {
  readonly visitors: ReadonlyArray<VisitorRow>
  readonly page: number
  /** Null when counting what `q` finds took too long. */
  readonly total: number | null
  readonly hasMore: boolean
  readonly nextCursor: string | null
  readonly coverage: Coverage
  readonly scope: PixelScopeRow
}

export interface VisitorJourney {
  readonly visitor: VisitorRow
  /** First session within window and scope. */
  readonly first: SessionRow | undefined
  /** Newest first, at most 50. */
  readonly sessions: ReadonlyArray<SessionRow>
  readonly scope: PixelScopeRow
}

interface VisitorsShape {
  /**
   * One page of people with an event within window and scope, last seen or highest score first. Errors: PixelNotFound for
   * an unknown pixel id, CursorRefused for another list's cursor; with `q`, `rule` or by score, QueryTooSlow and RulesBusy.
   */
  list(
    filter: VisitorFilter,
    position: { readonly page: number } | { readonly cursor: string },
    pageSize?: number,
  ): Effect.Effect<VisitorList, PixelNotFound | CursorRefused | QueryTooSlow | RulesBusy>
  /** One person. Errors: VisitorNotFound, also outside scope and window. */
  find(
    filter: VisitorFilter,
    /** Any of the person's addresses, or its SHA-256. */
    email: string,
  ): Effect.Effect<VisitorJourney, PixelNotFound | VisitorNotFound>
}

const route = "GET /v1/data"

const make = Effect.gen(function* () {
  const store = yield* VisitorStore
  const sessionStore = yield* SessionStore
  const pixels = yield* Pixels
  const lists = yield* KeyedLists
  const coverages = yield* Coverages
  const turns = yield* RuleTurns

  const listScope = (
    filter: VisitorFilter,
    /** The pixels of a domain or of the caller, and the time zone of days; not needed otherwise. */
    found: PixelScopeRow | undefined,
    asOf: DateTime.Utc,
  ): ListScope => ({
    organizationId: filter.organizationId,
    pixelId: found === undefined ? filter.pixelId : found.sites,
    isEmpty: found?.pixels === 0 && found.sites !== undefined,
    timeframe: filter.timeframe,
    asOf,
    ...boundsOf(filter.timeframe, found?.timeZone ?? "UTC", asOf),
    suppressed: filter.suppressed,
    q: filter.q === undefined ? undefined : { text: filter.q, emailHash: hashOf(filter.q) },
    sort: filter.sort,
    ...(filter.rule === undefined ? {} : { rule: filter.rule }),
  })

  /** Some lists may be expensive: they take turns with rules and have a limit. */
  const limited = {
    rows: (scope: ListScope, start: ListStart, limit: number) =>
      turns.rows(scope.organizationId, store.listWithin(scope, start, limit)),
    count: (scope: ListScope) =>
      turns.take(scope.organizationId, store.countWithin(scope, countMsMax)),
  }

  const list = Effect.fn("Visitors.list")(function* (
    filter: VisitorFilter,
    position: { readonly page: number } | { readonly cursor: string },
    pageSize: number = visitorPageSize,
  ) {
    const { domain, organizationId, pixelIds, q, rule, sort, timeframe } = filter
    const readPixels = pixels.scope(organizationId, filter)
    // Only these need it first. Otherwise it is read at the same time as the list.
    const isNeeded = domain !== undefined || pixelIds !== undefined || typeof timeframe !== "string"
    const known = isNeeded ? yield* readPixels : undefined
    const scopeAt = (asOf: DateTime.Utc) => listScope(filter, known, asOf)
    const nowScope = scopeAt(yield* DateTime.now)
    const isLimited =
      q !== undefined ||
      rule !== undefined ||
      nowScope.until !== undefined ||
      typeof nowScope.pixelId === "object" ||
      sort === "score"
    const rowsOf = isLimited ? limited.rows : store.list
    const countOf = isLimited ? limited.count : store.count
    const readPage = lists.page<VisitorRow, QueryTooSlow | RulesBusy>(
      {
        organizationId,
        route,
        filters: scopeFilters(nowScope),
        position: "cursor" in position ? position : { offset: (position.page - 1) * pageSize },
        limit: pageSize,
      },
      {
        rows: (start, limit, asOf) =>
          nowScope.isEmpty ? Effect.succeed([]) : rowsOf(scopeAt(asOf), start, limit),
        count: (asOf) => (nowScope.isEmpty ? Effect.succeed(0) : countOf(scopeAt(asOf))),
        keyOf,
        mayLag: true,
      },
    )
    const [found, scope] = yield* Effect.all(
      [readPage, known === undefined ? readPixels : Effect.succeed(known)],
      { concurrency: "unbounded" },
    )
    return {
      visitors: found.rows,
      page: Math.floor(found.offset / pageSize) + 1,
      hasMore: found.hasMore,
      nextCursor: found.nextCursor,
      total: found.total,
      coverage: yield* coverages.find(scopeAt(found.asOf), scope.retentionDays),
      scope,
    }
  })

  const find = Effect.fn("Visitors.find")(function* (filter: VisitorFilter, email: string) {
    const pixelScope = yield* pixels.scope(filter.organizationId, filter)
    const scope = listScope(filter, pixelScope, yield* DateTime.now)
    if (scope.isEmpty) return yield* new VisitorNotFound()
    const hash = hashOf(email)
    const visitor = yield* store.find(scope, hash)
    if (visitor === undefined) return yield* new VisitorNotFound()
    const [sessions, [first]] = yield* Effect.all(
      [
        sessionStore.list(scope, { emailHash: hash }, { order: "desc", limit: journeySessionsMax }),
        sessionStore.list(scope, { emailHash: hash }, { order: "asc", limit: 1 }),
      ],
      { concurrency: "unbounded" },
    )
    return { visitor, sessions, first, scope: pixelScope }
  })

  return { list, find } satisfies VisitorsShape
})

/** Addresses contain an `@`, so no address matches this. */
const hashForm = /^[0-9a-f]{64}$/

/** The hash of an address in any spelling; a hash stays as it is. */
const hashOf = (email: string): string => {
  const address = email.trim().toLowerCase()
  return hashForm.test(address) ? address : emailHashOf(normalizeEmail(email) ?? address)
}

const keyOf = (row: VisitorRow): ListKey => row.scoreKey ?? [row.lastSeenAt, row.emailHash]

export class Visitors extends Context.Service<Visitors, VisitorsShape>()(
  "@footfall/server/visitors/Visitors",
) {
  static readonly layer = Layer.effect(Visitors, make)
}
