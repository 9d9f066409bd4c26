// Breakdowns: what the sessions of a period have most of, such as pages or countries, beside another period (spec 13.3.10).
import { Context, Effect, Layer } from "effect"
import { keyPageOf } from "../../../collect/visits/key-page.ts"
import { type PixelNotFound, Pixels } from "../../../collect/pixels/pixels.ts"
import type { Sites } from "../../../collect/pixels/store.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { type QueryTooSlow, type RulesBusy, RuleTurns } from "../query/rule-turns.ts"
import { type BreakdownRows, BreakdownStore } from "./breakdown-store.ts"
import { type BreakdownFigures, type Dimension, noFigures } from "./breakdown.ts"
import type { OverviewQuestion } from "./overview.ts"
import { type DaysRefused, type Span, spansOf } from "./windows.ts"

/** `comparison`: the same figures of the period that `compare` asks for. */
interface Compared extends BreakdownFigures {
  readonly comparison: BreakdownFigures | null
}

export interface Breakdown {
  readonly suppressed: SuppressedFilter
  readonly timeZone: string
  readonly by: Dimension
  /** Of all sessions of the period. */
  readonly totals: Compared
  /** Most sessions first. */
  readonly rows: ReadonlyArray<
    {
      readonly value: string | null
      /** The name of a key page. */
      readonly keyPage: string | null
    } & Compared
  >
  readonly hasMore: boolean
}

export interface BreakdownRequest extends OverviewQuestion {
  readonly by: Dimension
  readonly limit: number
}

const make = Effect.gen(function* () {
  const store = yield* BreakdownStore
  const pixels = yield* Pixels
  const turns = yield* RuleTurns

  const sitesOf = (organizationId: string, sites: Sites) =>
    Effect.map(pixels.list(organizationId), (all) =>
      all.filter(({ id }) => sites === undefined || sites.includes(id)),
    )

  /**
   * *Errors*: PixelNotFound for an unknown pixel id; DaysRefused for days that are too many, too old or still to come;
   * QueryTooSlow, RulesBusy.
   */
  const read = Effect.fn("Breakdowns.read")(function* (
    request: BreakdownRequest,
  ): Effect.fn.Return<Breakdown, DaysRefused | PixelNotFound | QueryTooSlow | RulesBusy> {
    const { by, compare, limit, organizationId, period, suppressed } = request
    const { pixels: found, sites, timeZone } = yield* pixels.scope(organizationId, request)
    const { other, span } = yield* spansOf(period, compare, timeZone)
    const none: BreakdownRows = { totals: noFigures, rows: [] }
    const isEmpty = sites !== undefined && found === 0
    const question = (asked: Span) => ({
      ...asked,
      organizationId,
      pixelId: sites,
      by,
      suppressed,
    })
    const now = isEmpty
      ? none
      : yield* turns.rows(organizationId, store.top(question(span), limit + 1))
    const rows = now.rows.slice(0, limit)
    const values = rows.map(({ value }) => value)
    const before =
      other === undefined
        ? undefined
        : isEmpty
          ? none
          : yield* turns.rows(organizationId, store.named(question(other), values))
    const byValue = new Map(before?.rows.map(({ value, ...figures }) => [value, figures]))
    const withKeyPages =
      by === "page" || by === "entry_page" ? yield* sitesOf(organizationId, sites) : []
    return {
      suppressed,
      timeZone,
      by,
      totals: { ...now.totals, comparison: before?.totals ?? null },
      rows: rows.map((row) => ({
        ...row,
        keyPage: row.value === null ? null : keyPageOf(row.value, withKeyPages),
        comparison: before === undefined ? null : (byValue.get(row.value) ?? noFigures),
      })),
      hasMore: now.rows.length > limit,
    }
  })

  return { read }
})

export class Breakdowns extends Context.Service<Breakdowns, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/Breakdowns",
) {
  static readonly layer = Layer.effect(Breakdowns, make)
}
