// The windows of the overview: days, clock hours, and the period to compare with (spec 13.3.3).
import { DateTime, Effect, Schema } from "effect"
import { addDays, countDays, dayOf, startOfDay } from "../../../access/time-zone.ts"
import type { Days, Timeframe } from "../timeframe.ts"

/** The longest window of days. */
export const windowDaysMax = 366

export type OverviewTimeframe = Exclude<Timeframe, "all">

const daysOf: Readonly<Record<Exclude<OverviewTimeframe, "24h">, number>> = {
  "7d": 7,
  "14d": 14,
  "30d": 30,
  "90d": 90,
}

/** The period to compare with: the one right before, or the same dates a year before. */
export const Comparison = Schema.Literals(["previous", "year"])
export type Comparison = typeof Comparison.Type

export class DaysRefused extends Schema.TaggedError<DaysRefused>()("DaysRefused", {
  from: Schema.String,
  code: Schema.Literals(["min", "max"]),
  expected: Schema.String,
}) {}

/** The days of a period that is kept. Errors: DaysRefused. */
export const windowOf = (
  period: Exclude<OverviewTimeframe, "24h"> | Days,
  today: string,
): Effect.Effect<Required<Days>, DaysRefused> => {
  if (typeof period === "string") {
    return Effect.succeed({ from: addDays(today, 1 - daysOf[period]), to: today })
  }
  const { from, to = today } = period
  const refused = (code: DaysRefused["code"], expected: string) =>
    new DaysRefused({ from, code, expected })
  const earliest = addDays(today, 1 - windowDaysMax)
  if (from < earliest) return refused("min", `a day from ${earliest} on`)
  if (from > today) return refused("max", `a day that is not after today, ${today}`)
  if (countDays(from, to) > windowDaysMax) {
    return refused("min", `at most ${windowDaysMax} days up to ${to}`)
  }
  return Effect.succeed({ from, to })
}

/** The days to compare with. */
export const otherDays = ({ from, to }: Required<Days>, compare: Comparison): Required<Days> =>
  compare === "year"
    ? { from: yearBefore(from), to: yearBefore(to) }
    : { from: addDays(from, -countDays(from, to)), to: addDays(from, -1) }

/** Two moments; the second one is exclusive. */
export interface Span {
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/** The moments of a period, and of the one to compare with. Errors: DaysRefused. */
export const spansOf = Effect.fnUntraced(function* (
  period: OverviewTimeframe | Days,
  compare: Comparison | undefined,
  timeZone: string,
) {
  const now = yield* DateTime.now
  if (period === "24h") {
    const hours24 = (until: DateTime.Utc): Span => ({
      from: DateTime.subtract(until, { hours: 24 }),
      until,
    })
    const span = hours24(now)
    const other = compare === "year" ? momentYearBefore(now, timeZone) : span.from
    return { span, other: compare === undefined ? undefined : hours24(other) }
  }
  const days = yield* windowOf(period, dayOf(now, timeZone))
  const spanOf = ({ from, to }: Required<Days>): Span => ({
    from: startOfDay(from, timeZone),
    until: startOfDay(addDays(to, 1), timeZone),
  })
  return {
    span: spanOf(days),
    other: compare === undefined ? undefined : spanOf(otherDays(days, compare)),
  }
})

const hourMs = 3_600_000

const offsetOf = (moment: DateTime.Utc, timeZone: string): number =>
  DateTime.zonedOffset(DateTime.setZoneNamedUnsafe(moment, timeZone))

/** How long a clock of the zone has shown the same hour. */
const sinceHour = (moment: DateTime.Utc, timeZone: string): number => {
  const local = moment.epochMilliseconds + offsetOf(moment, timeZone)
  return ((local % hourMs) + hourMs) % hourMs
}

/**
 * When the clock hours of a window begin; the first one may begin before it. An hour that comes twice is there twice,
 * one that is skipped is not.
 */
export const clockHours = (
  from: DateTime.Utc,
  until: DateTime.Utc,
  timeZone: string,
): ReadonlyArray<DateTime.Utc> => {
  const starts = [DateTime.subtract(from, { milliseconds: sinceHour(from, timeZone) })]
  for (let last = starts[0]!; ; starts.push(last)) {
    last = DateTime.add(last, { milliseconds: hourMs - sinceHour(last, timeZone) })
    if (last.epochMilliseconds >= until.epochMilliseconds) return starts
  }
}

/** The same date a year before; 28 February for 29 February. */
export const yearBefore = (day: string): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day), { years: 1 }))

/** The same time of the same date a year before. */
export const momentYearBefore = (moment: DateTime.Utc, timeZone: string): DateTime.Utc =>
  DateTime.toUtc(DateTime.subtract(DateTime.setZoneNamedUnsafe(moment, timeZone), { years: 1 }))
