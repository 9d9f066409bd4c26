// Visitors matching a rule or a saved segment (spec 3, 5.1). Read-only and free of credits. Takes turns with other
// rules and has a time limit.
import { Context, DateTime, Effect, Layer } from "effect"
import { KeyedLists } from "../../platform/lists/keyed-lists.ts"
import { Pixels } from "../../collect/pixels/pixels.ts"
import { type Coverage, Coverages } from "./coverages/coverages.ts"
import {
  type ListOrder,
  type ListScope,
  scopeFilters,
  type SuppressedFilter,
} from "./list-scope.ts"
import { VisitorStore } from "./store.ts"
import { boundsOf, type Period } from "./timeframe.ts"
import type { VisitorRow } from "./visitor-row.ts"
import { type Qualification, ruleOfQuery } from "./qualification.ts"
import { windowOf } from "./query/rule.ts"
import { countMsMax, RuleTurns } from "./query/rule-turns.ts"

export interface VisitorQuestion {
  readonly organizationId: string
  readonly by: Qualification
  /** Replaces the rule's window. */
  readonly window: Period | undefined
  readonly pixelId: string | undefined
  /** The pixels that the caller may see. Undefined: all of the organization. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
  readonly suppressed: SuppressedFilter
  /** Default: last seen first. */
  readonly sort: ListOrder | undefined
  readonly position: { readonly page: number } | { readonly cursor: string }
  readonly limit: number
}

export interface QualifiedVisitors {
  readonly visitors: ReadonlyArray<VisitorRow>
  readonly page: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
  /** Null when counting took too long. */
  readonly total: number | null
  readonly coverage: Coverage
}

const make = Effect.gen(function* () {
  const store = yield* VisitorStore
  const ruleOf = yield* ruleOfQuery
  const pixels = yield* Pixels
  const lists = yield* KeyedLists
  const turns = yield* RuleTurns
  const coverages = yield* Coverages

  /**
   * One page of matching visitors, last seen or highest score first.
   *
   * *Errors*: InvalidRule; PixelNotFound and SegmentNotFound, also for another organization's; WrongSegment for one of
   * companies; CursorRefused for another query's cursor; QueryTooSlow, RulesBusy.
   */
  const ask = Effect.fn("VisitorQueries.ask")(function* (question: VisitorQuestion) {
    const { by, limit, organizationId, pixelId, pixelIds, position, sort, suppressed } = question
    const ast = yield* ruleOf(organizationId, by, "people")
    const timeframe = windowOf(ast, question.window)
    const readPixels = pixels.scope(organizationId, { pixelId, pixelIds })
    const known =
      typeof timeframe === "string" && pixelIds === undefined ? undefined : yield* readPixels
    const scopeAt = (asOf: DateTime.Utc): ListScope => ({
      organizationId,
      pixelId: known === undefined ? pixelId : known.sites,
      isEmpty: false,
      timeframe,
      asOf,
      ...boundsOf(timeframe, known?.timeZone ?? "UTC", asOf),
      suppressed,
      sort,
      rule: ast.rule,
    })
    const readPage = lists.page(
      {
        organizationId,
        route: "POST /v1/data/query",
        filters: scopeFilters(scopeAt(yield* DateTime.now)),
        position: "cursor" in position ? position : { offset: (position.page - 1) * limit },
        limit,
      },
      {
        rows: (start, count, asOf) =>
          turns.rows(organizationId, store.listWithin(scopeAt(asOf), start, count)),
        count: (asOf) => turns.take(organizationId, store.countWithin(scopeAt(asOf), countMsMax)),
        keyOf: (row) => row.scoreKey ?? [row.lastSeenAt, row.emailHash],
        mayLag: true,
      },
    )
    const [found, { retentionDays }] = yield* Effect.all(
      [readPage, known === undefined ? readPixels : Effect.succeed(known)],
      { concurrency: "unbounded" },
    )
    return {
      visitors: found.rows,
      page: Math.floor(found.offset / limit) + 1,
      hasMore: found.hasMore,
      nextCursor: found.nextCursor,
      total: found.total,
      coverage: yield* coverages.find(scopeAt(found.asOf), retentionDays),
    }
  })

  return { ask }
})

export class VisitorQueries extends Context.Service<VisitorQueries, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/VisitorQueries",
) {
  static readonly layer = Layer.effect(VisitorQueries, make)
}
