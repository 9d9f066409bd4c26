// Figures of visits and visitors, by day or by hour. spec 13.3
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { PixelScope, SuppressedFilter } from "../extensions/common.ts"

/** `footfall.overview`. Needs an API key. */
export class Overviews {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the figures of every day in the period, their totals, and the totals of the period before. Days are those
   * of the organization's time zone. With `24h`, `days` is empty, and `hours` has the clock hours of the last 24
   * hours. A session counts when it started. The totals count each person and company once. `comparison` is null
   * unless you send `compare`. Figures by day lag by a few seconds. By default they leave out suppressed people and
   * companies, with their sessions. Errors: BadRequestError, NotFoundError (`pixelId` is unknown), UnprocessableError
   * (`QUERY_TOO_SLOW`).
   */
  get(params: OverviewParams = {}, options: RequestOptions = {}): ApiCall<Overview> {
    return this.#transport.get("/v1/data/overview", {
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Returns the most frequent pages, sources, campaigns, countries or devices of a period, most sessions first, with
   * the sessions, people and companies of each. A session counts when it started, and once for every page it viewed.
   * `totals` covers all sessions of the period. `comparison` is null unless you send `compare`. Errors:
   * BadRequestError, NotFoundError (`pixelId` is unknown), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  breakdown(params: BreakdownParams, options: RequestOptions = {}): ApiCall<Breakdown> {
    return this.#transport.get("/v1/data/overview/breakdown", {
      query: { ...params },
      credentials: "apiKey",
      options,
    })
  }
}

/** Period and scope of an overview. */
export type OverviewParams = PixelScope & {
  /** The days to count, up to today. `24h` is the last 24 hours. Default `30d`. */
  readonly timeframe?: "24h" | "7d" | "14d" | "30d" | "90d" | undefined
  /**
   * First day to count, in the organization's time zone, such as `2026-01-31`. At most 365 days ago. Cannot be
   * combined with `timeframe`.
   */
  readonly from?: string | undefined
  /** Last day to count, at most 365 days after `from`. Default: today. */
  readonly to?: string | undefined
  /** Also returns another period: `previous` is the one right before, `year` the same dates a year before. */
  readonly compare?: "previous" | "year" | undefined
  /** Whether to count suppressed people and companies, and their sessions. Default `exclude`. */
  readonly suppressed?: SuppressedFilter | undefined
}

/** A period, and another one to compare it with. */
export interface Overview extends OverviewComparison {
  /** What the figures include. */
  readonly suppressed: SuppressedFilter
  /** The organization's time zone. */
  readonly timeZone: string
  /** Totals of the period right before. */
  readonly previous: OverviewFigures
  /** The period that `compare` asked for; otherwise null. */
  readonly comparison: OverviewComparison | null
}

/** Dimension, period and scope of a breakdown. */
export type BreakdownParams = PixelScope & {
  /** What to break the sessions down by. */
  readonly by: BreakdownDimension
  /** The days to count, up to today. `24h` is the last 24 hours. Default `30d`. */
  readonly timeframe?: "24h" | "7d" | "14d" | "30d" | "90d" | undefined
  /**
   * First day to count, in the organization's time zone, such as `2026-01-31`. At most 365 days ago. Cannot be
   * combined with `timeframe`.
   */
  readonly from?: string | undefined
  /** Last day to count, at most 365 days after `from`. Default: today. */
  readonly to?: string | undefined
  /** Also returns another period: `previous` is the one right before, `year` the same dates a year before. */
  readonly compare?: "previous" | "year" | undefined
  /** Whether to count suppressed people and companies, and their sessions. Default `exclude`. */
  readonly suppressed?: SuppressedFilter | undefined
  /** Number of values, 1 to 100. Default 10. */
  readonly limit?: number | undefined
}

/** The most frequent values of a dimension. */
export interface Breakdown {
  /** What the figures include. */
  readonly suppressed: SuppressedFilter
  /** The organization's time zone. */
  readonly timeZone: string
  /** The dimension. `source` is `utm_source`, or the referrer's domain without one. */
  readonly by: BreakdownDimension
  /** All sessions of the period. */
  readonly totals: BreakdownTotals
  /** Most sessions first. */
  readonly rows: ReadonlyArray<BreakdownRow>
  /** Whether there are more values than `limit`. */
  readonly hasMore: boolean
}

/** The figures of a period. */
export interface OverviewComparison {
  /** Every day, oldest first. Empty for `24h`. */
  readonly days: ReadonlyArray<OverviewDay>
  /** Every hour of `24h`, oldest first. Empty for any other period. */
  readonly hours: ReadonlyArray<OverviewHour>
  /** Figures of the whole period, in which each person and company counts once. */
  readonly totals: OverviewFigures
}

/** The figures of a day or a window. A window counts each person and company once. */
export interface OverviewFigures {
  /** Sessions that started. */
  readonly sessions: number
  /** Sessions of visitors who are not identified. */
  readonly anonymousSessions: number
  /** Page views. */
  readonly pageviews: number
  /** Identified people. */
  readonly people: number
  /** People seen for the first time. */
  readonly newPeople: number
  /** Suppressed people, whatever `suppressed` says. */
  readonly suppressedPeople: number
  /** Companies with a session. */
  readonly companies: number
  /** Views of pricing pages. */
  readonly pricingPageViews: number
  /** Views of demo pages. */
  readonly demoPageViews: number
}

/** What sessions can be broken down by. */
export type BreakdownDimension =
  | "page"
  | "entry_page"
  | "channel"
  | "source"
  | "campaign"
  | "country"
  | "device"

/** The figures of all sessions. */
export interface BreakdownTotals {
  /** Sessions that started. */
  readonly sessions: number
  /** Sessions of visitors who are not identified. */
  readonly anonymousSessions: number
  /** Page views; of a page, its own views. */
  readonly pageviews: number
  /** Identified people. */
  readonly people: number
  /** Companies with a session. */
  readonly companies: number
  /** Figures of the period that `compare` asked for; otherwise null. */
  readonly comparison: BreakdownFigures | null
}

/** The figures of one value. */
export interface BreakdownRow {
  /** A path, channel, source, campaign, country code or device type; null for sessions without one. */
  readonly value: string | null
  /** The page's name, if it is a key page: `pricing`, `demo`, or one of the site's settings. */
  readonly keyPage: string | null
  /** Sessions that started. */
  readonly sessions: number
  /** Sessions of visitors who are not identified. */
  readonly anonymousSessions: number
  /** Page views; of a page, its own views. */
  readonly pageviews: number
  /** Identified people. */
  readonly people: number
  /** Companies with a session. */
  readonly companies: number
  /** Figures of the period that `compare` asked for; otherwise null. */
  readonly comparison: BreakdownFigures | null
}

/** The figures of one day. */
export interface OverviewDay extends OverviewFigures {
  /** The day, in the organization's time zone. */
  readonly date: string
}

/** The figures of one hour on the clocks of the organization's time zone. */
export interface OverviewHour extends OverviewFigures {
  /** When the hour begins. */
  readonly startsAt: string
}

/** The figures of a value in one period. */
export interface BreakdownFigures {
  /** Sessions that started. */
  readonly sessions: number
  /** Sessions of visitors who are not identified. */
  readonly anonymousSessions: number
  /** Page views; of a page, its own views. */
  readonly pageviews: number
  /** Identified people. */
  readonly people: number
  /** Companies with a session. */
  readonly companies: number
}
