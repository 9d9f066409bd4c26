// Visitors that qualify, by a rule or a saved segment (service.md, POST /v1/data/query; decisions.md 3,
// 5.1). Reads what is there, writes nothing and uses no credits. Rules may be costly: only a few are
// worked at at once, so that they never take all connections, and each for a bounded time.
import { Context, DateTime, Deferred, Effect, Layer, Schema, Semaphore } from "effect"
import type { CursorRefused } from "../../http/cursor.ts"
import { KeyedLists } from "../../http/keyed-lists.ts"
import { Pixels, type PixelNotFound } from "../../pixels/pixels.ts"
import { type ListScope, scopeFilters, type SuppressedFilter } from "../list-scope.ts"
import { type SegmentNotFound, Segments } from "../segments/segments.ts"
import { VisitorStore } from "../store.ts"
import { type Timeframe, windowStart } from "../timeframe.ts"
import type { VisitorRow } from "../visitor-row.ts"
import { type Coverage, coverageOf } from "../visitors.ts"
import type { InvalidRule } from "./invalid-rule.ts"
import { parseRule, windowOf } from "./rule.ts"

/** Counting gives up after this. decisions.md 2.1. */
const countMsMax = 2_000
/** Statements of rules that run at the same time, of the connections of a process. Our bound. */
const statementsMax = 4
/** How long a statement waits for its turn. Our bound, that of a statement itself. */
const waitMax = "10 seconds"

/** The rule, or too many others, took longer than a request may. */
export class QueryTooCostly extends Schema.TaggedError<QueryTooCostly>()("QueryTooCostly", {
  reason: Schema.Literals(["time", "busy"]),
}) {}

export interface VisitorQuestion {
  readonly organizationId: string
  /** `ruleAst` is any JSON: it is read here. */
  readonly by: { readonly segmentId: string } | { readonly ruleAst: unknown }
  /** In place of the window of the rule. */
  readonly window: Timeframe | undefined
  readonly pixelId: string | undefined
  readonly suppressed: SuppressedFilter
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

interface VisitorQueriesShape {
  /**
   * One page of those who qualify, last seen first.
   *
   * *Errors*: InvalidRule; PixelNotFound and SegmentNotFound, also for another organization's;
   * CursorRefused for a cursor of another question; QueryTooCostly.
   */
  ask(
    question: VisitorQuestion,
  ): Effect.Effect<
    QualifiedVisitors,
    InvalidRule | PixelNotFound | SegmentNotFound | CursorRefused | QueryTooCostly
  >
}

const make = Effect.gen(function* () {
  const store = yield* VisitorStore
  const segments = yield* Segments
  const pixels = yield* Pixels
  const lists = yield* KeyedLists
  const turns = yield* Semaphore.make(statementsMax)

  const ruleOf = Effect.fnUntraced(function* ({ by, organizationId }: VisitorQuestion) {
    if ("ruleAst" in by) return yield* Effect.fromResult(parseRule(by.ruleAst))
    return (yield* segments.find(organizationId, by.segmentId)).ruleAst
  })

  /** Waits for a turn, for a bounded time. */
  const inTurn = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
    const hasTurn = yield* Deferred.make<void>()
    const worked = turns.withPermit(Effect.andThen(Deferred.succeed(hasTurn, undefined), effect))
    const gaveUp = Effect.sleep(waitMax).pipe(
      Effect.andThen(Deferred.isDone(hasTurn)),
      Effect.flatMap((isWorking) =>
        isWorking ? Effect.never : new QueryTooCostly({ reason: "busy" }),
      ),
    )
    return yield* Effect.raceFirst(worked, gaveUp)
  })

  const ask = Effect.fn("VisitorQueries.ask")(function* (question: VisitorQuestion) {
    const { limit, organizationId, pixelId, position, suppressed } = question
    const ast = yield* ruleOf(question)
    const { retentionDays } = yield* pixels.scope(organizationId, { pixelId })
    const timeframe = windowOf(ast, question.window)
    const scopeAt = (asOf: DateTime.Utc): ListScope => ({
      organizationId,
      pixelId,
      isEmpty: false,
      timeframe,
      asOf,
      from: windowStart(timeframe, asOf),
      suppressed,
      rule: ast.rule,
    })
    const found = yield* lists.page(
      {
        organizationId,
        route: "POST /v1/data/query",
        filters: scopeFilters(scopeAt(yield* DateTime.now)),
        position: "cursor" in position ? position : { offset: (position.page - 1) * limit },
        limit,
      },
      {
        rows: (start, count, asOf) =>
          inTurn(store.listWithin(scopeAt(asOf), start, count)).pipe(
            Effect.catchTag("StatementTimedOut", () => new QueryTooCostly({ reason: "time" })),
          ),
        count: (asOf) => inTurn(store.countWithin(scopeAt(asOf), countMsMax)),
        keyOf: (row) => [row.lastSeenAt, row.emailHash],
      },
    )
    return {
      visitors: found.rows,
      page: Math.floor(found.offset / limit) + 1,
      hasMore: found.hasMore,
      nextCursor: found.nextCursor,
      total: found.total,
      coverage: coverageOf(scopeAt(found.asOf), retentionDays),
    }
  })

  return { ask } satisfies VisitorQueriesShape
})

export class VisitorQueries extends Context.Service<VisitorQueries, VisitorQueriesShape>()(
  "@footfall/server/visitors/VisitorQueries",
) {
  static readonly layer = Layer.effect(VisitorQueries, make)
}
