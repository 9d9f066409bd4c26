// What a company did day by day: each person's page views, and those of anonymous visitors by country (spec 13.3.11).
import { Context, Effect, Layer } from "effect"
import { type PixelNotFound, Pixels } from "../../../collect/pixels/pixels.ts"
import { type DaysRefused, type OverviewTimeframe, spansOf } from "../overview/windows.ts"
import type { Days } from "../timeframe.ts"
import { type ActivityRow, ActivityStore } from "./activity-store.ts"
import { CompanyNotFound } from "./companies.ts"

/** People who are shown one by one. */ // spec 10.3
const activityPeopleMax = 50

interface ActivityDay {
  readonly date: string
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
}

export interface Activity {
  readonly timeZone: string
  /** Most page views first. */
  readonly people: ReadonlyArray<{
    readonly emailHash: string
    readonly name: string | null
    readonly jobTitle: string | null
    readonly days: ReadonlyArray<ActivityDay>
  }>
  /** The people beyond the maximum, together. */
  readonly others: { readonly people: number; readonly days: ReadonlyArray<ActivityDay> }
  /** Most page views first; the country is null where it is unknown. */
  readonly anonymous: ReadonlyArray<{
    readonly country: string | null
    readonly days: ReadonlyArray<ActivityDay>
  }>
}

export interface ActivityRequest {
  readonly organizationId: string
  readonly domain: string
  readonly period: OverviewTimeframe | Days
  readonly pixelId: string | undefined
}

const make = Effect.gen(function* () {
  const store = yield* ActivityStore
  const pixels = yield* Pixels

  /** *Errors*: CompanyNotFound; PixelNotFound for an unknown pixel id; DaysRefused. */
  const read = Effect.fn("Activities.read")(function* (
    request: ActivityRequest,
  ): Effect.fn.Return<Activity, CompanyNotFound | DaysRefused | PixelNotFound> {
    const { domain, organizationId, period, pixelId } = request
    const { timeZone } = yield* pixels.scope(organizationId, { pixelId })
    const { span } = yield* spansOf(period, undefined, timeZone)
    const rows = yield* store.read({ ...span, organizationId, domain, pixelId, timeZone })
    if (rows === undefined) return yield* new CompanyNotFound()
    const people = busiest(
      rows.filter(({ emailHash }) => emailHash !== null),
      ({ emailHash }) => emailHash,
    )
    const others = people.slice(activityPeopleMax)
    return {
      timeZone,
      people: people.slice(0, activityPeopleMax).map((days) => ({
        emailHash: days[0]!.emailHash!,
        name: days[0]!.name,
        jobTitle: days[0]!.jobTitle,
        days: days.map(dayOf),
      })),
      others: { people: others.length, days: summed(others.flat()) },
      anonymous: busiest(
        rows.filter(({ emailHash }) => emailHash === null),
        ({ country }) => country,
      ).map((days) => ({ country: days[0]!.country, days: days.map(dayOf) })),
    }
  })

  return { read }
})

/** The rows of each key, most page views first. */
const busiest = (
  rows: ReadonlyArray<ActivityRow>,
  keyOf: (row: ActivityRow) => string | null,
): ReadonlyArray<ReadonlyArray<ActivityRow>> =>
  [...Map.groupBy(rows, keyOf).values()].toSorted((a, b) => viewsOf(b) - viewsOf(a))

const viewsOf = (rows: ReadonlyArray<ActivityRow>): number =>
  rows.reduce((total, { pageviews }) => total + pageviews, 0)

const dayOf = ({
  date,
  demoPageViews,
  pageviews,
  pricingPageViews,
  sessions,
}: ActivityRow): ActivityDay => ({ date, sessions, pageviews, pricingPageViews, demoPageViews })

const summed = (rows: ReadonlyArray<ActivityRow>): ReadonlyArray<ActivityDay> =>
  [...Map.groupBy(rows, ({ date }) => date)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, days]) => {
      const sum = (value: (day: ActivityRow) => number) =>
        days.reduce((total, day) => total + value(day), 0)
      return {
        date,
        sessions: sum((day) => day.sessions),
        pageviews: sum((day) => day.pageviews),
        pricingPageViews: sum((day) => day.pricingPageViews),
        demoPageViews: sum((day) => day.demoPageViews),
      }
    })

export class Activities extends Context.Service<Activities, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/Activities",
) {
  static readonly layer = Layer.effect(Activities, make)
}
