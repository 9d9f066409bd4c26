// What a company did day by day: each person's page views, and those of anonymous visitors by country (spec 13.3.11).
import { Context, Effect, Layer } from "effect"
import { keyPageOf } from "../../../collect/visits/key-page.ts"
import { type PixelNotFound, Pixels } from "../../../collect/pixels/pixels.ts"
import { pathOf } from "../../../collect/visits/page-url.ts"
import { type DaysRefused, type OverviewTimeframe, spansOf } from "../overview/windows.ts"
import { type QueryTooSlow, type RulesBusy, RuleTurns } from "../query/rule-turns.ts"
import type { Days } from "../timeframe.ts"
import { type ActivityQuestion, type ActivityRow, ActivityStore } from "./activity-store.ts"
import { CompanyNotFound } from "./companies.ts"

/** People who are shown one by one. */ // spec 10.3
const activityPeopleMax = 50

interface ActivityDay {
  readonly date: string
  readonly sessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  /** Names of the key pages that were read. */
  readonly keyPages: ReadonlyArray<string>
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
  /** The pixels that the caller may see. Undefined: all of the organization. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
}

const make = Effect.gen(function* () {
  const store = yield* ActivityStore
  const pixels = yield* Pixels
  const turns = yield* RuleTurns

  /** *Errors*: CompanyNotFound; PixelNotFound for an unknown pixel id; DaysRefused; QueryTooSlow, RulesBusy. */
  const read = Effect.fn("Activities.read")(function* (
    request: ActivityRequest,
  ): Effect.fn.Return<
    Activity,
    CompanyNotFound | DaysRefused | PixelNotFound | QueryTooSlow | RulesBusy
  > {
    const { domain, organizationId, period, pixelId, pixelIds } = request
    const { sites, timeZone } = yield* pixels.scope(organizationId, { pixelId, pixelIds })
    const { span } = yield* spansOf(period, undefined, timeZone)
    if (!(yield* store.exists(organizationId, domain))) return yield* new CompanyNotFound()
    const question = { ...span, organizationId, domain, pixelId: sites, timeZone }
    const rows = withKeyPages(
      yield* turns.rows(organizationId, store.days(question)),
      yield* keyPagesIn(question),
    )
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

  /** The names of own key pages by place; the kinds of other pages are counted. */
  const keyPagesIn = Effect.fnUntraced(function* (question: ActivityQuestion) {
    const sites = (yield* pixels.list(question.organizationId)).filter(
      ({ settings }) => settings["keyPages"] !== undefined,
    )
    const byId = new Map(sites.map((site) => [site.id, site]))
    const names = new Map<string, Set<string>>()
    for (const page of sites.length === 0
      ? []
      : yield* turns.rows(question.organizationId, store.pages(question))) {
      const site = byId.get(page.pixelId)
      const name = site === undefined ? null : keyPageOf(pathOf(page.url), [site])
      if (name === null) continue
      const place = placeOf(page)
      names.set(place, (names.get(place) ?? new Set()).add(name))
    }
    return names
  })

  return { read }
})

interface Row extends ActivityRow {
  readonly keyPages: ReadonlyArray<string>
}

const placeOf = ({ country, date, emailHash }: Pick<Row, "country" | "date" | "emailHash">) =>
  `${date} ${emailHash ?? country}`

const withKeyPages = (
  rows: ReadonlyArray<ActivityRow>,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyArray<Row> =>
  rows.map((row) => {
    const found = new Set(names.get(placeOf(row)))
    if (row.pricingPageViews > 0) found.add("pricing")
    if (row.demoPageViews > 0) found.add("demo")
    return { ...row, keyPages: [...found].toSorted() }
  })

/** The rows of each key, most page views first. */
const busiest = (
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string | null,
): ReadonlyArray<ReadonlyArray<Row>> =>
  [...Map.groupBy(rows, keyOf).values()].toSorted((a, b) => viewsOf(b) - viewsOf(a))

const viewsOf = (rows: ReadonlyArray<Row>): number =>
  rows.reduce((total, { pageviews }) => total + pageviews, 0)

const dayOf = ({
  date,
  demoPageViews,
  keyPages,
  pageviews,
  pricingPageViews,
  sessions,
}: Row): ActivityDay => ({
  date,
  sessions,
  pageviews,
  pricingPageViews,
  demoPageViews,
  keyPages,
})

const summed = (rows: ReadonlyArray<Row>): ReadonlyArray<ActivityDay> =>
  [...Map.groupBy(rows, ({ date }) => date)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, days]) => {
      const sum = (value: (day: Row) => number) =>
        days.reduce((total, day) => total + value(day), 0)
      return {
        date,
        sessions: sum((day) => day.sessions),
        pageviews: sum((day) => day.pageviews),
        pricingPageViews: sum((day) => day.pricingPageViews),
        demoPageViews: sum((day) => day.demoPageViews),
        keyPages: [...new Set(days.flatMap(({ keyPages }) => keyPages))].toSorted(),
      }
    })

export class Activities extends Context.Service<Activities, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/Activities",
) {
  static readonly layer = Layer.effect(Activities, make)
}
