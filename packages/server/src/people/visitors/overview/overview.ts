// The overview: figures of visits by day or by hour, beside those of another period (spec 13.3.3).
import { type Cause, Clock, Context, DateTime, Effect, Exit, Layer } from "effect"
import { addDays, countDays, dayOf, startOfDay } from "../../../access/time-zone.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { type PixelNotFound, Pixels } from "../../../collect/pixels/pixels.ts"
import type { PixelScope, Sites } from "../../../collect/pixels/store.ts"
import type { SuppressedFilter } from "../list-scope.ts"
import { type QueryTooSlow, type RulesBusy, RuleTurns } from "../query/rule-turns.ts"
import type { Days } from "../timeframe.ts"
import { type Figures, figuresOf, noFigures } from "./figures.ts"
import {
  clockHours,
  type Comparison,
  type DaysRefused,
  momentYearBefore,
  otherDays,
  type OverviewTimeframe,
  windowOf,
} from "./windows.ts"
import { OverviewStore } from "./store.ts"
import { every } from "../../../platform/jobs/every.ts"

/** An organization pauses this many times as long as its days took to compute. */
const restFactor = 9
/** An organization starts no further day in its turn after this. Units: milliseconds. */
const turnMax = 1_000
/** A pass starts no further turn after this, so that the next pass finds newer changes. Units: milliseconds. */
const passMax = 30_000

interface Part {
  /** Every day of the period, in order; empty for `24h`. */
  readonly days: ReadonlyArray<{ readonly date: string } & Figures>
  /** Every hour of `24h`, in order; empty otherwise. */
  readonly hours: ReadonlyArray<{ readonly startsAt: string } & Figures>
  readonly totals: Figures
}

export interface Overview extends Part {
  /** What the figures include. */
  readonly suppressed: SuppressedFilter
  /** Whose days and hours these are. */
  readonly timeZone: string
  /** Totals of the period right before. */
  readonly previous: Figures
  /** The period that `compare` asks for. */
  readonly comparison: Part | null
}

export interface OverviewQuestion extends PixelScope {
  readonly organizationId: string
  readonly period: OverviewTimeframe | Days
  readonly compare: Comparison | undefined
  readonly suppressed: SuppressedFilter
}

interface OverviewsShape {
  /**
   * *Errors*: PixelNotFound for an unknown pixel id; DaysRefused for days that are too many, too old or still to come; for
   * several sites QueryTooSlow and RulesBusy.
   */
  read(
    question: OverviewQuestion,
  ): Effect.Effect<Overview, DaysRefused | PixelNotFound | QueryTooSlow | RulesBusy>
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
  const turns = yield* RuleTurns

  const read: OverviewsShape["read"] = Effect.fn("Overviews.read")(function* (question) {
    const { compare, organizationId, period, suppressed } = question
    const { pixels: found, sites, timeZone } = yield* pixels.scope(organizationId, question)
    const scope = {
      organizationId,
      isEmpty: sites !== undefined && found === 0,
      timeZone,
      suppressed,
    }
    const now = yield* DateTime.now
    const days = period === "24h" ? undefined : yield* windowOf(period, dayOf(now, timeZone))
    const parts =
      days === undefined
        ? yield* hoursOf({ ...scope, pixelId: sites }, now, compare)
        : typeof sites === "object"
          ? yield* daysOfSites({ ...scope, pixelId: sites }, days, compare)
          : yield* daysIn({ ...scope, pixelId: sites }, days, compare)
    return { suppressed, timeZone, ...parts }
  })

  const daysIn = Effect.fnUntraced(function* (
    scope: Scope & { readonly pixelId: string | undefined },
    { from, to }: Required<Days>,
    compare: Comparison | undefined,
  ) {
    const { isEmpty, organizationId, pixelId, suppressed, timeZone } = scope
    const before = otherDays({ from, to }, "previous")
    const other = compare === "year" ? otherDays({ from, to }, "year") : before
    const first = other.from < before.from ? other.from : before.from
    const rows = isEmpty
      ? []
      : yield* store.days(organizationId, { pixelId, timeZone, from: first, until: to })
    const byDate = new Map(rows.map((row) => [row.date, row]))
    const figures = (dates: ReadonlyArray<string>) =>
      figuresOf(
        dates.map((date) => byDate.get(date)),
        suppressed,
      )
    const part = (days: Required<Days>): Part => {
      const dates = Array.from({ length: countDays(days.from, days.to) }, (_, place) =>
        addDays(days.from, place),
      )
      return {
        days: dates.map((date) => ({ date, ...figures([date]) })),
        hours: [],
        totals: figures(dates),
      }
    }
    const previous = part(before)
    return {
      ...part({ from, to }),
      previous: previous.totals,
      comparison: compare === undefined ? null : compare === "year" ? part(other) : previous,
    }
  })

  /** Several sites have people in common, so their stored days can't be added up: the sessions are counted. */
  const daysOfSites = Effect.fnUntraced(function* (
    { isEmpty, timeZone, ...scope }: Scope,
    window: Required<Days>,
    compare: Comparison | undefined,
  ) {
    const part = Effect.fnUntraced(function* ({ from, to }: Required<Days>) {
      const dates = Array.from({ length: countDays(from, to) }, (_, place) => addDays(from, place))
      const starts = dates.map((date) => startOfDay(date, timeZone))
      const span = { from: starts[0]!, until: startOfDay(addDays(to, 1), timeZone) }
      const rows = isEmpty
        ? []
        : yield* turns.rows(
            scope.organizationId,
            store.hoursWithin({ ...scope, ...span, starts: starts.slice(1) }),
          )
      const byPlace = new Map(rows.map(({ hour, ...figures }) => [hour, figures]))
      return {
        days: dates.map((date, place) => ({ date, ...(byPlace.get(place) ?? noFigures) })),
        hours: [],
        totals: byPlace.get(null) ?? noFigures,
      }
    })
    const before = yield* part(otherDays(window, "previous"))
    return {
      ...(yield* part(window)),
      previous: before.totals,
      comparison:
        compare === undefined
          ? null
          : compare === "previous"
            ? before
            : yield* part(otherDays(window, "year")),
    }
  })

  const hoursOf = Effect.fnUntraced(function* (
    scope: Scope,
    now: DateTime.Utc,
    compare: Comparison | undefined,
  ) {
    const { isEmpty, organizationId, pixelId, suppressed, timeZone } = scope
    const part = Effect.fnUntraced(function* (until: DateTime.Utc) {
      const from = DateTime.subtract(until, { hours: 24 })
      const starts = clockHours(from, until, timeZone)
      const rows = isEmpty
        ? []
        : yield* store.hours({
            organizationId,
            pixelId,
            from,
            until,
            starts: starts.slice(1),
            suppressed,
          })
      const byHour = new Map(rows.map(({ hour, ...figures }) => [hour, figures]))
      return {
        days: [],
        hours: starts.map((start, hour) => ({
          startsAt: DateTime.formatIso(start),
          ...(byHour.get(hour) ?? noFigures),
        })),
        totals: byHour.get(null) ?? noFigures,
      }
    })
    const before = yield* part(DateTime.subtract(now, { hours: 24 }))
    return {
      ...(yield* part(now)),
      previous: before.totals,
      comparison:
        compare === undefined
          ? null
          : compare === "previous"
            ? before
            : yield* part(momentYearBefore(now, timeZone)),
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

interface Scope {
  readonly organizationId: string
  readonly pixelId: Sites
  readonly isEmpty: boolean
  readonly timeZone: string
  readonly suppressed: SuppressedFilter
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
