// The figures of an overview, and how those of a window follow from its days (spec 13.3.3).
import type { SuppressedFilter } from "../list-scope.ts"
import type { Gaps, OverviewRow } from "./overview-row.ts"

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

export const noFigures: Figures = {
  sessions: 0,
  anonymousSessions: 0,
  pageviews: 0,
  people: 0,
  newPeople: 0,
  suppressedPeople: 0,
  companies: 0,
  pricingPageViews: 0,
  demoPageViews: 0,
}

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
