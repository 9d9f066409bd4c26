// The stored totals of one day (spec 13.3.3).

/** Number of visitors by how many days ago they came before; `new` means never. */
export type Gaps = Readonly<Record<string, number>>

export interface OverviewRow {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly sessions: number
  readonly anonymousSessions: number
  readonly pageviews: number
  readonly pricingPageViews: number
  readonly demoPageViews: number
  readonly suppressedSessions: number
  readonly suppressedAnonymousSessions: number
  readonly suppressedPageviews: number
  readonly suppressedPricingPageViews: number
  readonly suppressedDemoPageViews: number
  readonly people: Gaps
  readonly suppressedPeople: Gaps
  /** All companies. */
  readonly companies: Gaps
  /** Companies with a session that is not suppressed, by how many days ago they had such a session before. */
  readonly countedCompanies: Gaps
}
