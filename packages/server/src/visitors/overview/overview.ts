// The overview: daily totals of visits over a window and the window before it (spec 13.3.3).
import { type Cause, Clock, Context, DateTime, Effect, Exit, Layer } from "effect"
import type { DatabaseError } from "../../database/database-error.ts"
import { type PixelNotFound, Pixels } from "../../pixels/pixels.ts"
import type { PixelScope } from "../../pixels/store.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import type { Timeframe } from "../timeframe.ts"
import { type Gaps, type OverviewRow, OverviewStore } from "./store.ts"
import { every } from "../../jobs/every.ts"

/** An organization pauses this many times as long as its days took to compute. */
const restFactor = 9
/** An organization starts no further day in its turn after this. Units: milliseconds. */
const turnMax = 1_000
/** A pass starts no further turn after this, so that the next pass finds newer changes. Units: milliseconds. */
const passMax = 30_000

export type OverviewTimeframe = Exclude<Timeframe, "all">

const daysOf: Readonly<Record<OverviewTimeframe, number>> = {
  "24h": 1,
  "7d": 7,
  "14d": 14,
  "30d": 30,
  "90d": 90,
}

export interface Figures {
  readonly sessions: number
  readonly anonymousSessions: number
  readonly pageviews: number
  readonly people: number
  readonly newPeople: number
  readonly suppressedPeople: number
  readonly companies: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
}

export interface Overview {
  /** What the figures include. */
  readonly suppressed: SuppressedFilter
  /** Every day of the window, in order. */
  readonly days: ReadonlyArray<{ readonly date: string } & Figures>
  readonly totals: Figures
  /** Totals of the window before. */
  readonly previous: Figures
}

export interface OverviewQuestion extends PixelScope {
  readonly organizationId: string
  readonly timeframe: OverviewTimeframe
  readonly suppressed: SuppressedFilter
}

interface OverviewsShape {
  /** The days up to today, in UTC. Errors: PixelNotFound for an unknown pixel id. */
  read(question: OverviewQuestion): Effect.Effect<Overview, PixelNotFound>
  /**
   * Recomputes days that changed since the last run, for about half a minute. Organizations take turns of one second,
   * longest wait first; a day that was started is finished. Afterwards an organization pauses for nine times as long as
   * its days took, so a large one uses at most a tenth of the database's time, and others wait for at most one of its
   * days. Guarantee: safe to run in several processes. A crash or a failure of one organization only delays work; the
   * next run repeats it. An interruption waits only for the current day.
   */
  readonly refresh: Effect.Effect<void, DatabaseError>
}

const make = Effect.gen(function* () {
  const store = yield* OverviewStore
  const pixels = yield* Pixels

  const read: OverviewsShape["read"] = Effect.fn("Overviews.read")(function* (question) {
    const { domain, organizationId, pixelId, suppressed, timeframe } = question
    const scope = yield* pixels.scope(organizationId, question)
    const isWhole = domain === undefined && pixelId === undefined
    const count = daysOf[timeframe]
    const today = yield* DateTime.now
    const dates = Array.from({ length: 2 * count }, (_, index) =>
      DateTime.formatIsoDateUtc(DateTime.subtract(today, { days: 2 * count - 1 - index })),
    )
    const rows =
      !isWhole && scope.pixels === 0
        ? []
        : yield* store.days(organizationId, {
            pixelId: isWhole ? undefined : (scope.pixelId ?? undefined),
            from: dates[0]!,
            until: dates.at(-1)!,
          })
    const byDate = new Map(rows.map((row) => [row.date, row]))
    const figures = (all: ReadonlyArray<string>) =>
      figuresOf(
        all.map((date) => byDate.get(date)),
        suppressed,
      )
    return {
      suppressed,
      days: dates.slice(count).map((date) => ({ date, ...figures([date]) })),
      totals: figures(dates.slice(count)),
      previous: figures(dates.slice(0, count)),
    }
  })

  /**
   * The time since when an organization has waited for its turn. A time in the future means that it pauses until
   * then.
   */
  const readyAt = new Map<string, number>()
  /** The day on which old totals were last deleted. */
  let forgottenOn: string | undefined

  /** Computes days of one organization, oldest first, until its turn is over or one fails. */
  const turn = Effect.fnUntraced(function* (
    organizationId: string,
    days: ReadonlyArray<{ readonly day: string }>,
  ) {
    const begun = yield* Clock.currentTimeMillis
    let exit: Exit.Exit<void, DatabaseError> = Exit.void
    let ended = begun
    for (const { day } of days) {
      exit = yield* Effect.exit(Effect.uninterruptible(store.computeDay(organizationId, day)))
      ended = yield* Clock.currentTimeMillis
      readyAt.set(organizationId, ended + restFactor * (ended - begun))
      if (Exit.isFailure(exit) || ended - begun >= turnMax) break
    }
    return exit
  })

  const refresh = Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    yield* store.deleteOldMarks
    const today = DateTime.formatIsoDateUtc(yield* DateTime.now)
    if (today !== forgottenOn) yield* store.deleteOld
    forgottenOn = today
    const stale = Map.groupBy(yield* store.stale, ({ organizationId }) => organizationId)
    for (const [organizationId, ready] of readyAt) {
      if (ready <= begun && !stale.has(organizationId)) readyAt.delete(organizationId)
    }
    for (const organizationId of stale.keys()) {
      if (!readyAt.has(organizationId)) readyAt.set(organizationId, begun)
    }
    const waiting = [...stale]
      .map(([organizationId, days]) => ({
        organizationId,
        days,
        ready: readyAt.get(organizationId)!,
      }))
      .filter(({ ready }) => ready <= begun)
      .toSorted((a, b) => a.ready - b.ready)
    let failure: Cause.Cause<DatabaseError> | undefined
    for (const { days, organizationId } of waiting) {
      const exit = yield* turn(organizationId, days)
      if (Exit.isFailure(exit)) failure ??= exit.cause
      if ((yield* Clock.currentTimeMillis) - begun >= passMax) break
    }
    if (failure !== undefined) yield* Effect.failCause(failure)
  }).pipe(Effect.withSpan("Overviews.refresh"))

  return { read, refresh } satisfies OverviewsShape
})

/** Adds up consecutive days; undefined means nothing happened that day. `only` is what `exclude` leaves out. */
export const figuresOf = (
  days: ReadonlyArray<OverviewRow | undefined>,
  filter: SuppressedFilter,
): Figures => {
  const sum = (value: (row: OverviewRow) => number) =>
    days.reduce((total, row) => total + (row === undefined ? 0 : value(row)), 0)
  /** Of everything and of its suppressed part, what the filter selects. */
  const filtered = (all: number, suppressed: number) =>
    filter === "include" ? all : filter === "only" ? suppressed : all - suppressed
  const sumOf = (all: (row: OverviewRow) => number, suppressed: (row: OverviewRow) => number) =>
    filtered(sum(all), sum(suppressed))
  /** Visitors who also came on an earlier day of the window were counted on that day. */
  const different = (gapsOf: (row: OverviewRow) => Gaps) =>
    days.reduce(
      (total, row, place) =>
        total +
        Object.entries(row === undefined ? {} : gapsOf(row)).reduce(
          (part, [gap, count]) => (gap === "new" || Number(gap) > place ? part + count : part),
          0,
        ),
      0,
    )
  const suppressedPeople = different((row) => row.suppressedPeople)
  const newOf = ({ new: people = 0 }: Gaps) => people // own key: made by jsonb_object_agg
  const newSuppressed = sum((row) => newOf(row.suppressedPeople))
  const companies = different((row) => row.companies)
  return {
    sessions: sumOf(
      (row) => row.sessions,
      (row) => row.suppressedSessions,
    ),
    anonymousSessions: sumOf(
      (row) => row.anonymousSessions,
      (row) => row.suppressedAnonymousSessions,
    ),
    pageviews: sumOf(
      (row) => row.pageviews,
      (row) => row.suppressedPageviews,
    ),
    people: filtered(different(({ people }) => people) + suppressedPeople, suppressedPeople),
    newPeople: filtered(sum(({ people }) => newOf(people)) + newSuppressed, newSuppressed),
    suppressedPeople,
    companies: filtered(companies, companies - different((row) => row.countedCompanies)),
    pricingPageViews: sumOf(
      (row) => row.pricingPageViews,
      (row) => row.suppressedPricingPageViews,
    ),
    demoPageViews: sumOf(
      (row) => row.demoPageViews,
      (row) => row.suppressedDemoPageViews,
    ),
  }
}

export class Overviews extends Context.Service<Overviews, OverviewsShape>()(
  "@footfall/server/visitors/Overviews",
) {
  static readonly layer = Layer.effect(Overviews, make)
}

/** Keeps the overview's totals up to date. */
export const OverviewWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { refresh } = yield* Overviews
    yield* every("2 seconds", "could not compute the overview", refresh)
  }),
)
