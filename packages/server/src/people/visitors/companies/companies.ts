// Companies: the list, and one with its journey and people (spec 13.3).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { ListKey, ListStart } from "../../../platform/database/lists.ts"
import type { CursorRefused } from "../../../platform/lists/cursor.ts"
import { KeyedLists } from "../../../platform/lists/keyed-lists.ts"
import { type PixelNotFound, Pixels } from "../../../collect/pixels/pixels.ts"
import type { PixelScope, PixelScopeRow } from "../../../collect/pixels/store.ts"
import { type Coverage, Coverages } from "../coverages/coverages.ts"
import type { ListOrder, SuppressedFilter } from "../list-scope.ts"
import type { RuleNode } from "../query/rule.ts"
import {
  countMsMax,
  orTooSlow,
  type QueryTooSlow,
  type RulesBusy,
  RuleTurns,
} from "../query/rule-turns.ts"
import type { SessionRow } from "../sessions/session-row.ts"
import { SessionStore } from "../sessions/store.ts"
import { VisitorStore } from "../store.ts"
import { boundsOf, type Period } from "../timeframe.ts"
import type { VisitorRow } from "../visitor-row.ts"
import { type CompanyRow, type CompanyScope, CompanyStore } from "./store.ts"

/** Sessions of a journey, and people of a company. spec 13.3. */
const journeySessionsMax = 50
const peopleMax = 50

export class CompanyNotFound extends Schema.TaggedError<CompanyNotFound>()("CompanyNotFound", {}) {}

export interface CompanyFilter extends PixelScope {
  readonly organizationId: string
  readonly timeframe: Period
  readonly suppressed: SuppressedFilter
  readonly q?: string | undefined
  readonly minSessions?: number | undefined
  readonly isAnonymous?: boolean | undefined
  /** Only companies that match it. */
  readonly rule?: RuleNode | undefined
  /** The list whose cursor continues it. Default: the list of companies. */
  readonly route?: "POST /v1/data/companies/query" | undefined
  /** Default: last seen first. */
  readonly sort?: ListOrder | undefined
}

export interface CompanyPage {
  readonly companies: ReadonlyArray<CompanyRow>
  readonly page: number
  /** Null when counting took too long. */
  readonly total: number | null
  readonly hasMore: boolean
  readonly nextCursor: string | null
  readonly coverage: Coverage
  readonly scope: PixelScopeRow
}

export interface CompanyJourney {
  readonly company: CompanyRow
  /** First session within window and scope. */
  readonly first: SessionRow | undefined
  /** Newest first, at most 50. */
  readonly sessions: ReadonlyArray<SessionRow>
  /** At most 50, last seen first; without suppressed people and people held back. */
  readonly people: ReadonlyArray<VisitorRow>
}

interface CompaniesShape {
  /**
   * One page of companies with a session within window and scope, last seen or highest score first. Errors: PixelNotFound for an unknown
   * pixel id, CursorRefused for another list's cursor, QueryTooSlow; RulesBusy if the list is a narrowed one.
   */
  list(
    filter: CompanyFilter,
    position: { readonly page: number } | { readonly cursor: string },
    limit: number,
  ): Effect.Effect<CompanyPage, PixelNotFound | CursorRefused | QueryTooSlow | RulesBusy>
  /** The company with a registrable domain. Errors: CompanyNotFound, also outside scope and window. */
  find(
    filter: CompanyFilter,
    domain: string,
  ): Effect.Effect<CompanyJourney, PixelNotFound | CompanyNotFound>
}

const make = Effect.gen(function* () {
  const store = yield* CompanyStore
  const sessionStore = yield* SessionStore
  const visitorStore = yield* VisitorStore
  const pixels = yield* Pixels
  const lists = yield* KeyedLists
  const coverages = yield* Coverages
  const turns = yield* RuleTurns

  const list: CompaniesShape["list"] = Effect.fn("Companies.list")(
    function* (filter, position, limit) {
      const { isAnonymous, minSessions, organizationId, q, rule, sort, suppressed, timeframe } =
        filter
      const pixelScope = yield* pixels.scope(organizationId, filter)
      const isEmpty = hasNoPixel(pixelScope)
      const scopeAt = (asOf: DateTime.Utc) => scopeOf(filter, pixelScope, asOf)
      const nowScope = scopeAt(yield* DateTime.now)
      const isLimited = mayBeExpensive(nowScope)
      const rowsOf = (scope: CompanyScope, start: ListStart, count: number) => {
        const rows = store.list(scope, start, count)
        return isLimited ? turns.rows(organizationId, rows) : orTooSlow(rows)
      }
      const countOf = (scope: CompanyScope) =>
        isLimited
          ? turns.take(organizationId, store.countWithin(scope, countMsMax))
          : store.count(scope)
      const found = yield* lists.page<CompanyRow, QueryTooSlow | RulesBusy>(
        {
          organizationId,
          route: filter.route ?? "GET /v1/data/companies",
          filters: [
            nowScope.pixelId ?? null,
            isEmpty,
            timeframe,
            q ?? null,
            minSessions ?? null,
            isAnonymous ?? false,
            suppressed,
            ...(rule === undefined ? [] : [rule]),
            ...(sort === "score" ? [{ sort }] : []),
          ],
          position: "cursor" in position ? position : { offset: (position.page - 1) * limit },
          limit,
        },
        {
          rows: (start, count, asOf) =>
            isEmpty ? Effect.succeed([]) : rowsOf(scopeAt(asOf), start, count),
          count: (asOf) => (isEmpty ? Effect.succeed(0) : countOf(scopeAt(asOf))),
          keyOf,
          mayLag: true,
        },
      )
      const { from } = scopeAt(found.asOf)
      return {
        companies: found.rows.map(({ scoreKey: _, ...company }) => company),
        page: Math.floor(found.offset / limit) + 1,
        hasMore: found.hasMore,
        nextCursor: found.nextCursor,
        total: found.total,
        coverage: yield* coverages.find(
          { organizationId, asOf: found.asOf, from },
          pixelScope.retentionDays,
        ),
        scope: pixelScope,
      }
    },
  )

  const find: CompaniesShape["find"] = Effect.fn("Companies.find")(function* (filter, domain) {
    const { organizationId, timeframe } = filter
    const pixelScope = yield* pixels.scope(organizationId, filter)
    if (hasNoPixel(pixelScope)) return yield* new CompanyNotFound()
    const asOf = yield* DateTime.now
    const scope = scopeOf(filter, pixelScope, asOf)
    const company = yield* store.find(scope, domain)
    if (company === undefined) return yield* new CompanyNotFound()
    const owner = { companyDomain: domain }
    const { from, pixelId, until } = scope
    const inWindow = { organizationId, pixelId, from, until, asOf }
    const [sessions, [first], ids] = yield* Effect.all(
      [
        sessionStore.list(inWindow, owner, { order: "desc", limit: journeySessionsMax }),
        sessionStore.list(inWindow, owner, { order: "asc", limit: 1 }),
        store.people(scope, domain, peopleMax),
      ],
      { concurrency: "unbounded" },
    )
    const people = yield* visitorStore
      .findByIds({ ...inWindow, timeframe, isEmpty: false, suppressed: "exclude" }, ids)
      .pipe(Effect.orDie)
    return {
      company,
      sessions,
      first,
      people: ids.flatMap((id) => people.get(id) ?? []),
    }
  })

  return { list, find } satisfies CompaniesShape
})

/** Many companies may be read to find those of a page. Such a list takes turns with rules, and counting it has a limit. */
const mayBeExpensive = ({
  minSessions = 1,
  pixelId,
  q,
  rule,
  sort,
  suppressed,
  until,
}: CompanyScope) =>
  typeof pixelId === "object" ||
  q !== undefined ||
  rule !== undefined ||
  until !== undefined ||
  minSessions > 1 ||
  suppressed === "only" ||
  sort === "score"

/** The scope has no pixel, so it has no companies. */
const hasNoPixel = ({ pixels, sites }: PixelScopeRow) => pixels === 0 && sites !== undefined

const scopeOf = (
  filter: CompanyFilter,
  { sites, timeZone }: PixelScopeRow,
  asOf: DateTime.Utc,
): CompanyScope => ({
  organizationId: filter.organizationId,
  pixelId: sites,
  ...boundsOf(filter.timeframe, timeZone, asOf),
  suppressed: filter.suppressed,
  q: filter.q,
  minSessions: filter.minSessions,
  isAnonymous: filter.isAnonymous,
  ...(filter.rule === undefined ? {} : { rule: { node: filter.rule, asOf } }),
  sort: filter.sort,
})

const keyOf = ({ domain, lastSeenAt, scoreKey = [lastSeenAt, domain] }: CompanyRow): ListKey =>
  scoreKey

export class Companies extends Context.Service<Companies, CompaniesShape>()(
  "@footfall/server/visitors/Companies",
) {
  static readonly layer = Layer.effect(Companies, make)
}
